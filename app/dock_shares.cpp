#include "app/dock_shares.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QEvent>
#include <QMainWindow>
#include <QTimer>

#include <cmath>

namespace lab {

namespace {

constexpr int k_patience_ms = 1000; ///< that a window manager is given

Qt::Orientation acrossOf(Qt::DockWidgetArea area)
{
    return area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea ? Qt::Horizontal : Qt::Vertical;
}

int lengthOf(const QWidget& widget, Qt::Orientation across)
{
    return across == Qt::Horizontal ? widget.width() : widget.height();
}

} // namespace

DockShares::DockShares(QMainWindow& host) : QObject(&host), host_(host) { host_.installEventFilter(this); }

QDockWidget* DockShares::panelIn(Qt::DockWidgetArea area) const
{
    for (auto* dock : host_.findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) {
        if (!dock->isHidden() && !dock->isFloating() && host_.dockWidgetArea(dock) == area) {
            return dock;
        }
    }
    return nullptr;
}

QMap<Qt::DockWidgetArea, int> DockShares::lengths() const
{
    QMap<Qt::DockWidgetArea, int> found;
    for (const auto area :
         {Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea, Qt::TopDockWidgetArea, Qt::BottomDockWidgetArea}) {
        if (const QDockWidget* panel = panelIn(area)) {
            found[area] = lengthOf(*panel, acrossOf(area));
        }
    }
    return found;
}

void DockShares::give(Qt::DockWidgetArea side, double share)
{
    shares_[side] = share;
    apply();
}

void DockShares::adopt()
{
    const auto now = lengths();
    for (auto length = now.cbegin(); length != now.cend(); ++length) {
        const int whole = lengthOf(host_, acrossOf(length.key()));
        // A panel that the window forced to be larger or smaller than its share keeps it.
        if (whole > 0 && at_press_.value(length.key(), -1) != length.value()) {
            shares_[length.key()] = static_cast<double>(length.value()) / whole;
        }
    }
}

void DockShares::apply()
{
    for (auto share = shares_.cbegin(); share != shares_.cend(); ++share) {
        if (QDockWidget* panel = panelIn(share.key())) {
            const Qt::Orientation across = acrossOf(share.key());
            host_.resizeDocks(
                {panel}, {static_cast<int>(std::lround(share.value() * lengthOf(host_, across)))}, across);
        }
    }
}

void DockShares::restoreAt(QSize size, const QByteArray& state, int version)
{
    wanted_ = Wanted{size, state, version};
    host_.restoreState(state, version);
    QTimer::singleShot(0, this, &DockShares::restoreNow);
    QTimer::singleShot(k_patience_ms, this, [this] { wanted_.reset(); });
}

void DockShares::restoreNow()
{
    // Text that has just changed its size tells its layouts only later, and panels give way to what they knew before.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    if (wanted_ && host_.size() == wanted_->size) {
        host_.restoreState(wanted_->state, wanted_->version);
        wanted_.reset();
        at_press_.clear();
        adopt();
    }
}

bool DockShares::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize) {
        apply();
        if (wanted_) {
            QTimer::singleShot(0, this, &DockShares::restoreNow);
        }
    } else if (event->type() == QEvent::MouseButtonPress) {
        at_press_ = lengths();
    } else if (event->type() == QEvent::MouseButtonRelease) {
        QTimer::singleShot(0, this, &DockShares::adopt); // a separator was let go
    }
    return QObject::eventFilter(watched, event);
}

} // namespace lab
