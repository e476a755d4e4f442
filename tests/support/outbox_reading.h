#pragma once

#include "core/strategy/actor.h"

#include <variant>
#include <vector>

namespace lab::test {

/// Everything of one kind that a handler asked for, in call order: `all<Outbox::Send>(out)`.
template <class Action> [[nodiscard]] std::vector<Action> all(Outbox& out)
{
    std::vector<Action> found;
    for (const Outbox::Action& action : out.actions()) {
        if (const auto* one = std::get_if<Action>(&action)) {
            found.push_back(*one);
        }
    }
    return found;
}

/// A vector of one number, all that a model needs where the algebra is what is tested.
[[nodiscard]] inline Params number(float value)
{
    return std::make_shared<const Vector>(Vector::Constant(1, value));
}

/// The only number of such a vector.
[[nodiscard]] inline float numberIn(const Params& params) { return (*params)[0]; }

} // namespace lab::test
