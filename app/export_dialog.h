#pragma once

#include "app/exports.h"

#include <QDialog>
#include <QTimer>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace lab {

/// Takes something out of the window into a file: what, as what, how large, where to. What is shown and what is written
/// are the same bytes, of the moment at which the dialog was opened; the run goes on meanwhile.
class ExportDialog final : public QDialog {
    Q_OBJECT
public:
    /// `folder` is where files go at first, `stem` what their names begin with.
    ExportDialog(ExportSource source, ExportWhat first, const QString& folder, const QString& stem,
                 QWidget* parent = nullptr);

    [[nodiscard]] ExportWish wish() const;
    /// The file as it would be written.
    [[nodiscard]] const QByteArray& bytes() const { return bytes_; }

Q_SIGNALS:
    void done(const QString& what);

private:
    void makeControls();
    void arrange();
    void connectControls();
    void showFormats();
    void showSize();
    void showTarget();
    /// Makes the file anew and shows it, soon.
    void renewSoon() { renewal_.start(); }
    void renew();
    void showPreview();
    void showReason();
    void chooseTarget();
    void write();

    ExportSource source_;
    QString folder_;
    QString stem_;
    QString usual_;  ///< the target that was proposed last
    QString ending_; ///< of it
    QByteArray bytes_;
    QTimer renewal_;

    QComboBox* what_;
    QComboBox* format_;
    QComboBox* scope_;
    QSpinBox* width_;
    QSpinBox* height_;
    QComboBox* scale_;
    QComboBox* theme_;
    QLineEdit* target_;
    QPushButton* browse_;
    QStackedWidget* preview_;
    QLabel* picture_;
    QPlainTextEdit* text_;
    QLabel* facts_;
    QLabel* reason_;
    QPushButton* export_;
    QPushButton* cancel_;
};

} // namespace lab
