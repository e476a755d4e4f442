#pragma once

#include <QByteArray>
#include <QMap>
#include <QObject>
#include <QSize>

#include <optional>

class QDockWidget;
class QMainWindow;

namespace lab {

/// Keeps the share of the window that each column and row of panels has when the window changes its size: left to itself,
/// Qt takes all of the difference from what is in the middle. The shares are those that a person gave them last.
class DockShares final : public QObject {
    Q_OBJECT
public:
    /// `host` holds the panels and outlives this.
    explicit DockShares(QMainWindow& host);

    /// Gives the panels on this side a share of the window's width, or height.
    void give(Qt::DockWidgetArea side, double share);
    /// The sizes that panels have now are as they are wanted.
    void adopt();
    /// Puts the panels back exactly as `state` (saveState of `version`) has them, taken when the host was of this size:
    /// as soon as it is again, which a window manager may let happen only later.
    void restoreAt(QSize size, const QByteArray& state, int version);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Wanted {
        QSize size;
        QByteArray state;
        int version;
    };
    [[nodiscard]] QDockWidget* panelIn(Qt::DockWidgetArea area) const;
    [[nodiscard]] QMap<Qt::DockWidgetArea, int> lengths() const;
    void apply();
    void restoreNow();

    QMainWindow& host_;
    QMap<Qt::DockWidgetArea, double> shares_; ///< of the host's width, or height
    QMap<Qt::DockWidgetArea, int> at_press_;  ///< lengths when a button went down, perhaps on a separator
    std::optional<Wanted> wanted_;
};

} // namespace lab
