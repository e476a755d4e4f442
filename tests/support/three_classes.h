#pragma once

#include "core/grouping/by_objective.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace lab::test {

using Laws = std::vector<TaskLaw>;

/// Twelve nodes in three classes: 1, 2 and 4 times a law (strategies, E2).
inline Laws threeClasses(const TaskLaw& law)
{
    Laws laws;
    for (const double slowdown : {1.0, 2.0, 4.0}) {
        laws.insert(laws.end(), 4, law.scaled(slowdown));
    }
    return laws;
}

inline Partition blocksOf(std::size_t size, std::size_t count)
{
    Partition groups(count);
    for (std::size_t node = 0; node < size * count; ++node) {
        groups[node / size].emplace_back(node);
    }
    return groups;
}

inline PlanRequest uncoded(const Laws& laws, double kappa)
{
    PlanRequest request;
    request.laws = laws;
    request.staleness_penalty = kappa;
    return request;
}

inline PlanRequest coded(const Laws& laws, double kappa)
{
    PlanRequest request = uncoded(laws, kappa);
    request.most_tolerance = k_most_tolerance;
    return request;
}

inline bool isNear(double value, double expected, double tolerance = 1e-6)
{
    return std::abs(value - expected) <= tolerance * std::abs(expected);
}

} // namespace lab::test
