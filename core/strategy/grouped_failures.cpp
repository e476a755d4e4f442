// What the group engine does when nodes die and come back.

#include "core/base/text.h"
#include "core/strategy/grouped.h"

#include <algorithm>
#include <utility>

namespace lab {

/// So many are known to be dead that what is still to come cannot decode.
void GroupedServer::endHopelessRound(GroupId id, Outbox& out)
{
    Group& group = groups_[id.index()];
    const bool is_coded = group.decoder->code().tolerance() > 0;
    const bool is_anything_to_come =
        std::ranges::any_of(group.seats, [](const Seat& seat) { return !seat.is_lost && !seat.push; });
    const std::vector<bool> is_in = group.areIn(false);
    const bool is_anything_in = std::ranges::count(is_in, true) > 0;

    if (is_coded && rules_.beyond == Beyond::Waits) {
        return;
    }
    if (!is_coded || rules_.beyond == Beyond::Approximates) {
        // A plain barrier is left by the dead: the update is the mean over those who are in.
        if (is_anything_to_come) {
            return;
        }
        if (is_anything_in) {
            Decoding decoding = group.decoder->code().approximate(is_in);
            decoding.error = is_coded ? decoding.error : 0;
            endRound(id, decoding, out);
            return;
        }
    } else if (is_anything_to_come || is_anything_in) {
        out.note(NodeId{},
                 "group " + letterOf(id)
                     + " lost more nodes than its code rides out: the round starts "
                       "over with a code for the survivors");
    }
    for (const Seat& seat : group.seats) {
        core_.giveBack(seat.rows);
        if (seat.push) {
            out.discard(seat.node, seat.push->task);
        } else if (!seat.is_lost) {
            out.abandon(seat.node);
        }
    }
    freeSeats(id);
    beginRound(id, out);
}

void GroupedServer::peerDown(NodeId id, Outbox& out)
{
    Node& node = nodes_[id.index()];
    node.is_known_alive = false;
    node.finishing = 0;
    planAfterWarmUp(out); // it may have been the one that was waited for
    if (!node.busy_in.isValid()) {
        return;
    }
    const GroupId in = node.busy_in;
    Group& group = groups_[in.index()];
    Seat& seat = group.seatOf(id);
    if (seat.push) {
        return; // its message is in already, and stays good
    }
    if (!seat.is_lost) {
        seat.is_lost = true;
        group.awaited -= 1;
        group.lost += 1;
    }
    if (rules_.beyond != Beyond::Waits) {
        node.busy_in =
            GroupId{}; // what still arrives of it is too late, and back again it may join any group
    }
    if (group.decoder->code().tolerance() == 0) {
        core_.giveBack(seat.rows);
    }
    endRoundIfPossible(in, out);
}

void GroupedServer::peerUp(NodeId id, Outbox& out)
{
    Node& node = nodes_[id.index()];
    node.is_known_alive = true;
    measured_ = 0;
    if (!node.busy_in.isValid()) {
        beginRoundOfEachIdleGroup(out);
        return;
    }
    // Back in the round that it left: with a code that waits for it, it is asked for its share again.
    Group& group = groups_[node.busy_in.index()];
    Seat& seat = group.seatOf(id);
    if (rules_.beyond == Beyond::Waits && seat.is_lost && !group.decoder->decode(group.areIn(true))) {
        seat.is_lost = false;
        group.awaited += 1;
        group.lost -= 1;
        sendOrder(group, seat, out);
    }
}

} // namespace lab
