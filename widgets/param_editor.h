#pragma once

#include "core/strategy/strategy.h"

#include <QWidget>

#include <functional>

namespace lab {

/// The control for one row of a strategy's parameter table: a slider, a combo box, a check box or a line to type in,
/// as its type asks for.
class ParamEditor final : public QWidget {
    Q_OBJECT
public:
    explicit ParamEditor(const ParamSpec& spec, QWidget* parent = nullptr);

    [[nodiscard]] const std::string& name() const { return name_; }
    void setValue(const ParamValue& value) { show_(value); }
    /// Marks a value that waits for the next run.
    void setPending(bool pending) { mark_(pending); }

Q_SIGNALS:
    void edited(const lab::ParamValue& value);

private:
    [[nodiscard]] QWidget* makeNumber(const ParamSpec& spec, bool may_be_auto);
    [[nodiscard]] QWidget* makeChoice(const ParamSpec& spec);
    [[nodiscard]] QWidget* makeToggle(const ParamSpec& spec);
    [[nodiscard]] QWidget* makeList(const ParamSpec& spec);

    std::string name_;
    std::function<void(const ParamValue&)> show_;
    std::function<void(bool)> mark_;
};

} // namespace lab
