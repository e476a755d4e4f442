#include "core/base/rng.h"
#include "core/learn/dataset_catalog.h"

#include <array>
#include <cmath>
#include <numbers>

namespace lab {
namespace {

constexpr std::size_t k_rows = 2000;
constexpr double k_pi = std::numbers::pi;

using Point = std::array<double, 2>;

/// Rows in the plane, classes in turn. `place` is asked for the point of a class; every row has a stream of its own.
template <class Place> Dataset makePlane(int classes, std::uint64_t seed, const Place& place)
{
    Dataset data;
    data.classes = classes;
    data.x.resize(static_cast<Eigen::Index>(k_rows), 2);
    for (std::size_t row = 0; row < k_rows; ++row) {
        Rng rng(seed, Purpose::Dataset, 0, row);
        const int label = static_cast<int>(row % static_cast<std::size_t>(classes));
        const Point point = place(label, rng);
        data.x(static_cast<Eigen::Index>(row), 0) = static_cast<float>(point[0]);
        data.x(static_cast<Eigen::Index>(row), 1) = static_cast<float>(point[1]);
        data.labels.push_back(label);
        data.targets.push_back(static_cast<float>(label));
    }
    return data;
}

Point blurred(Point point, double deviation, Rng& rng)
{
    return {point[0] + deviation * rng.normal(), point[1] + deviation * rng.normal()};
}

/// Centres on a circle, turned by the seed, so that every seed is equally hard: neighbours are 4.2 deviations apart.
Dataset makeBlobs(std::uint64_t seed)
{
    constexpr int k_classes = 4;
    constexpr double k_radius = 3.0;
    Rng turn(seed, Purpose::Dataset, 1, 0);
    const double offset = 2.0 * k_pi * turn.uniform();
    return makePlane(k_classes, seed, [offset](int label, Rng& rng) {
        const double angle = offset + 2.0 * k_pi * label / k_classes;
        return blurred({k_radius * std::cos(angle), k_radius * std::sin(angle)}, 1.0, rng);
    });
}

/// A half circle above, and one below that starts at its centre.
Dataset makeMoons(std::uint64_t seed)
{
    return makePlane(2, seed, [](int label, Rng& rng) {
        const double angle = k_pi * rng.uniform();
        const Point above{std::cos(angle), std::sin(angle)};
        return blurred(label == 0 ? above : Point{1.0 - above[0], 0.5 - above[1]}, 0.15, rng);
    });
}

/// Two arms of one and a half turns each, half a turn apart.
/// After Lang, Witbrock, "Learning to Tell Two Spirals Apart", Connectionist Models Summer School 1988, who had three turns.
Dataset makeSpirals(std::uint64_t seed)
{
    return makePlane(2, seed, [](int label, Rng& rng) {
        const double reach = std::sqrt(rng.uniform()); // the root spreads the rows evenly along the arm
        const double angle = 3.0 * k_pi * reach + k_pi * label;
        return blurred({reach * std::cos(angle), reach * std::sin(angle)}, 0.02, rng);
    });
}

} // namespace

DatasetInfo blobs()
{
    return {"blobs", "Gaussian blobs",
            "2,000 points in 4 round clouds that overlap a little, made from the seed.", makeBlobs};
}

DatasetInfo moons()
{
    return {"moons", "Two moons", "2,000 points on two interlocking half circles, made from the seed.",
            makeMoons};
}

DatasetInfo spirals()
{
    return {"spirals", "Two spirals",
            "2,000 points on two spirals wound into each other, made from the seed; needs hidden layers.",
            makeSpirals};
}

} // namespace lab
