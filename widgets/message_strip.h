#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;

namespace lab {

/// One line above the panels for what a person should know, never in their way: guidance, a refusal, an error. A repeated
/// message is counted, not stacked.
class MessageStrip final : public QWidget {
    Q_OBJECT
public:
    explicit MessageStrip(QWidget* parent = nullptr);

    /// Stays until it is closed or another takes its place.
    void showGuidance(const QString& text);
    /// Goes by itself after a while.
    void showNote(const QString& text);
    /// Stays until it is closed.
    void showError(const QString& text);
    void dismiss();
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void dismissed();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Kind : std::uint8_t { Guidance, Note, Error };
    void say(Kind kind, const QString& text);

    QLabel* label_;
    QString last_;
    Kind kind_ = Kind::Guidance;
    int repeats_ = 1;
    QTimer timer_;
};

} // namespace lab
