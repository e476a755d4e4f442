#pragma once

#include "core/compare/what_if.h"
#include "core/experiment/session.h"

#include <QObject>
#include <QTimer>

#include <array>
#include <memory>
#include <vector>

namespace lab {

/// Two runs side by side at full speed: a run as it was, and the same with something otherwise from a moment on.
class BranchRunner final : public QObject {
    Q_OBJECT
public:
    explicit BranchRunner(QObject* parent = nullptr);
    ~BranchRunner() override;

    /// How one of the two goes on.
    struct Side {
        Experiment experiment;
        std::vector<Evaluation> curve;
        Frame last; ///< the newest state
        /// Waiting as a share of the time since the moment of the branch that nodes were up.
        [[nodiscard]] double idle() const;

        ActivityTimes since; ///< of all nodes, since the moment, in spans that have ended
    };

    /// Stops what goes on and begins both anew. Where a run cannot be made nothing goes on, and the answer says why;
    /// empty: both run.
    [[nodiscard]] QString start(const Experiment& journal, const WhatIf& what_if);
    void stop();
    [[nodiscard]] bool isRunning() const { return sessions_[0] != nullptr; }

    [[nodiscard]] const WhatIf& whatIf() const { return what_if_; }
    [[nodiscard]] const Side& asItWas() const { return sides_[0]; }
    [[nodiscard]] const Side& branch() const { return sides_[1]; }
    /// How much of both is done, 0 … 1; 0 where no stop condition tells.
    [[nodiscard]] double share() const;

Q_SIGNALS:
    void progressed();
    void finished();
    void failed(const QString& why);

private:
    void look();
    void take(Side& side, Frame frame) const;

    WhatIf what_if_;
    std::array<Side, 2> sides_;
    std::array<std::unique_ptr<Session>, 2> sessions_; ///< null: nothing goes on
    QTimer timer_;
};

} // namespace lab
