#include "widgets/notes_view.h"

#include "widgets/theme.h"

#include <QEvent>
#include <QTextBlock>
#include <QTextTable>

namespace lab {

namespace {

constexpr double k_line_height = 118; ///< per cent
constexpr double k_paragraph_gap = 6; ///< pixels

/// Air between lines and paragraphs, and tables of the text's width: Markdown's own have none and fit badly.
void setOut(QTextDocument& document)
{
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        format.setLineHeight(k_line_height, QTextBlockFormat::ProportionalHeight);
        const bool is_in_table = QTextCursor(block).currentTable() != nullptr;
        format.setTopMargin(0);
        format.setBottomMargin(is_in_table ? 0 : k_paragraph_gap);
        QTextCursor(block).setBlockFormat(format);
    }
    for (QTextFrame* frame : document.rootFrame()->childFrames()) {
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
            format.setCellPadding(2);
            format.setBottomMargin(k_paragraph_gap);
            format.setBorderCollapse(true);
            table->setFormat(format);
        }
    }
}

} // namespace

NotesView::NotesView(QWidget* parent) : QTextBrowser(parent)
{
    setObjectName(QStringLiteral("notes"));
    setAccessibleName(tr("Notes"));
    setWhatsThis(tr("What whoever made this experiment says about it: the key `notes` of its file."));
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setTabChangesFocus(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(0);
    setViewportMargins(13, 0, 8, 8);
    connect(this, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.scheme() == QLatin1String("https") || link.scheme() == QLatin1String("http")) {
            Q_EMIT linkFollowed(link);
        }
    });
}

void NotesView::setNotes(const QString& markdown)
{
    if (markdown != notes_) {
        render(markdown);
    }
}

void NotesView::render(const QString& markdown)
{
    notes_ = markdown;
    document()->setDefaultFont(fontFor(TextRole::Small, font()));
    document()->setMarkdown(markdown,
                            QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub)
                                | QTextDocument::MarkdownNoHTML);
    setOut(*document());
    moveCursor(QTextCursor::Start);
}

QVariant NotesView::loadResource(int, const QUrl&) { return {}; }

void NotesView::changeEvent(QEvent* event)
{
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) {
        render(notes_); // colours of links and tables are fixed when the text is set
    }
}

QSize NotesView::sizeHint() const { return {232, 180}; }

QSize NotesView::minimumSizeHint() const { return {120, 4 * fontMetrics().height()}; }

} // namespace lab
