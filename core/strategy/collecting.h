#pragma once

#include "core/strategy/group_rules.h"
#include "core/strategy/server_core.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// What makes the collecting engine one strategy or another.
struct CollectingRules {
    /// What a node does after its push.
    enum class After {
        Reads, ///< reads the newest parameters at once
        Waits, ///< waits for the update that its gradient goes into
        GoesOn ///< takes another batch at the same parameters without asking
    };

    std::int64_t gather = 1; ///< gradients in one update (K)
    After after = After::Reads;
    bool needs_fresh = false;  ///< synchronous: a gradient of an older version is thrown away
    bool cancels_late = false; ///< after an update everybody starts over, whatever is in hand
    std::optional<std::int64_t>
        bound{};             ///< SSP: a task may start while the node's clock is at most this far ahead
    std::int64_t credit = 0; ///< DSSP: so many steps more where waiting would be no use
    Partition clocks{};      ///< to start with: who compares clocks with whom; empty: all with all
    std::shared_ptr<GroupPlanner> planner{}; ///< makes these circles after the warm-up; null: they stay
    std::size_t warm_up_tasks = 0;           ///< of each node, before the planner is asked
    std::optional<std::int64_t> threshold{}; ///< gradients this stale or staler are thrown away
    bool damps_by_staleness = false;
    double compensation = 0; ///< lambda of DC-ASGD
};

/// One server that gathers single gradients: asynchronous rules with a bound, and the K family.
///
/// A node's clock counts the tasks that it has finished. With a bound s every task starts with
/// clock - (slowest live clock of its circle) <= s, so that no two clocks are ever more than s + 1 apart; the bound
/// is checked here, at the one place where tasks start. A circle that is made during the run starts level.
///
/// Ho et al., "More Effective Distributed ML via a Stale Synchronous Parallel Parameter Server", NIPS 2013 (ssp);
/// Zhao et al., "Dynamic Stale Synchronous Parallel", ICDCS 2019 (credit); Gupta et al. 2016 and Dutta et al., "Slow
/// and Stale Gradients Can Win the Race", AISTATS 2018 (K family); Chen et al. 2016, arXiv 1604.00981 (backup
/// workers); Maranjyan, Tyurin, Richtarik, "Ringmaster ASGD", ICML 2025 (threshold); Zhang et al., "Staleness-aware
/// Async-SGD", IJCAI 2016 (damping); Zheng et al., ICML 2017 (compensation).
class CollectingServer final : public Actor {
public:
    CollectingServer(StrategySetup setup, CollectingRules rules);

    void start(Outbox& out) override;
    void receive(Message push, Outbox& out) override;
    void peerDown(NodeId node, Outbox& out) override;
    void peerUp(NodeId node, Outbox& out) override;
    void moved(NodeId node, GroupId group, Outbox& out) override;
    [[nodiscard]] std::string waitingFor() const override;

private:
    enum class Doing {
        Resting, ///< has given nothing since it came, and waits for the next round
        Working, ///< has an order in hand
        Waiting, ///< for the update that its gradient goes into
        Blocked, ///< by the bound
        Down
    };
    static constexpr std::size_t k_doings = 5;
    struct Node {
        Doing doing = Doing::Resting;
        std::int64_t round = 0; ///< number of the order in hand; pushes with another number are late
        std::int64_t clock = 0;
        std::int64_t credit = 0;
        std::size_t circle = 0; ///< whose clocks it is compared with
        Piece rows;             ///< of the order in hand
        Params read;            ///< parameters of the order in hand, for the compensation
        TimePoint pushed;       ///< latest push
        Duration interval{0};   ///< between the two latest pushes
    };

    /// Nodes whose clocks are compared.
    struct Circle {
        std::vector<NodeId> members;
        /// Clock of its live members; the largest number there is where nobody lives.
        std::int64_t slowest = 0;
        std::size_t at_slowest = 0; ///< live members with that clock
    };

    void set(Node& node, Doing doing);
    [[nodiscard]] std::size_t count(Doing doing) const { return doing_[static_cast<std::size_t>(doing)]; }
    void setCircles(const Partition& circles);
    /// Whether that made new circles.
    bool planAfterWarmUp(Outbox& out);
    void announce(Outbox& out) const;
    void findSlowest(std::size_t circle);
    void startTask(NodeId id, Outbox& out);
    void startIfAllowed(NodeId id, Outbox& out);
    void startEveryoneAllowed(Outbox& out);
    void startBlockedIfAllowed(Outbox& out);
    void startRestingIfNobodyWorks(Outbox& out);
    void updateIfGathered(Outbox& out);
    void update(Outbox& out);
    [[nodiscard]] UpdateTerms termsOf(std::vector<Message> pushes) const;
    [[nodiscard]] double dampingOf(std::int64_t staleness) const;
    [[nodiscard]] std::int64_t needed() const;
    [[nodiscard]] std::int64_t slowestClock(std::size_t circle) const { return circles_[circle].slowest; }
    [[nodiscard]] std::int64_t grantedCredit(NodeId id, TimePoint now) const;

    ServerCore core_;
    CollectingRules rules_;
    std::vector<Node> nodes_;
    std::array<std::size_t, k_doings> doing_{}; ///< how many nodes do what
    std::vector<Circle> circles_;
    SpeedEstimate speeds_;     ///< while the planner waits for them
    std::size_t measured_ = 0; ///< nodes before this one are measured or dead
    std::vector<Message> gathered_;
    std::int64_t rounds_begun_ = 0;
};

/// The rules for a setup; reads parameters through the catalogue line that is passed in.
using CollectingRulesOf = std::function<CollectingRules(const StrategyInfo&, const StrategySetup&)>;

/// The catalogue line with a factory that makes the collecting engine with these rules.
[[nodiscard]] StrategyInfo collecting(StrategyInfo info, CollectingRulesOf rules);

} // namespace lab
