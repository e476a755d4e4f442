#pragma once

#include "core/cluster/node_spec.h"

#include <QWidget>

#include <array>
#include <vector>

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
    bool any_down = false;
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

Q_SIGNALS:
    void slowdownEdited(double slowdown);
    void jitterEdited(const lab::Jitter& jitter);
    void failRequested();
    void recoverRequested();
    void slowForAWhileRequested();

private:
    void showJitter(const Jitter& jitter, bool pending);
    void chooseJitter(int index);
    void editJitter(std::size_t field, double value);

    Jitter jitter_;
    QLabel* hint_;
    QWidget* controls_;
    SliderRow* slowdown_;
    ChoiceRow* jitter_kind_;
    std::vector<SliderRow*>
        jitter_fields_; ///< one per entry of the table of fields; only those of the kind show
    QLabel* facts_;
    QPushButton* fail_;
    QPushButton* slow_;
};

} // namespace lab
