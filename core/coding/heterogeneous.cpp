#include "core/coding/gradient_code.h"

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/coding/allocation.h"
#include "core/coding/code_search.h"
#include "core/coding/linear_code.h"

#include <map>

// Copies lie on a line of tolerance + 1 laps over all partitions, worker after worker. The paper draws a Gaussian point
// for every worker. Here workers within one lap share a unit vector, and only those across the border of two laps, at
// most `tolerance`, are drawn. So the points, and how much the worst pattern amplifies rounding, depend on the tolerance
// alone, not on the number of workers; and a lap that is wholly in decodes by itself.

namespace lab {
namespace {

using Eigen::Index;

struct Layout {
    Placement placement;
    std::vector<std::optional<std::size_t>> lap_of_point; ///< [points]; none: across a border
};

Layout layOut(const Allocation& allocation, std::size_t copies)
{
    const std::size_t partitions = allocation.partitions;
    Layout layout;
    layout.placement.holders.resize(partitions);
    std::map<std::size_t, std::size_t> point_of_lap;
    std::size_t begin = 0;
    for (std::size_t worker = 0; worker < allocation.copies.size(); ++worker) {
        const std::size_t end = begin + allocation.copies[worker];
        for (std::size_t place = begin; place < end; ++place) {
            layout.placement.holders[place % partitions].push_back(worker);
        }
        std::size_t point = 0;
        if (end > begin) {
            const std::size_t lap = begin / partitions;
            const bool is_within = (end - 1) / partitions == lap;
            const std::size_t fresh = layout.lap_of_point.size();
            point = is_within ? point_of_lap.try_emplace(lap, fresh).first->second : fresh;
            if (point == fresh) {
                layout.lap_of_point.push_back(is_within ? std::optional(lap) : std::nullopt);
            }
        }
        layout.placement.point_of.push_back(point);
        begin = end;
    }
    LAB_EXPECTS(begin == partitions * copies);
    return layout;
}

} // namespace

std::shared_ptr<const GradientCode> heterogeneityAware(std::span<const double> speeds, std::size_t tolerance,
                                                       std::uint64_t seed)
{
    LAB_EXPECTS(tolerance < speeds.size());
    const Layout layout = layOut(allocateFinely(speeds, tolerance + 1), tolerance + 1);
    const auto dimensions = static_cast<Index>(tolerance + 1);
    const auto points = static_cast<Index>(layout.lap_of_point.size());
    const auto design = [&](std::size_t attempt) {
        Rng rng(seed, Purpose::Code, tolerance, attempt);
        CodeDesign drawn{Eigen::MatrixXd(dimensions, points), Eigen::VectorXd::Ones(dimensions)};
        for (Index point = 0; point < points; ++point) {
            if (const auto lap = layout.lap_of_point[static_cast<std::size_t>(point)]) {
                drawn.points.col(point) = Eigen::VectorXd::Unit(dimensions, static_cast<Index>(*lap));
            } else {
                drawn.points.col(point) =
                    Eigen::VectorXd::NullaryExpr(dimensions, [&](Index /*row*/) { return rng.normal(); });
            }
        }
        return std::optional(std::move(drawn));
    };
    return std::make_shared<LinearCode>(
        searchCode(design, layout.placement, tolerance, seed, "heterogeneous"), tolerance,
        LinearCode::Early::Allowed);
}

} // namespace lab
