#pragma once

#include "core/learn/model.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lab {

/// One line of the catalogue.
struct ModelInfo {
    std::string id;          ///< the name in the experiment file
    std::string title;       ///< the name on screen
    std::string explanation; ///< one sentence
    bool uses_hidden = false;
    /// Empty: there is nothing to compute, a run is for its times alone.
    std::function<std::unique_ptr<const Model>(const ModelSpec&, const Dataset&, InstructionSet)> maker;

    [[nodiscard]] bool isComputed() const { return static_cast<bool>(maker); }
    /// The model for data of this shape. Throws Error where it cannot be. Requires isComputed().
    [[nodiscard]] std::unique_ptr<const Model>
    make(const ModelSpec& spec, const Dataset& data,
         InstructionSet instruction_set = bestInstructionSet()) const
    {
        return maker(spec, data, instruction_set);
    }
};

/// Every model, in the order in which lists show them.
[[nodiscard]] std::span<const ModelInfo> modelCatalog();

/// The model with this id, or null.
[[nodiscard]] const ModelInfo* findModel(std::string_view id);

} // namespace lab
