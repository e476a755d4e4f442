#pragma once

#include "core/strategy/strategy.h"

#include <QWidget>

#include <span>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lab {

class ChoiceRow;
class ParamEditor;
class SliderRow;

/// What the form shows and edits. All of it decides a run from its start.
struct StrategyValues {
    StrategyChoice choice;
    Grouping grouping;
    double learning_rate = 0.1;
    int batch = 32;

    friend bool operator==(const StrategyValues&, const StrategyValues&) = default;
};

/// Chooses a strategy and its parameters. The controls are made from the strategy's own table; the form edits nothing
/// itself: it emits what a person wants and shows what it is told.
class StrategyForm final : public QWidget {
    Q_OBJECT
public:
    /// `catalog` outlives the form.
    explicit StrategyForm(std::span<const StrategyInfo> catalog, QWidget* parent = nullptr);

    /// Shows `wanted`; what differs from the run in progress is marked as waiting for the next one.
    void showValues(const StrategyValues& wanted, const StrategyValues& running);
    /// A line below the form, such as theory beside measurement, with what it rests on as its tool tip; empty hides it.
    void setFinding(const QString& text, const QString& basis);

Q_SIGNALS:
    void edited(const lab::StrategyValues& values, const QString& what);
    void resetRequested();

private:
    [[nodiscard]] const StrategyInfo* infoOf(const std::string& kind) const;
    void rebuildParams(const StrategyInfo* info);
    void markPending(const StrategyValues& running);
    void chooseStrategy(int index);
    void chooseGrouping(int index);

    std::span<const StrategyInfo> catalog_;
    StrategyValues values_;
    std::string shown_kind_;
    QComboBox* kind_;
    QLabel* explanation_;
    QWidget* params_;
    QVBoxLayout* params_layout_;
    std::vector<ParamEditor*> editors_;
    SliderRow* rate_;
    SliderRow* batch_;
    ChoiceRow* groups_;
    QLabel* finding_;
    QPushButton* reset_;
};

} // namespace lab
