#include "core/engine/task_meter.h"

#include "core/engine/node_clockwork.h"

#include <algorithm>

namespace lab {
namespace {

/// A microsecond: more than the rounding of a trace's seconds, less than anything that is measured.
constexpr double k_clearly_longer = 1e-6;

constexpr double k_nanosecond = 1e-9;

} // namespace

TaskMeter::TaskMeter(std::size_t nodes, int cores) : tasks_(nodes), seconds_(nodes), cores_(cores) {}

void TaskMeter::started(NodeId node, TimePoint at, Duration nominal, double work, double slowdown)
{
    Task& task = tasks_[node.index()];
    task.started = at;
    task.work = work;
    task.slowdown = slowdown;
    task.changes.clear();
    task.is_computing = true;
    seconds_[node.index()].push_back(toSeconds(nominal) / (work * slowdown));
    at_once_ += 1;
    most_at_once_ = std::max(most_at_once_, at_once_);
}

void TaskMeter::slowdownChanged(NodeId node, TimePoint at, double before, double after)
{
    tasks_[node.index()].changes.push_back({.at = at, .before = before, .after = after});
}

double TaskMeter::batchSeconds(const Task& task, TimePoint until)
{
    double seconds = 0;
    TimePoint since = task.started;
    double slowdown = task.slowdown;
    for (const Change& change : task.changes) {
        seconds += toSeconds(change.at - since) / slowdown;
        since = change.at;
        slowdown = change.after;
    }
    return (seconds + toSeconds(until - since) / slowdown) / task.work;
}

TimePoint TaskMeter::replayed(const Task& task, double batch_seconds)
{
    TimePoint due = task.started + taskDuration(batch_seconds * task.work, task.slowdown);
    for (const Change& change : task.changes) {
        due = change.at + rescaled(due - change.at, change.before, change.after);
    }
    return due;
}

TimePoint TaskMeter::done(NodeId node, TimePoint seen)
{
    const Task& task = tasks_[node.index()];
    double seconds = batchSeconds(task, seen);
    TimePoint done = replayed(task, seconds);
    while (done < seen) { // every change of speed in mid-task rounds once more
        seconds += k_nanosecond / (task.work * task.slowdown);
        done = replayed(task, seconds);
    }
    seconds_[node.index()].back() = seconds;
    return done;
}

void TaskMeter::ended(NodeId node, TimePoint at, TimePoint due)
{
    measured_ += at - tasks_[node.index()].started;
    beyond_ += at - due;
}

void TaskMeter::cut(NodeId node, TimePoint at)
{
    seconds_[node.index()].back() = secondsIfCut(node, at);
    endComputing(tasks_[node.index()]);
}

double TaskMeter::secondsIfCut(NodeId node, TimePoint at) const
{
    return std::max(seconds_[node.index()].back(), batchSeconds(tasks_[node.index()], at) + k_clearly_longer);
}

void TaskMeter::endComputing(Task& task)
{
    at_once_ -= task.is_computing ? 1 : 0;
    task.is_computing = false;
}

void TaskMeter::computed(NodeId node, Duration took)
{
    endComputing(tasks_[node.index()]);
    computing_ += took;
    gradients_ += 1;
}

LiveFigures TaskMeter::figures() const
{
    LiveFigures figures;
    if (measured_ > Duration::zero()) {
        figures.machine_share = static_cast<double>(beyond_.count()) / static_cast<double>(measured_.count());
    }
    if (gradients_ > 0) {
        figures.gradient = computing_ / gradients_;
    }
    figures.most_computing = most_at_once_;
    figures.cores = cores_;
    return figures;
}

} // namespace lab
