#include "core/learn/batch.h"

#include "core/base/error.h"

#include <algorithm>

namespace lab {
namespace {

constexpr std::size_t k_piece = 256;

} // namespace

Eigen::Map<const Dataset::Features> samplesOf(const Dataset& data, std::size_t first, std::size_t count)
{
    expectRows(data, first, count);
    return {data.x.data() + first * data.features(), static_cast<Eigen::Index>(count), data.x.cols()};
}

Dataset::Features gather(const Dataset& data, Rows rows)
{
    expectRows(data, rows);
    Dataset::Features samples(static_cast<Eigen::Index>(rows.size()), data.x.cols());
    float* to = samples.data();
    for (const std::uint32_t row : rows) {
        to = std::copy_n(data.x.data() + row * data.features(), data.features(), to);
    }
    return samples;
}

LossSum sumInPieces(std::size_t first, std::size_t count,
                    const std::function<LossSum(std::size_t first, std::size_t count)>& part)
{
    LossSum sum;
    for (std::size_t done = 0; done < count; done += k_piece) {
        const LossSum piece = part(first + done, std::min(k_piece, count - done));
        sum.loss += piece.loss;
        sum.correct += piece.correct;
        sum.rows += piece.rows;
    }
    return sum;
}

void expectRows(const Dataset& data, Rows rows)
{
    LAB_EXPECTS(rows.empty() || *std::max_element(rows.begin(), rows.end()) < data.rows());
}

void expectRows(const Dataset& data, std::size_t first, std::size_t count)
{
    LAB_EXPECTS(first <= data.rows() && count <= data.rows() - first);
}

} // namespace lab
