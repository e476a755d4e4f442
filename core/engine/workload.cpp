#include "core/engine/workload.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace lab {
namespace {

constexpr std::size_t k_rows_per_block = 256;

using Blocks = std::vector<Deferred<LossSum>>;

Blocks submitBlocks(const std::shared_ptr<const Workload>& workload, const Dataset Workload::*rows,
                    const Params& params, Executor& executor)
{
    Blocks blocks;
    const std::size_t all = ((*workload).*rows).rows();
    for (std::size_t first = 0; first < all; first += k_rows_per_block) {
        const std::size_t count = std::min(k_rows_per_block, all - first);
        blocks.push_back(executor.submit([workload, rows, params, first, count] {
            return workload->model->loss(*params, (*workload).*rows, first, count);
        }));
    }
    return blocks;
}

LossSum sumOf(Blocks blocks, Executor* meanwhile)
{
    LossSum sum;
    for (auto& block : blocks) {
        const LossSum part = block.take(meanwhile);
        sum.loss += part.loss;
        sum.correct += part.correct;
        sum.rows += part.rows;
    }
    return sum;
}

} // namespace

Params Workload::gradient(const Vector& at, const Order& order) const
{
    auto sum = std::make_shared<Vector>();
    thread_local std::vector<std::uint32_t> rows; // for the room that it has
    for (const Piece& piece : order.pieces) {
        rows.clear();
        sampler.append(piece.stream, piece.first, piece.count, rows);
        model->addGradient(at, training, rows, static_cast<float>(piece.coefficient), *sum);
    }
    if (sum->size() == 0) {
        *sum = Vector::Zero(model->size());
    }
    return sum;
}

Evaluation noEvaluation()
{
    Evaluation result;
    result.train_loss = result.validation_loss = result.validation_accuracy =
        std::numeric_limits<double>::quiet_NaN();
    return result;
}

Evaluation evaluate(const std::shared_ptr<const Workload>& workload, const Params& params, Executor& executor,
                    bool works_meanwhile)
{
    Blocks training = submitBlocks(workload, &Workload::training, params, executor);
    Blocks validation = submitBlocks(workload, &Workload::validation, params, executor);
    const LossSum trained = sumOf(std::move(training), works_meanwhile ? &executor : nullptr);
    const LossSum held_out = sumOf(std::move(validation), works_meanwhile ? &executor : nullptr);

    const auto perRow = [](double sum, const LossSum& over) {
        return over.rows > 0 ? sum / static_cast<double>(over.rows)
                             : std::numeric_limits<double>::quiet_NaN();
    };
    Evaluation result;
    result.train_loss = perRow(trained.loss, trained);
    result.validation_loss = perRow(held_out.loss, held_out);
    result.validation_accuracy = workload->training.classes > 0
        ? perRow(static_cast<double>(held_out.correct), held_out)
        : std::numeric_limits<double>::quiet_NaN();
    return result;
}

} // namespace lab
