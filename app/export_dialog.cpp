#include "app/export_dialog.h"

#include "app/safe_file.h"
#include "core/base/error.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr int k_renewal_ms = 80; ///< after the last change of several
constexpr QSize k_preview{460, 340};
constexpr qsizetype k_preview_bytes = 3000; ///< of a text
constexpr qsizetype k_large =
    200'000'000;               ///< bytes that viewers of traces and spreadsheets have trouble with
constexpr int k_letters = 150; ///< that the dialog is wide, so that a path can be read
constexpr int k_least_side = 200;
constexpr int k_largest_side = 8000;
constexpr int k_most_scale = 4;

template <class Control> Control* named(Control* control, const char* name, const QString& spoken)
{
    control->setObjectName(QLatin1String(name));
    control->setAccessibleName(spoken);
    return control;
}

} // namespace

ExportDialog::ExportDialog(ExportSource source, ExportWhat first, const QString& folder, const QString& stem,
                           QWidget* parent)
    : QDialog(parent),
      source_(std::move(source)),
      folder_(folder),
      stem_(stem)
{
    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export"));
    renewal_.setSingleShot(true);
    renewal_.setInterval(k_renewal_ms);
    makeControls();
    arrange();
    what_->setCurrentIndex(static_cast<int>(first));
    connectControls();
    showFormats();
}

void ExportDialog::makeControls()
{
    what_ = named(new QComboBox, "exportWhat", tr("What"));
    for (int i = 0; i < k_export_kinds; ++i) {
        what_->addItem(wordFor(static_cast<ExportWhat>(i)));
    }
    format_ = named(new QComboBox, "exportFormat", tr("Format"));
    scope_ = named(new QComboBox, "exportScope", tr("Part of the run"));
    scope_->addItem(tr("Whole run, %1 s").arg(toSeconds(source_.history.latest().now), 0, 'f', 2));
    if (source_.stretch) {
        scope_->addItem(tr("Selection, %1–%2 s")
                            .arg(source_.stretch->from, 0, 'f', 2)
                            .arg(source_.stretch->to, 0, 'f', 2));
    }
    for (auto [box, name, spoken] : {std::tuple(&width_, "exportWidth", tr("Width")),
                                     std::tuple(&height_, "exportHeight", tr("Height"))}) {
        *box = named(new QSpinBox, name, spoken);
        (*box)->setRange(k_least_side, k_largest_side);
        (*box)->setSingleStep(50);
        (*box)->setButtonSymbols(QAbstractSpinBox::NoButtons);
    }
    scale_ = named(new QComboBox, "exportScale", tr("Scale"));
    for (int i = 1; i <= k_most_scale; ++i) {
        scale_->addItem(tr("%1 dpi (%2×)").arg(96 * i).arg(i), i);
    }
    scale_->setCurrentIndex(1);
    theme_ = named(new QComboBox, "exportTheme", tr("Theme"));
    theme_->addItems({tr("Light, for print"), tr("As shown")});
    target_ = named(new QLineEdit, "exportTarget", tr("File"));
    browse_ = named(new QPushButton(tr("&Browse…")), "exportBrowse", tr("Choose the file"));
    picture_ = new QLabel;
    picture_->setObjectName(QStringLiteral("exportPicture"));
    picture_->setAlignment(Qt::AlignCenter);
    text_ = named(new QPlainTextEdit, "exportText", tr("Beginning of the file"));
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    preview_ = new QStackedWidget;
    preview_->addWidget(picture_);
    preview_->addWidget(text_);
    preview_->setMinimumSize(k_preview);
    for (auto [label, name] : {std::pair(&facts_, "exportFacts"), std::pair(&reason_, "exportReason")}) {
        *label = new QLabel;
        (*label)->setObjectName(QLatin1String(name));
        (*label)->setWordWrap(true);
    }
    facts_->setProperty("muted", true);
    export_ = named(new QPushButton(tr("&Export")), "exportButton", tr("Export"));
    export_->setProperty("primary", true);
    export_->setDefault(true);
    cancel_ = named(new QPushButton(tr("Cancel")), "exportCancel", tr("Cancel"));
}

