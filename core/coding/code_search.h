#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace lab {

/// A point per worker in a space of tolerance + 1 dimensions, and a target. Coefficients and decodings follow from these:
/// partition p, held by the workers W, gets the d that makes C_W d = target, so that C B = [target … target]; with S
/// missing, the x with x C_S = 0 and x target = 1 gives a = x C, which is 0 on S and has a B = 1. Workers may share a
/// point: missing together, they count as one.
/// Wang et al., ICDCS 2019, section IV, where C is Gaussian and the target all ones.
struct CodeDesign {
    Eigen::MatrixXd points; ///< C [tolerance + 1 x points]
    Eigen::VectorXd target; ///< [tolerance + 1]
};

/// Who holds what.
struct Placement {
    std::vector<std::size_t> point_of; ///< [workers], column of `points`; any for a worker without shares
    std::vector<std::vector<std::size_t>>
        holders; ///< [partitions][tolerance + 1] workers, of different points
};

/// A design worked out for a placement.
struct CodeCandidate {
    Eigen::MatrixXd encoding; ///< [workers x partitions], the largest |coefficient| of a worker is 1
    double amplification =
        0; ///< largest |a|_inf of the patterns of `tolerance` missing points that were tried
};

/// All patterns are tried where there are no more than 1000, else 200 drawn ones and all runs of neighbouring points.
/// Nothing where the design does not suit the placement (points of holders that depend on each other).
[[nodiscard]] std::optional<CodeCandidate> evaluate(const CodeDesign& design, const Placement& placement,
                                                    std::uint64_t seed);

/// Design number `attempt`, or nothing where that one came out degenerate.
using DesignSource = std::function<std::optional<CodeDesign>(std::size_t attempt)>;

/// The first candidate with an amplification of at most 50, else the best of several dozen (fewer where each takes
/// long). Throws Error where even that one is above 1e4; `kind` is the code's name in its text.
[[nodiscard]] Eigen::MatrixXd searchCode(const DesignSource& design, const Placement& placement,
                                         std::size_t tolerance, std::uint64_t seed, const char* kind);

} // namespace lab
