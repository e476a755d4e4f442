#include "core/learn/model_catalog.h"

#include <algorithm>
#include <array>

namespace lab {

ModelInfo linearRegression();
ModelInfo softmaxRegression();
ModelInfo multilayerPerceptron();

std::span<const ModelInfo> modelCatalog()
{
    static const std::array k_models{
        linearRegression(),
        softmaxRegression(),
        multilayerPerceptron(),
        ModelInfo{"none",
                  "None: times alone",
                  "No model, no data, no losses: the schedule alone, for planning with many nodes.",
                  false,
                  {}},
    };
    return k_models;
}

const ModelInfo* findModel(std::string_view id)
{
    const auto models = modelCatalog();
    const auto found =
        std::find_if(models.begin(), models.end(), [&](const ModelInfo& m) { return m.id == id; });
    return found == models.end() ? nullptr : &*found;
}

} // namespace lab