void ExportDialog::arrange()
{
    auto* size = new QHBoxLayout;
    size->addWidget(width_, 1);
    size->addWidget(new QLabel(QStringLiteral("×")));
    size->addWidget(height_, 1);
    auto* target = new QHBoxLayout;
    target->addWidget(target_, 1);
    target->addWidget(browse_);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const auto row = [form](const QString& text, auto* field, QWidget* buddy) {
        auto* label = new QLabel(text);
        label->setBuddy(buddy);
        form->addRow(label, field);
    };
    row(tr("&What"), what_, what_);
    row(tr("&Format"), format_, format_);
    row(tr("&Part"), scope_, scope_);
    row(tr("&Size"), size, width_);
    row(tr("S&cale"), scale_, scale_);
    row(tr("&Theme"), theme_, theme_);
    row(tr("F&ile"), target, target_);
    auto* left = new QVBoxLayout;
    left->addLayout(form);
    left->addWidget(facts_);
    left->addWidget(reason_);
    left->addStretch(1);
    auto* columns = new QHBoxLayout;
    columns->addLayout(left, 1);
    columns->addWidget(preview_, 1);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(export_, QDialogButtonBox::AcceptRole);
    buttons->addButton(cancel_, QDialogButtonBox::RejectRole);
    auto* rows = new QVBoxLayout(this);
    rows->addLayout(columns, 1);
    rows->addWidget(buttons);
    const int room = parentWidget() == nullptr ? k_largest_side : parentWidget()->width();
    const int wanted = std::min(k_letters * fontMetrics().averageCharWidth(), room);
    resize(sizeHint().expandedTo({wanted, 0}));
}

void ExportDialog::connectControls()
{
    connect(&renewal_, &QTimer::timeout, this, &ExportDialog::renew);
    connect(what_, &QComboBox::currentIndexChanged, this, &ExportDialog::showFormats);
    connect(format_, &QComboBox::currentIndexChanged, this, &ExportDialog::showTarget);
    for (QComboBox* box : {scope_, scale_, theme_}) {
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::renewSoon);
    }
    for (QSpinBox* box : {width_, height_}) {
        connect(box, &QSpinBox::valueChanged, this, &ExportDialog::renewSoon);
    }
    connect(target_, &QLineEdit::textChanged, this, &ExportDialog::showReason);
    connect(browse_, &QPushButton::clicked, this, &ExportDialog::chooseTarget);
    connect(export_, &QPushButton::clicked, this, &ExportDialog::write);
    connect(cancel_, &QPushButton::clicked, this, &ExportDialog::reject);
}

ExportWish ExportDialog::wish() const
{
    ExportWish wish;
    wish.what = static_cast<ExportWhat>(what_->currentIndex());
    const auto& formats = formatsOf(wish.what);
    wish.format = formats.at(static_cast<std::size_t>(std::max(0, format_->currentIndex())));
    wish.only_stretch = scope_->isEnabled() && scope_->currentIndex() == 1;
    if (width_->isEnabled()) {
        wish.size = QSize(width_->value(), height_->value());
    }
    wish.scale = scale_->currentData().toDouble();
    wish.in_shown_theme = theme_->isEnabled() && theme_->currentIndex() == 1;
    return wish;
}

void ExportDialog::showFormats()
{
    const auto what = static_cast<ExportWhat>(what_->currentIndex());
    {
        const QSignalBlocker quiet(format_);
        format_->clear();
        for (const ExportFormat format : formatsOf(what)) {
            format_->addItem(wordFor(format));
        }
    }
    showSize();
    showTarget();
}

void ExportDialog::showSize()
{
    const std::vector<Picture> pages = pagesOf(
        source_, {static_cast<ExportWhat>(what_->currentIndex()), ExportFormat::Png, false, {}, 1, false});
    if (pages.size() == 1) {
        const QSignalBlocker quiet_width(width_);
        const QSignalBlocker quiet_height(height_);
        width_->setValue(pages.front().size.width());
        height_->setValue(pages.front().size.height());
    }
}

