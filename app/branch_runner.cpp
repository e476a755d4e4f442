#include "app/branch_runner.h"

#include "app/progress_line.h"
#include "core/base/error.h"

#include <algorithm>
#include <utility>

namespace lab {

namespace {

constexpr int k_look_ms = 50;

bool isOver(RunState state) { return state == RunState::Finished || state == RunState::Failed; }

} // namespace

double BranchRunner::Side::idle() const
{
    const Duration alive = since.total() - since[Activity::Down];
    return alive > Duration{0} ? toSeconds(since[Activity::Waiting]) / toSeconds(alive) : 0;
}

BranchRunner::BranchRunner(QObject* parent) : QObject(parent)
{
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &BranchRunner::look);
}

BranchRunner::~BranchRunner() = default;

QString BranchRunner::start(const Experiment& journal, const WhatIf& what_if)
{
    stop();
    what_if_ = what_if;
    sides_ = {};
    sides_[0].experiment = journal;
    sides_[1].experiment = branchOf(journal, what_if);
    try {
        std::array<std::unique_ptr<Session>, 2> made;
        for (std::size_t i = 0; i < made.size(); ++i) {
            if (const std::vector<Problem> problems = validate(sides_[i].experiment); !problems.empty()) {
                return QString::fromStdString(problems.front().where + ' ' + problems.front().what);
            }
            made[i] = std::make_unique<Session>(sides_[i].experiment);
            made[i]->setPace(std::nullopt);
        }
        sessions_ = std::move(made);
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    for (const auto& session : sessions_) {
        session->run();
    }
    timer_.start(0);
    return {};
}

void BranchRunner::stop()
{
    timer_.stop();
    sessions_ = {};
}

double BranchRunner::share() const
{
    double least = 1;
    for (const Side& side : sides_) {
        least = std::min(
            least, isOver(side.last.state) ? 1 : shareDone(side.experiment.stop, side.last).value_or(0));
    }
    return least;
}

void BranchRunner::take(Side& side, Frame frame) const
{
    side.curve.insert(side.curve.end(), frame.evaluations.begin(), frame.evaluations.end());
    for (const Span& span : frame.spans) {
        side.since[span.activity] += std::max(span.end - std::max(span.start, what_if_.at), Duration{0});
    }
    frame.clearFresh();
    side.last = std::move(frame);
}

void BranchRunner::look()
{
    bool goes_on = false;
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
        take(sides_[i], sessions_[i]->poll());
        const Frame& now = sides_[i].last;
        if (now.state == RunState::Failed) {
            stop();
            Q_EMIT failed(QString::fromStdString(now.message));
            return;
        }
        goes_on = goes_on || !isOver(now.state);
    }
    if (!goes_on) {
        stop();
    } else {
        timer_.start(k_look_ms);
    }
    Q_EMIT progressed();
    if (!goes_on) {
        Q_EMIT finished();
    }
}

} // namespace lab
