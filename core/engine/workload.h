#pragma once

#include "core/engine/executor.h"
#include "core/learn/dataset.h"
#include "core/learn/model.h"
#include "core/learn/sampler.h"
#include "core/record/record.h"
#include "core/strategy/actor.h"

#include <memory>

namespace lab {

/// What the nodes work on: the rows, the model, and who draws which rows. Immutable; shared by all threads.
struct Workload {
    std::shared_ptr<const Model> model;
    Dataset training;
    Dataset validation; ///< may have no rows
    Sampler sampler;

    /// The sum over the order's pieces of coefficient x (sum of the rows' gradients at `at`). A pure function.
    [[nodiscard]] Params gradient(const Vector& at, const Order& order) const;
};

/// An evaluation without figures: there is no model.
[[nodiscard]] Evaluation noEvaluation();

/// Losses and accuracy of these parameters on both sets; time, update and samples are left to the caller.
/// The rows are cut into fixed blocks that are summed in order, so the figures do not depend on the threads. This thread
/// may do other work of the executor while it waits for a block, which a live run, whose nodes' work is its workers', does
/// not want.
[[nodiscard]] Evaluation evaluate(const std::shared_ptr<const Workload>& workload, const Params& params,
                                  Executor& executor, bool works_meanwhile = true);

} // namespace lab
