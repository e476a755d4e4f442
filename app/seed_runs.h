#pragma once

#include "app/kept_runs.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace lab {

class Session;

/// Runs an experiment with more seeds, one after the other, at full speed in the background.
class SeedRuns final : public QObject {
    Q_OBJECT
public:
    explicit SeedRuns(QObject* parent = nullptr);
    ~SeedRuns() override;

    /// `count` runs with the seeds after the experiment's own. Stops what goes on.
    void start(const Experiment& experiment, int count);
    void stop();
    [[nodiscard]] bool isRunning() const { return session_ != nullptr; }
    [[nodiscard]] int done() const { return done_; }
    [[nodiscard]] int wanted() const { return wanted_; }

Q_SIGNALS:
    void ended(const lab::KeptRun& run); ///< one of them
    void progressed();                   ///< done() or isRunning() is another
    void failed(const QString& why);

private:
    void next();
    void look();

    Experiment experiment_; ///< of the run that goes on
    std::vector<Evaluation> curve_;
    std::unique_ptr<Session> session_; ///< null: nothing goes on
    int done_ = 0;
    int wanted_ = 0;
    QTimer timer_;
};

} // namespace lab
