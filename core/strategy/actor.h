#pragma once

#include "core/base/few.h"
#include "core/base/ids.h"
#include "core/base/time.h"
#include "core/cluster/change.h"
#include "core/learn/vector.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lab {

/// Some rows of a node's data stream, times a coefficient.
struct Piece {
    NodeId stream;          ///< whose stream of rows
    std::int64_t first = 0; ///< place of the first row in that stream
    std::int64_t count = 0; ///< rows
    double coefficient = 1; ///< what the sum of the rows' gradients is multiplied by
};

/// What one task computes: the sum over its pieces of coefficient x (sum of gradients).
struct Order {
    Few<Piece> pieces;
    double work = 1;       ///< samples computed / ordinary batch: how long it takes (contract, section 2)
    bool goes_on = false;  ///< after the push, take the next rows at the same parameters without being asked
    int local_steps = 1;   ///< steps on the node's own copy before it pushes the sum of their gradients
    double local_rate = 0; ///< those steps: w <- w - local_rate * (sum of gradients)
};

/// What actors say to each other. Flat, so that it could travel between processes.
struct Message {
    ActorId from;
    Version version = 0;    ///< of the parameters: sent along (down), or that the gradient was taken at (up)
    Params body;            ///< parameters (down) or gradient (up), [model size]
    Order order;            ///< down: what to compute; up: what was computed
    std::int64_t round = 0; ///< down: the sender's own number; an answer carries the number of its question
    TaskId task = 0;        ///< up: the task that computed it
    Duration took{0};       ///< up: the node's pure compute time for it
};

/// A finished computation.
struct Gradient {
    Params value; ///< [model size]
    TaskId task = 0;
    Duration took{0}; ///< pure compute time, waiting excluded
};

/// One node's part in an update.
struct Contribution {
    NodeId node;
    TaskId task = 0;
    Version read_version = 0;
};

/// "I changed the model": what the recorder, the loss curve and the staleness histogram are made of.
struct Applied {
    Version version = 0; ///< after the update
    Params params;       ///< after the update
    GroupId group;
    Few<Contribution> parts;  ///< in node order
    std::int64_t samples = 0; ///< distinct samples in the update
    double weight = 1;        ///< the step as a share of learning_rate
    double decode_error = 0;  ///< 0: exact; else the bound's factor |a B - 1| of an approximate decode
};

/// The only thing an actor can do to the world. Filled by one handler, carried out by the engine in call order.
class Outbox {
public:
    explicit Outbox(TimePoint now) : now_(now) {}
    /// Empty again, with the room that it has, for what happens at `now`.
    void restart(TimePoint now)
    {
        now_ = now;
        actions_.clear();
    }

    struct Send {
        ActorId to;
        Message message;
    };
    struct Compute {
        Params at;
        Order order;
        std::optional<TaskId> part_of; ///< goes on with that task: one push, several computations
    };
    struct Cancel {};
    struct Wake {
        Duration after;
        std::int64_t tag = 0;
    };
    struct Discard {
        NodeId node;
        TaskId task = 0;
    };
    struct Abandon {
        NodeId node;
    };
    struct Grouped {
        Partition groups;
        std::vector<int> tolerance;
        bool is_measuring = false; ///< nobody belongs together yet: speeds are being measured
    };
    struct Note {
        NodeId node;
        std::string text;
    };
    using Action = std::variant<Send, Compute, Cancel, Wake, Discard, Abandon, Grouped, Note, Applied>;

    /// When the event that is being handled happens.
    [[nodiscard]] TimePoint now() const { return now_; }

    void send(ActorId to, Message message) { actions_.emplace_back(Send{to, std::move(message)}); }
    /// On this actor's node; answered by computed(). Requires that the node computes nothing else.
    void compute(Params at, Order order, std::optional<TaskId> part_of)
    {
        actions_.emplace_back(Compute{std::move(at), std::move(order), part_of});
    }
    /// Stops what this actor's node computes; its time counts as wasted.
    void cancel() { actions_.emplace_back(Cancel{}); }
    /// Calls woke(tag) after a while.
    void wakeAfter(Duration after, std::int64_t tag) { actions_.emplace_back(Wake{after, tag}); }
    void applied(Applied update) { actions_.emplace_back(std::move(update)); }
    /// The gradient of this task will not be used.
    void discard(NodeId node, TaskId task) { actions_.emplace_back(Discard{node, task}); }
    /// Whatever the node is computing now is not needed any more, though nobody has told it yet.
    void abandon(NodeId node) { actions_.emplace_back(Abandon{node}); }
    /// Who belongs together from now on, and how many stragglers each group tolerates. While speeds are being measured
    /// the groups are only for that.
    void grouped(Partition groups, std::vector<int> tolerance, bool is_measuring = false)
    {
        actions_.emplace_back(Grouped{std::move(groups), std::move(tolerance), is_measuring});
    }
    /// A sentence for the event log; `node` may be invalid.
    void note(NodeId node, std::string text) { actions_.emplace_back(Note{node, std::move(text)}); }

    [[nodiscard]] std::vector<Action>& actions() { return actions_; }

private:
    TimePoint now_;
    std::vector<Action> actions_;
};

/// One seat's behaviour: message in, actions out. Its state is its own; it has no clock, threads or random source.
/// An actor on a node dies with the node and is made anew when the node comes back.
class Actor {
public:
    Actor() = default;
    Actor(const Actor&) = delete;
    Actor& operator=(const Actor&) = delete;
    virtual ~Actor() = default;

    virtual void start(Outbox&) {}
    virtual void receive(Message message, Outbox& out) = 0;
    virtual void computed(Gradient, Outbox&) {}
    virtual void woke(std::int64_t /*tag*/, Outbox&) {}
    /// A node's failure was noticed: the detection delay after it happened, or when the node says that it restarted.
    virtual void peerDown(NodeId, Outbox&) {}
    /// A node is back, with nothing in hand. Always after peerDown for the same node.
    virtual void peerUp(NodeId, Outbox&) {}
    /// A user or the file wants the node in that group.
    virtual void moved(NodeId, GroupId, Outbox&) {}
    /// Who waits for whom, one sentence; empty where nobody waits.
    [[nodiscard]] virtual std::string waitingFor() const { return {}; }
};

/// Where a seat is in the list of seats: node i's worker is actor i, the server comes after the last node.
[[nodiscard]] inline ActorId workerOf(NodeId node) { return ActorId{node.value()}; }
[[nodiscard]] inline NodeId nodeOf(ActorId worker) { return NodeId{worker.value()}; }

} // namespace lab
