#pragma once

#include "core/grouping/regroup.h"
#include "core/strategy/group_rules.h"

#include <string>
#include <vector>

namespace lab {

/// How groups are made from speeds.
struct PlannerRules {
    enum class Method {
        Gap,        ///< split where neighbours in speed are too far apart
        Clusters,   ///< the best `count` clusters of log time
        Throughput, ///< `count` groups of equal total speed
        Objective,  ///< least expected time per unit of progress, staleness counted
        OneGroup    ///< all in one: speeds matter for the code only
    };
    Method method = Method::Gap;
    std::optional<std::size_t> count{};
    Partition fixed{};             ///< given groups of which only the tolerance is planned; empty: none given
    std::vector<int> tolerance{0}; ///< of group 0, 1 … the last one for all further groups
    bool plans_tolerance = false;  ///< the tolerance is the planner's choice
    bool is_fractional = false;    ///< decodes with one message per block
    bool regroups = false;         ///< goes on watching, and regroups when it pays
    double staleness_penalty = 0.03;  ///< kappa of the objective
    std::vector<std::string> names{}; ///< of the nodes, for sentences
};

/// Groups by measured speed: once after the warm-up, and again when speeds drift so far that it pays.
class SpeedPlanner final : public GroupPlanner {
public:
    explicit SpeedPlanner(PlannerRules rules);

    [[nodiscard]] GroupPlan firstPlan(const SpeedEstimate& speeds) override;
    [[nodiscard]] std::optional<GroupPlan> replan(const GroupPlan& current, const SpeedEstimate& speeds,
                                                  const std::vector<bool>& is_alive,
                                                  std::int64_t rounds) override;

private:
    [[nodiscard]] Plan planBySpeed(const SpeedEstimate& speeds, const std::vector<double>& medians) const;
    [[nodiscard]] std::vector<int> tolerancesFor(const Partition& groups) const;

    PlannerRules rules_;
    RegroupPolicy policy_;
    std::vector<double> medians_then_; ///< when groups were last made
    std::vector<bool> was_alive_;
};

} // namespace lab
