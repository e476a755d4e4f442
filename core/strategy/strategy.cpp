#include "core/strategy/strategy.h"

#include "core/base/error.h"

#include <algorithm>

namespace lab {

ParamValue paramValue(const StrategyInfo& info, const StrategyChoice& choice, const std::string& name)
{
    if (const auto chosen = choice.values.find(name); chosen != choice.values.end()) {
        return chosen->second;
    }
    const auto spec = std::ranges::find(info.params, name, &ParamSpec::name);
    LAB_EXPECTS(spec != info.params.end());
    return spec->initial;
}

std::int64_t wholeParam(const StrategyInfo& info, const StrategyChoice& choice, const std::string& name)
{
    return std::get<std::int64_t>(paramValue(info, choice, name));
}

double realParam(const StrategyInfo& info, const StrategyChoice& choice, const std::string& name)
{
    return std::get<double>(paramValue(info, choice, name));
}

std::string wordParam(const StrategyInfo& info, const StrategyChoice& choice, const std::string& name)
{
    return std::get<std::string>(paramValue(info, choice, name));
}

} // namespace lab