void ExportDialog::showTarget()
{
    const ExportWhat what = wish().what;
    const ExportFormat format = wish().format;
    const bool is_picture = isPicture(format);
    const bool is_one = is_picture && what != ExportWhat::AllPictures;
    scope_->setEnabled(takesStretch(what) && source_.stretch.has_value());
    scope_->setToolTip(scope_->isEnabled()
                           ? QString()
                           : tr("Select a stretch in the timeline with Shift and drag; "
                                "staleness, cluster, report and run data are of the whole run."));
    width_->setEnabled(is_one);
    height_->setEnabled(is_one);
    scale_->setEnabled(format == ExportFormat::Png);
    theme_->setEnabled(is_picture);
    const QString before = std::exchange(
        usual_,
        QDir(folder_).filePath(QStringLiteral("%1-%2.%3").arg(stem_, nameOf(what), endingOf(format))));
    const QString path = target_->text();
    if (path == before) {
        target_->setText(usual_);
    } else if (path.endsWith(QLatin1Char('.') + ending_)) { // a name that a person has given stays
        target_->setText(path.chopped(ending_.size()) + endingOf(format));
    }
    ending_ = endingOf(format);
    renewSoon();
}

void ExportDialog::renew()
{
    renewal_.stop();
    bytes_ = exported(source_, wish());
    showPreview();
    showReason();
}

void ExportDialog::showPreview()
{
    QStringList facts;
    if (!bytes_.isEmpty()) {
        facts << QLocale::c().formattedDataSize(bytes_.size(), 1, QLocale::DataSizeSIFormat);
    }
    if (isPicture(wish().format)) {
        preview_->setCurrentWidget(picture_);
        const std::vector<Picture> pages = pagesOf(source_, wish());
        PictureStyle style;
        style.theme = wish().in_shown_theme ? source_.shown_theme : &lightTheme();
        const QSizeF room = preview_->size().expandedTo(k_preview) - QSize(8, 8);
        const QSizeF sheet = sheetOf(pages);
        style.scale = devicePixelRatioF()
            * std::min({1.0, room.width() / sheet.width(), room.height() / sheet.height()});
        QImage image = imageOf(pages, style);
        image.setDevicePixelRatio(devicePixelRatioF());
        picture_->setPixmap(QPixmap::fromImage(image));
        if (wish().format == ExportFormat::Png) {
            const QSize pixels = QImage::fromData(bytes_).size();
            facts << tr("%1 × %2 pixels").arg(pixels.width()).arg(pixels.height());
        }
    } else {
        preview_->setCurrentWidget(text_);
        text_->setPlainText(QString::fromUtf8(bytes_.left(k_preview_bytes))
                            + (bytes_.size() > k_preview_bytes ? QStringLiteral("…") : QString()));
    }
    if (bytes_.size() > k_large) {
        facts << tr("few programs open files this large");
    }
    facts << omissions(source_, wish());
    facts.removeAll(QString());
    facts_->setText(facts.join(QStringLiteral(" · ")));
}

void ExportDialog::showReason()
{
    QString reason = whyNotWritable(target_->text());
    if (bytes_.isEmpty()) {
        reason = tr("A picture this large cannot be made.");
    }
    export_->setEnabled(reason.isEmpty() && !renewal_.isActive());
    export_->setToolTip(reason);
    if (reason.isEmpty() && QFileInfo::exists(target_->text())) {
        reason = tr("Replaces the file that is there.");
    }
    reason_->setText(reason);
}

void ExportDialog::chooseTarget()
{
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export"), target_->text(), QStringLiteral("%1 (*.%2)").arg(wordFor(wish().format), ending_),
        nullptr, QFileDialog::DontConfirmOverwrite);
    if (!path.isEmpty()) {
        target_->setText(QFileInfo(path).suffix().isEmpty() ? path + QLatin1Char('.') + ending_ : path);
    }
}

void ExportDialog::write()
{
    if (renewal_.isActive()) {
        renew();
    }
    const QString path = QFileInfo(target_->text()).absoluteFilePath();
    try {
        writeWhole(path, bytes_);
    } catch (const Error& error) {
        reason_->setText(tr("Not written. %1").arg(QString::fromStdString(error.what())));
        return;
    }
    Q_EMIT done(tr("Written to %1").arg(path));
    accept();
}

} // namespace lab
