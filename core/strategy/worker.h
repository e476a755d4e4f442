#pragma once

#include "core/strategy/actor.h"

#include <memory>

namespace lab {

/// The plain compute-and-push worker that every strategy with a server shares.
///
/// Parameters come with an order; it computes, pushes, and waits for the next. A newer order replaces the one in hand:
/// at once, or, on a cluster that cannot pre-empt, when the useless task is finished.
class Worker final : public Actor {
public:
    Worker(NodeId self, ActorId server, bool preemptive)
        : self_(self),
          server_(server),
          preemptive_(preemptive)
    {
    }

    void receive(Message parameters, Outbox& out) override;
    void computed(Gradient gradient, Outbox& out) override;

private:
    void begin(Message parameters, Outbox& out);
    void stepLocally(const Gradient& gradient, Outbox& out);

    NodeId self_;
    ActorId server_;
    bool preemptive_;
    bool is_computing_ = false;
    Message job_;                   ///< the parameters and order in hand
    std::unique_ptr<Message> next_; ///< waits for a task that cannot be pre-empted
    int steps_done_ = 0;            ///< of job_.order.local_steps
    Params sum_;                    ///< of the gradients of those steps
    Duration took_{0};
};

} // namespace lab
