#pragma once

#include "app/branch_runner.h"

#include <QDialog>

#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace lab {

class BranchView;

/// Asks what would come of a run were something otherwise from a moment on, runs both, and shows the two curves, the
/// figures, and the answer in one sentence.
class WhatIfDialog final : public QDialog {
    Q_OBJECT
public:
    /// The run that is asked about.
    struct Run {
        Experiment journal;
        TimePoint at;     ///< the moment that is looked at
        Partition groups; ///< then
        NodeId offered;   ///< the node that is asked about first; invalid: the slowest
    };
    explicit WhatIfDialog(Run run, QWidget* parent = nullptr);
    ~WhatIfDialog() override;

    [[nodiscard]] BranchRunner& runner() { return runner_; }

Q_SIGNALS:
    /// The branch is to be opened as an experiment of its own.
    void experimentWanted(const lab::Experiment& experiment);

private:
    enum class Question : std::uint8_t { NotSlow, NeverFails, Strategy, Split };

    [[nodiscard]] QWidget* makeQuestion();
    void offerObjects();
    [[nodiscard]] WhatIf asked() const;
    void ask();
    void say(const QString& answer);
    void showState();

    Run run_;
    BranchRunner runner_;
    std::vector<Question> questions_; ///< in the order of the box
    QDoubleSpinBox* moment_;
    QComboBox* question_;
    QComboBox* object_; ///< which node, strategy or group
    QPushButton* start_;
    QPushButton* open_;
    QProgressBar* progress_;
    QLabel* answer_;
    BranchView* view_;
};

} // namespace lab
