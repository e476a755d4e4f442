#include "widgets/smoothing.h"

#include <algorithm>
#include <cmath>

namespace lab {

QList<QPointF> smoothed(const QList<QPointF>& points, double weight)
{
    if (!(weight > 0)) {
        return points;
    }
    QList<QPointF> out;
    out.reserve(points.size());
    double mean = 0;
    double decay = 1; // weight^k
    for (const QPointF& point : points) {
        const double y = point.y();
        if (!std::isfinite(y)) {
            out << point;
            continue;
        }
        const bool is_first = decay == 1;
        decay *= weight;
        const double share = (1 - weight) / (1 - decay);
        // Two products, not a difference: that of two huge values of opposite sign would overflow.
        const double next = is_first || y == mean ? y : (1 - share) * mean + share * y;
        mean = std::clamp(next, is_first ? y : std::min(mean, y), is_first ? y : std::max(mean, y));
        out.emplaceBack(point.x(), mean);
    }
    return out;
}

} // namespace lab
