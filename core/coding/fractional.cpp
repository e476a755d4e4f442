#include "core/coding/gradient_code.h"

#include "core/base/error.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

/// Blocks of workers that all compute the same; all coefficients are 1. One message of each block decodes.
class BlockCode final : public GradientCode {
public:
    BlockCode(std::size_t workers, std::size_t tolerance) : tolerance_(tolerance), block_of_(workers)
    {
        const std::size_t blocks = workers / (tolerance + 1);
        const std::size_t larger = workers % blocks; // the last ones, by one worker
        std::size_t first = 0;
        for (std::size_t block = 0; block < blocks; ++block) {
            const std::size_t size = workers / blocks + (block >= blocks - larger ? 1 : 0);
            std::vector<Share>& shares = shares_.emplace_back();
            for (std::size_t member = first; member < first + size; ++member) {
                block_of_[member] = block;
                shares.push_back({member, 1.0}); // as many partitions as workers
            }
            first += size;
        }
    }

    [[nodiscard]] std::size_t workers() const override { return block_of_.size(); }
    [[nodiscard]] std::size_t partitions() const override { return block_of_.size(); }
    [[nodiscard]] std::size_t tolerance() const override { return tolerance_; }

    [[nodiscard]] std::span<const Share> shares(std::size_t worker) const override
    {
        LAB_EXPECTS(worker < workers());
        return shares_[block_of_[worker]];
    }

    [[nodiscard]] std::optional<Decoding> decode(const std::vector<bool>& is_in) const override
    {
        Decoding decoding = firstOfEachBlock(is_in);
        if (decoding.error > 0.0) {
            return std::nullopt;
        }
        return decoding;
    }

    [[nodiscard]] Decoding approximate(const std::vector<bool>& is_in) const override
    {
        LAB_EXPECTS(std::find(is_in.begin(), is_in.end(), true) != is_in.end());
        return firstOfEachBlock(is_in);
    }

private:
    [[nodiscard]] Decoding firstOfEachBlock(const std::vector<bool>& is_in) const
    {
        LAB_EXPECTS(is_in.size() == workers());
        Decoding decoding{std::vector<double>(workers(), 0.0), std::vector<bool>(partitions(), false), 0.0};
        std::size_t covered = 0;
        for (std::size_t worker = 0; worker < workers(); ++worker) {
            const std::vector<Share>& block = shares_[block_of_[worker]];
            if (!is_in[worker] || decoding.is_covered[block.front().partition]) {
                continue;
            }
            decoding.weights[worker] = 1.0;
            for (const Share& share : block) {
                decoding.is_covered[share.partition] = true;
            }
            covered += block.size();
        }
        // Without a block's message its entries of a B are 0 instead of 1.
        decoding.error = std::sqrt(static_cast<double>(partitions() - covered));
        return decoding;
    }

    std::size_t tolerance_;
    std::vector<std::size_t> block_of_;      ///< [workers]
    std::vector<std::vector<Share>> shares_; ///< [blocks]
};

} // namespace

std::shared_ptr<const GradientCode> uncoded(std::size_t workers)
{
    LAB_EXPECTS(workers > 0);
    return std::make_shared<BlockCode>(workers, 0);
}

std::shared_ptr<const GradientCode> fractionalRepetition(std::size_t workers, std::size_t tolerance)
{
    LAB_EXPECTS(tolerance < workers);
    return std::make_shared<BlockCode>(workers, tolerance);
}

} // namespace lab
