#pragma once

#include "core/cluster/node_spec.h"
#include "core/record/frame.h"
#include "core/strategy/configuration.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace lab {

/// What theory says of a configuration: predict() for the strategy that runs, with its parameters filled in.
using Predict = std::function<Prediction(Configuration)>;

/// Theory beside the measurement: what is known of the cluster as it is now, and whether that holds for the whole run.
///
/// A prediction is made when it is asked for and kept until something changes, so that a frame costs a copy, and a run
/// that nobody watches one prediction. Above k_most_watched nodes, where one may take as long as many frames, only the
/// whole run gets one.
class Theory {
public:
    static constexpr std::size_t k_most_watched = 256;
    /// Above this many not even the finished run gets one.
    static constexpr std::size_t k_most_nodes = 4096;

    /// A node as it is now.
    struct Node {
        double slowdown = 1; ///< in force
        bool is_up = true;
        bool is_known_down = false;
    };

    /// `predict` empty: there is nothing to say of this strategy. `message_seconds`: of one message, each way.
    /// `cluster` outlives this.
    Theory(const ClusterSpec& cluster, double message_seconds, Predict predict);

    /// The cluster is another one from now on; the run as a whole then has no prediction, for this reason.
    void changed(std::string why);
    /// The server announced groups. The first time they are those of the start; the second time they may have been
    /// made from speeds measured meanwhile; later ones are a change.
    void grouped(TimePoint now);
    /// Another strategy goes on; the run as a whole then has no prediction.
    void switched(Predict predict);
    /// What goes for the cluster from the start on, such as a change at time 0.
    void forget() { now_.reset(); }

    /// Of the cluster as it is now. `groups` as recorded.
    [[nodiscard]] const Prediction& now(const std::vector<Node>& nodes,
                                        const std::vector<GroupFrame>& groups);
    /// Of the whole run: as now(), but nothing where the cluster did not stay as it was.
    [[nodiscard]] Prediction ofRun(const std::vector<Node>& nodes, const std::vector<GroupFrame>& groups);

private:
    [[nodiscard]] Prediction make(const std::vector<Node>& nodes,
                                  const std::vector<GroupFrame>& groups) const;

    const ClusterSpec* cluster_;
    double message_seconds_;
    Predict predict_;
    std::optional<Prediction> now_;
    std::string change_; ///< the first one; empty: none so far
    int groupings_ = 0;
    TimePoint grouped_at_;
};

} // namespace lab
