#pragma once

#include "core/coding/decoder.h"
#include "core/grouping/speed_estimate.h"
#include "core/strategy/group_rules.h"
#include "core/strategy/server_core.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// Synchronous inside a group, asynchronous between groups.
///
/// A group's members read one version, compute their shares and push; as soon as the messages that are in decode, the
/// group's mean gradient is one update and the group starts its next round, whatever the other groups do. Uncoded,
/// one group of all is BSP, one group per node is ASP, anything between is the hybrid; with a gradient code inside the
/// groups a round no longer needs its slowest members. All are configurations of this engine, not copies of it.
///
/// Membership changes take effect at round boundaries: a node that is to join a group waits until that group's round
/// in hand is over; a group never waits for a node that is still busy elsewhere. A round's code is for those who take
/// part in it. A node whose failure was noticed leaves its barrier; one that comes back joins at the next boundary.
///
/// Nearest published: GSSP, "Grouping-Based Synchronous Parallel", IEEE Transactions on Cloud Computing, with the
/// bound 0 inside groups; the codes are cited in core/coding. With fixed membership the sum over updates of staleness
/// + ages in flight = (groups - 1) * updates (strategies 1.16).
class GroupedServer final : public Actor {
public:
    GroupedServer(StrategySetup setup, GroupRules rules);

    void start(Outbox& out) override;
    void receive(Message push, Outbox& out) override;
    void peerDown(NodeId node, Outbox& out) override;
    void peerUp(NodeId node, Outbox& out) override;
    void moved(NodeId node, GroupId group, Outbox& out) override;
    [[nodiscard]] std::string waitingFor() const override;

private:
    struct Node {
        GroupId group;              ///< that it belongs to from its next round on
        GroupId busy_in;            ///< whose round it takes part in; invalid while it is free
        std::int64_t finishing = 0; ///< the round, over by now, whose task it runs to its end; 0: none
        bool is_known_alive = true;
        [[nodiscard]] bool isFree() const { return is_known_alive && !busy_in.isValid() && finishing == 0; }
    };
    /// What a round keeps of a message that is in.
    struct Push {
        Params body;
        Version version = 0;
        TaskId task = 0;
    };
    /// One member's part in the round in hand; its place in the list is its worker number in the code.
    struct Seat {
        NodeId node;
        Piece rows; ///< its own rows of the round, which others may compute too
        Order order;
        std::optional<Push> push;
        bool is_lost = false; ///< nothing will come
    };
    struct Group {
        std::vector<NodeId> members; ///< ascending
        int tolerance = 0;
        std::vector<Seat> seats;           ///< of the round in hand, by node; empty between rounds
        std::size_t awaited = 0;           ///< seats whose message is still to come
        std::size_t lost = 0;              ///< seats from which nothing will come
        std::shared_ptr<Decoder> decoder;  ///< of the round in hand; groups with equal codes share it
        std::vector<NodeId> coded_for;     ///< whom its code is for; empty: uncoded
        std::int64_t rounds_with_code = 0; ///< since it was made
        std::vector<std::vector<Piece>> partitions; ///< of the round in hand, where it is coded
        std::int64_t round = 0;                     ///< number of the round in hand, unique in the run
        TimePoint began;                            ///< the round in hand
        /// Which messages are in, by worker; `or_to_come` counts those that still may be.
        [[nodiscard]] std::vector<bool> areIn(bool or_to_come) const;
        [[nodiscard]] bool hasRound() const { return !seats.empty(); }
        /// Every message is needed, and no work is done twice.
        [[nodiscard]] bool isUncoded() const { return decoder->code().tolerance() == 0; }
        [[nodiscard]] Seat& seatOf(NodeId node);
    };

    void beginRound(GroupId group, Outbox& out);
    void beginRoundOfEachIdleGroup(Outbox& out);
    void giveUpOrMeasure(const Group& group, const Seat& seat, Outbox& out);
    void giveOutWork(Group& group);
    void cutIntoShares(Group& group) const;
    void sendOrder(const Group& group, const Seat& seat, Outbox& out);
    void endRoundIfPossible(GroupId group, Outbox& out);
    void endRound(GroupId group, const Decoding& decoding, Outbox& out);
    void endHopelessRound(GroupId group, Outbox& out);
    void freeSeats(GroupId group);
    void fitCode(Group& group, const std::vector<double>& speeds);
    void apply(GroupId group, const Decoding& decoding, Outbox& out);
    void planAfterWarmUp(Outbox& out);
    void replan(Outbox& out);
    void regroup(GroupPlan plan, Outbox& out);
    void announce(Outbox& out) const;
    [[nodiscard]] GroupPlan currentPlan() const;
    [[nodiscard]] std::vector<double> speedsOf(const std::vector<Seat>& seats) const;

    ServerCore core_;
    GroupRules rules_;
    CodeCache codes_;
    std::vector<Node> nodes_;
    std::vector<Group> groups_;
    std::int64_t rounds_begun_ = 0;
    bool is_warming_up_;
    std::size_t measured_ = 0;  ///< during the warm-up, nodes before this one are measured or dead
    bool needs_speeds_;         ///< somebody asks how fast the nodes are
    SpeedEstimate speeds_;      ///< where somebody does
    std::vector<NodeId> freed_; ///< by freeSeats()
};

/// Whole parts of `total` in proportion to `weights` (> 0), each at least `least`, by the largest remainder.
/// Requires total >= least * weights.size().
[[nodiscard]] std::vector<std::int64_t>
proportionalParts(std::int64_t total, const std::vector<double>& weights, std::int64_t least);

/// Cuts rows that stand one after another into `parts` nearly equal parts; a part may span several pieces.
[[nodiscard]] std::vector<std::vector<Piece>> cutRows(const std::vector<Piece>& rows, std::size_t parts);

} // namespace lab
