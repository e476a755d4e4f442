#include "widgets/decimate.h"

#include <algorithm>
#include <cmath>

namespace lab {

namespace {

/// Gathers the points of one pixel column and passes on the extremes.
class Column {
public:
    explicit Column(QList<QPointF>& out) : out_(out) {}

    void add(int index, QPointF point)
    {
        if (index != index_) {
            flush();
            index_ = index;
        }
        if (is_empty_ || point.y() < low_.y()) {
            low_ = point;
        }
        if (is_empty_ || point.y() > high_.y()) {
            high_ = point;
        }
        is_empty_ = false;
    }

    void flush()
    {
        if (is_empty_) {
            return;
        }
        out_ << (low_.x() <= high_.x() ? low_ : high_);
        if (low_ != high_) {
            out_ << (low_.x() <= high_.x() ? high_ : low_);
        }
        is_empty_ = true;
    }

private:
    QList<QPointF>& out_;
    int index_ = -1;
    bool is_empty_ = true;
    QPointF low_;
    QPointF high_;
};

} // namespace

QList<QList<QPointF>> decimate(const QList<QPointF>& points, double from, double to, int columns)
{
    QList<QList<QPointF>> runs;
    QList<QPointF> run;
    Column column(run);
    const double scale = to > from && columns > 0 ? columns / (to - from) : 0;
    const auto close = [&] {
        column.flush();
        if (!run.isEmpty()) {
            runs << run;
            run.clear();
        }
    };
    // One point on each side of the window stays, so that the line reaches the edges.
    auto first = std::ranges::lower_bound(points, from, {}, [](const QPointF& p) { return p.x(); });
    auto last = std::ranges::upper_bound(points, to, {}, [](const QPointF& p) { return p.x(); });
    first = first == points.begin() ? first : std::prev(first);
    last = last == points.end() ? last : std::next(last);
    for (auto at = first; at != last; ++at) {
        if (!std::isfinite(at->y()) || !std::isfinite(at->x())) {
            close();
        } else {
            column.add(static_cast<int>(std::floor((at->x() - from) * scale)), *at);
        }
    }
    close();
    return runs;
}

} // namespace lab
