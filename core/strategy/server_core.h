#pragma once

#include "core/strategy/global_model.h"
#include "core/strategy/strategy.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lab {

/// What an update is made of, when it is more than a plain sum.
struct UpdateTerms {
    Few<Term> terms;          ///< in node order
    Few<Contribution> parts;  ///< in node order
    std::int64_t samples = 0; ///< distinct samples that the terms stand for
    double decode_error = 0;
    double damping = 1; ///< the step is multiplied by it
};

/// What every server holds, whatever its rule: the global model, each node's place in its data stream, and how much
/// an update weighs.
class ServerCore {
public:
    explicit ServerCore(StrategySetup setup);

    [[nodiscard]] const StrategySetup& setup() const { return setup_; }
    [[nodiscard]] Version version() const { return model_.version(); }
    [[nodiscard]] const Params& params() const { return model_.params(); }

    /// The next `rows` of the node's stream, which are taken by this.
    [[nodiscard]] Piece takeRows(NodeId node, std::int64_t rows);
    /// Rows that were taken for a task whose gradient is lost will be drawn again.
    void giveBack(const Piece& rows);

    /// The newest parameters, to be sent down with an order.
    [[nodiscard]] Message parameters(std::int64_t round) const;

    /// One update of the model, announced. An update's step is learning_rate x weight x mean gradient, the weight by
    /// samples / (batch x nodes), or 1 where every update is to take the full rate (contract, section 3).
    void apply(UpdateTerms update, GroupId group, Outbox& out);

private:
    StrategySetup setup_;
    GlobalModel model_;
    std::vector<std::int64_t> cursors_; ///< [nodes] next place in each stream
};

/// The rows that a push stands for.
[[nodiscard]] std::int64_t rowsOf(const Order& order);

/// `n1, n4`: names for a sentence.
[[nodiscard]] std::string listOf(const std::vector<NodeId>& nodes, const std::vector<std::string>& names);

} // namespace lab
