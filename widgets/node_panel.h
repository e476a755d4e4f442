#pragma once

#include "core/cluster/node_spec.h"

#include <QWidget>

#include <array>
#include <vector>

class QDoubleSpinBox;
class QLabel;
class QPushButton;

namespace lab {

class ChoiceRow;
class SliderRow;

/// What the panel shows of the selected nodes.
struct NodeValues {
    double slowdown = 1; ///< of the first, where they differ
    bool slowdown_mixed = false;
    Jitter jitter; ///< in force: the node's own or the cluster's
    bool jitter_mixed = false;
    bool jitter_pending = false; ///< differs from the run in progress
    bool all_down = false;
    double fails_at = 0;   ///< seconds after the start; 0: no failure is planned
    double back_after = 0; ///< seconds; 0: it stays dead
    bool failure_mixed = false;
    bool failure_pending = false;
    QString trace; ///< the file that the cluster's compute times come from; empty: none
    bool trace_pending = false;
    QString facts; ///< one line: gradients, idle share, staleness
};

/// Controls for the selected nodes. Edits nothing itself: it says what a person wants for all of them.
class NodePanel final : public QWidget {
    Q_OBJECT
public:
    explicit NodePanel(QWidget* parent = nullptr);

    /// Nothing is selected: says so and disables the controls.
    void showNothing();
    void showValues(const NodeValues& values);
    /// Where Tab leaves the panel.
    [[nodiscard]] QWidget* lastControl() const;
    /// The first control gets the focus.
    void focusFirst();

Q_SIGNALS:
    void slowdownEdited(double slowdown);
    void jitterEdited(const lab::Jitter& jitter);
    /// A failure at that time, or none where it is 0; for good where `back_after` is 0. Seconds.
    void failurePlanned(double fails_at, double back_after);
    void failRequested();
    void failForAWhileRequested();
    void traceRequested();
    void recoverRequested();
    void slowForAWhileRequested();

private:
    [[nodiscard]] QDoubleSpinBox* makeMoment(const char* name, const QString& title, const QString& tip);
    void layOut();
    void showFailure(const NodeValues& values);
    void showJitter(const NodeValues& values);
    void chooseJitter(int index);
    void editJitter(std::size_t field, double value);

    Jitter jitter_;
    QLabel* hint_;
    QWidget* controls_;
    SliderRow* slowdown_;
    ChoiceRow* jitter_kind_;
    std::vector<SliderRow*>
        jitter_fields_; ///< one per entry of the table of fields; only those of the kind show
    QDoubleSpinBox* fails_at_;
    QDoubleSpinBox* back_after_;
    QLabel* failure_pending_;
    QLabel* facts_;
    QPushButton* fail_;
    QPushButton* fail_for_;
    QPushButton* slow_;
    QPushButton* trace_;
};

} // namespace lab
