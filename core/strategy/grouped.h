#pragma once

#include "core/grouping/speed_estimate.h"
#include "core/strategy/global_model.h"
#include "core/strategy/strategy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// What makes the group engine one strategy or another.
struct GroupRules {
    Partition groups;            ///< to start with
    bool measures_first = false; ///< warm up, then group by speed
    std::optional<std::size_t>
        count; ///< of groups, when they are made by speed; nothing: the gap rule decides
};

/// Synchronous inside a group, asynchronous between groups.
///
/// A group's members read one version, compute one batch each and push; when all of them are in, their mean is one
/// update and the group starts its next round at once, whatever the other groups do. One group of all is BSP, one
/// group per node is ASP, anything between is the hybrid: configurations of this engine, not copies of it.
///
/// Membership changes take effect at round boundaries: a node that is to join a group waits until that group's round
/// in hand is over; a group never waits for a node that is still busy elsewhere. A node whose failure was noticed
/// leaves its barrier; one that comes back joins at the next boundary.
///
/// Grouping by speed warms up with one group per node, so the run moves on while pure compute times are measured,
/// and regroups when every live node has finished k_warm_up_tasks.
///
/// Nearest published: GSSP, "Grouping-Based Synchronous Parallel", IEEE Transactions on Cloud Computing, with the
/// bound 0 inside groups. Sum over updates of staleness + ages in flight = (groups - 1) * updates (strategies 1.16).
class GroupedServer final : public Actor {
public:
    GroupedServer(const StrategySetup& setup, GroupRules rules);

    void start(Outbox& out) override;
    void receive(Message push, Outbox& out) override;
    void peerDown(NodeId node, Outbox& out) override;
    void peerUp(NodeId node, Outbox& out) override;
    void moved(NodeId node, GroupId group, Outbox& out) override;
    [[nodiscard]] std::string waitingFor() const override;

private:
    struct Node {
        GroupId group;           ///< that it belongs to from its next round on
        GroupId busy_in;         ///< whose round it takes part in; invalid while it is free
        std::int64_t cursor = 0; ///< next place in its data stream
        bool is_known_alive = true;
    };
    struct Group {
        std::vector<NodeId> members;  ///< ascending
        std::vector<NodeId> awaited;  ///< of the round in hand, ascending; empty between rounds
        std::vector<Message> arrived; ///< of the round in hand
        std::int64_t round = 0;       ///< number of the round in hand, unique in the run
        [[nodiscard]] bool hasRound() const { return !awaited.empty() || !arrived.empty(); }
    };

    void beginRound(GroupId group, Outbox& out);
    void endRoundIfComplete(GroupId group, Outbox& out);
    void apply(GroupId group, Outbox& out);
    void regroup(Partition groups, Outbox& out);
    void regroupIfMeasured(Outbox& out);
    void announce(Outbox& out) const;

    StrategySetup setup_;
    GroupRules rules_;
    GlobalModel model_;
    SpeedEstimate speeds_;
    std::vector<Node> nodes_;
    std::vector<Group> groups_;
    std::int64_t rounds_begun_ = 0;
    bool is_measuring_;
};

} // namespace lab
