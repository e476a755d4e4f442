#pragma once

#include <QTextBrowser>

namespace lab {

/// The experiment's notes: Markdown, shown beside the run as it is written. Links open in the desktop's browser; nothing
/// is loaded from the disk or the network.
class NotesView final : public QTextBrowser {
    Q_OBJECT
public:
    explicit NotesView(QWidget* parent = nullptr);

    void setNotes(const QString& markdown);
    [[nodiscard]] const QString& notes() const { return notes_; }
    [[nodiscard]] QVariant loadResource(int type, const QUrl& name) override;

Q_SIGNALS:
    /// A person follows a link to a web page.
    void linkFollowed(const QUrl& link);

protected:
    void changeEvent(QEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

private:
    void render(const QString& markdown);

    QString notes_;
};

} // namespace lab
