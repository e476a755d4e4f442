#include "core/strategy/worker.h"

#include <memory>
#include <utility>

namespace lab {
namespace {

/// The same amount of rows again, from where the order's rows end.
void takeNextRows(Order& order)
{
    for (Piece& piece : order.pieces) {
        piece.first += piece.count;
    }
}

} // namespace

void Worker::receive(Message parameters, Outbox& out)
{
    if (is_computing_ && !preemptive_) {
        next_ = std::make_unique<Message>(std::move(parameters));
        return;
    }
    if (is_computing_) {
        out.cancel();
    }
    begin(std::move(parameters), out);
}

void Worker::begin(Message parameters, Outbox& out)
{
    job_ = std::move(parameters);
    next_.reset();
    steps_done_ = 0;
    sum_.reset();
    took_ = Duration{0};
    is_computing_ = true;
    out.compute(job_.body, job_.order, std::nullopt);
}

void Worker::computed(Gradient gradient, Outbox& out)
{
    is_computing_ = false;
    if (next_) {
        out.discard(self_, gradient.task);
        begin(std::move(*std::exchange(next_, nullptr)), out);
        return;
    }
    took_ += gradient.took;
    steps_done_ += 1;
    if (steps_done_ < job_.order.local_steps) {
        stepLocally(gradient, out);
        return;
    }
    if (sum_) {
        gradient.value = std::make_shared<const Vector>(*sum_ + *gradient.value);
    }
    Message push;
    push.from = workerOf(self_);
    push.version = job_.version;
    push.body = std::move(gradient.value);
    push.round = job_.round;
    push.task = gradient.task;
    push.took = took_;
    if (job_.order.goes_on) {
        push.order = job_.order;
        out.send(server_, std::move(push));
        takeNextRows(job_.order);
        begin(std::move(job_), out);
    } else {
        push.order = std::move(job_.order);
        out.send(server_, std::move(push));
    }
}

void Worker::stepLocally(const Gradient& gradient, Outbox& out)
{
    sum_ = sum_ ? std::make_shared<const Vector>(*sum_ + *gradient.value) : gradient.value;
    const auto rate = static_cast<float>(job_.order.local_rate);
    job_.body = std::make_shared<const Vector>(*job_.body - rate * *gradient.value);
    takeNextRows(job_.order);
    is_computing_ = true;
    out.compute(job_.body, job_.order, gradient.task);
}

} // namespace lab
