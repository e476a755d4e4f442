#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lab {

/// One partition of a round's samples in one worker's message, and what its gradient is multiplied by.
struct Share {
    std::size_t partition = 0;
    double coefficient = 1;
    friend bool operator==(const Share&, const Share&) = default;
};

/// How the messages that are in make the round's gradient.
struct Decoding {
    std::vector<double> weights;  ///< [workers]; 0 for a message that is missing or not needed
    std::vector<bool> is_covered; ///< [partitions]: stands in the result
    double error = 0;             ///< |a B - 1|_2 over all partitions; 0: exact
};

/// Who computes which partitions of a round, and which sets of messages give the gradient of all of them.
///
/// The encoding is B [workers x partitions]: worker i sends sum_p B(i, p) * (gradient sum of partition p). A set K of
/// messages decodes when some row a with support in K has a B = 1 (all ones): Tandon, Lei, Dimakis, Karampatziakis,
/// "Gradient Coding", ICML 2017. All in double. Immutable; decode() is a pure function.
class GradientCode {
public:
    GradientCode() = default;
    GradientCode(const GradientCode&) = delete;
    GradientCode& operator=(const GradientCode&) = delete;
    virtual ~GradientCode() = default;

    [[nodiscard]] virtual std::size_t workers() const = 0;
    [[nodiscard]] virtual std::size_t partitions() const = 0;
    /// Any this many messages may be missing.
    [[nodiscard]] virtual std::size_t tolerance() const = 0;
    /// What a worker computes, by partition, without zeros. Requires worker < workers().
    [[nodiscard]] virtual std::span<const Share> shares(std::size_t worker) const = 0;
    /// The exact decoding from the messages that are in, or nothing. `is_in` [workers].
    [[nodiscard]] virtual std::optional<Decoding> decode(const std::vector<bool>& is_in) const = 0;
    /// The best there is from the messages that are in: least squares, flagged by its error. Requires one message.
    [[nodiscard]] virtual Decoding approximate(const std::vector<bool>& is_in) const = 0;
};

/// Every worker its own partition, all of them needed: no redundancy.
[[nodiscard]] std::shared_ptr<const GradientCode> uncoded(std::size_t workers);

/// Fractional repetition (Tandon et al., section 3.1): blocks of tolerance + 1 workers, the last ones larger where that
/// does not divide the workers; all of a block's workers compute all of the block's partitions, as many as it has
/// workers. One message per block decodes, often before workers - tolerance are in. Requires tolerance < workers.
[[nodiscard]] std::shared_ptr<const GradientCode> fractionalRepetition(std::size_t workers,
                                                                       std::size_t tolerance);

/// Cyclic repetition: worker i computes partitions i … i + tolerance (mod workers), as in Tandon et al., algorithm 1, but
/// with other coefficients, which depend on the seed only where the best known ones are not good enough.
///
/// Gaussian coefficients, as in the paper, can amplify the rounding of the messages ten thousandfold. Where
/// tolerance + 1 divides the workers all coefficients are 1: the workers i, i + (tolerance + 1), … then compute each
/// partition once. Elsewhere they come from waves next to the
/// highest frequency, which keeps the null space away from the all-ones vector, repeated along the workers (cyclic.cpp).
/// Exactly the sets of at least workers - tolerance messages decode, as with the paper's coefficients.
/// tolerance 0 is uncoded(). Requires tolerance < workers.
/// Throws Error where even the best of several dozen codes amplifies rounding more than 1e4 times: |a|_inf for some
/// pattern of `tolerance` missing among those tried, with each worker's largest coefficient being 1.
[[nodiscard]] std::shared_ptr<const GradientCode> cyclicRepetition(std::size_t workers, std::size_t tolerance,
                                                                   std::uint64_t seed);

/// Heterogeneity-aware code (Wang, Guo, Tang, Li, Li, ICDCS 2019): partitions in proportion to speed, tolerance + 1
/// copies of each, no worker more than all. `speeds` [workers], batches per second, > 0.
///
/// There are one to four partitions per worker: as few as keep what rounding to whole partitions costs below 5 % of the
/// round, so that none gets too small to be cut from a batch. A very slow worker may get none at all; it has no shares,
/// sends nothing, does not count as missing, and its weight is 0. Differs from the paper in drawing only the points of
/// workers at the border of two laps (heterogeneous.cpp). Requires tolerance < workers.
/// Throws Error as cyclicRepetition() does.
[[nodiscard]] std::shared_ptr<const GradientCode>
heterogeneityAware(std::span<const double> speeds, std::size_t tolerance, std::uint64_t seed);

} // namespace lab
