#pragma once

#include <QList>
#include <QPointF>

namespace lab {

/// The exponential moving average of the values, with the bias of its start corrected: m(k) = m(k-1) + a(k) (y(k) - m(k-1)),
/// a(k) = (1 - weight) / (1 - weight^k), which is Adam's correction (Kingma and Ba, ICLR 2015, arXiv:1412.6980, section 3)
/// written so that a constant stays exactly that constant and no value leaves the range of those before it.
/// `weight` 0 … below 1; 0 changes nothing. Values that are not finite are passed on and leave the average alone.
[[nodiscard]] QList<QPointF> smoothed(const QList<QPointF>& points, double weight);

} // namespace lab
