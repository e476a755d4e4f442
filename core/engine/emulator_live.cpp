// What a live run measures.

#include "core/engine/emulator.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace lab {
namespace {

/// Reports a gradient when its worker is through with it, also where it threw.
class Report {
public:
    Report(WallClock& wall, NodeId node, std::uint64_t launch) : wall_(wall), node_(node), launch_(launch) {}
    ~Report()
    {
        const auto took = std::chrono::duration_cast<Duration>(WallClock::Wall::now() - began_);
        wall_.finished({.node = node_, .launch = launch_, .took = took});
    }
    Report(const Report&) = delete;
    Report& operator=(const Report&) = delete;

private:
    WallClock& wall_;
    NodeId node_;
    std::uint64_t launch_;
    WallClock::Wall::time_point began_ = WallClock::Wall::now();
};

} // namespace

std::function<Params()> Emulator::timed(std::function<Params()> work, NodeId node, std::uint64_t launch)
{
    return [wall = setup_.wall, work = std::move(work), node, launch] {
        const Report report(*wall, node, launch);
        return work();
    };
}

void Emulator::gatherGradients()
{
    for (const WallClock::Finished& one : setup_.wall->takeFinished()) {
        auto& running = nodes_[one.node.index()].running;
        if (!running || running->launch != one.launch) {
            continue; // cancelled or lost
        }
        meter_->computed(one.node, one.took);
        running->is_computed = true;
        if (running->time_up) {
            awaited_ -= 1;
            measure(one.node);
        }
    }
}

bool Emulator::isToBeMeasured(const Event& event)
{
    const auto* compute = std::get_if<ComputeDue>(&event.what);
    if (!meter_ || compute == nullptr) {
        return false;
    }
    Running& running = *nodes_[compute->node.index()].running;
    if (running.is_measured) {
        return false;
    }
    running.time_up = running.due;
    if (running.is_computed) {
        measure(compute->node);
    } else {
        awaited_ += 1;
    }
    return true;
}

void Emulator::measure(NodeId id)
{
    Node& node = nodes_[id.index()];
    const TimePoint seen = std::max({now_, node.running->due, setup_.wall->now()});
    node.running->due = meter_->done(id, seen);
    node.running->is_measured = true;
    queue_.push(node.running->due, id, ComputeDue{id, node.running->ticket});
}

void Emulator::reMeasure(NodeId id, double before, double after)
{
    Running& running = *nodes_[id.index()].running;
    meter_->slowdownChanged(id, now_, before, after);
    if (!running.is_measured) {
        return;
    }
    // It was seen to be done at a moment that has not come for the run, so a replay has this change in mid-task.
    running.due = meter_->done(id, running.due);
    running.ticket = ++tickets_;
    queue_.push(running.due, id, ComputeDue{id, running.ticket});
}

void Emulator::dropLive(NodeId id, const Running& running)
{
    if (!meter_) {
        return;
    }
    meter_->cut(id, now_);
    if (running.time_up && !running.is_computed) {
        awaited_ -= 1;
    }
}

void Emulator::extendTrace(std::vector<std::vector<double>>& trace, TimePoint now) const
{
    trace.resize(nodes_.size());
    for (std::size_t i = 0; meter_ && i < nodes_.size(); ++i) {
        const std::vector<double>& known = meter_->seconds()[i];
        std::vector<double>& seconds = trace[i];
        const auto first_open = static_cast<std::ptrdiff_t>(seconds.empty() ? 0 : seconds.size() - 1);
        seconds.erase(seconds.begin() + first_open, seconds.end());
        seconds.insert(seconds.end(), known.begin() + first_open, known.end());
        if (nodes_[i].running) {
            seconds.back() = meter_->secondsIfCut(NodeId{i}, now);
        }
    }
}

} // namespace lab
