#include "app/seed_runs.h"

#include "app/run_words.h"
#include "core/base/error.h"
#include "core/experiment/session.h"

#include <utility>

namespace lab {

namespace {

constexpr int k_look_ms = 50;

} // namespace

SeedRuns::SeedRuns(QObject* parent) : QObject(parent)
{
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &SeedRuns::look);
}

SeedRuns::~SeedRuns() = default;

void SeedRuns::start(const Experiment& experiment, int count)
{
    stop();
    experiment_ = experiment;
    done_ = 0;
    wanted_ = count;
    next();
}

void SeedRuns::stop()
{
    timer_.stop();
    session_.reset();
    Q_EMIT progressed();
}

void SeedRuns::next()
{
    if (done_ == wanted_) {
        stop();
        return;
    }
    experiment_.seed += 1;
    curve_.clear();
    try {
        session_ = std::make_unique<Session>(experiment_);
    } catch (const Error& error) {
        stop();
        Q_EMIT failed(QString::fromStdString(error.what()));
        return;
    }
    session_->setPace(std::nullopt);
    session_->run();
    timer_.start(k_look_ms);
    Q_EMIT progressed();
}

void SeedRuns::look()
{
    Frame frame = session_->poll();
    curve_.insert(curve_.end(), frame.evaluations.begin(), frame.evaluations.end());
    if (frame.state == RunState::Failed) {
        stop();
        Q_EMIT failed(QString::fromStdString(frame.message));
    } else if (frame.state == RunState::Finished) {
        frame.clearFresh();
        done_ += 1;
        Q_EMIT ended({.name = tr("%1, seed %2").arg(strategyTitle(experiment_)).arg(experiment_.seed),
                      .experiment = experiment_,
                      .last = std::move(frame),
                      .curve = curve_,
                      .is_shown = false});
        next();
    } else {
        timer_.start(k_look_ms);
    }
}

} // namespace lab
