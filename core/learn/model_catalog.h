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
    /// Makes the model for data of this shape.
    std::function<std::unique_ptr<const Model>(const ModelSpec&, const Dataset&)> make;
};

/// Every model, in the order in which lists show them.
[[nodiscard]] std::span<const ModelInfo> modelCatalog();

/// The model with this id, or null.
[[nodiscard]] const ModelInfo* findModel(std::string_view id);

} // namespace lab
