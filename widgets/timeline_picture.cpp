#include "widgets/timeline_picture.h"

#include "widgets/axis_range.h"
#include "widgets/texture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>

namespace lab {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("lab::TimelineView", text); }

constexpr double k_least_names = 56; ///< group letter and node name
constexpr double k_letter = 20;      ///< of the group, at the usual size of text
constexpr double k_names_gap = 6;    ///< between the names and the lanes
constexpr double k_axis_height = 26;
constexpr double k_highest_lane = 18;
constexpr double k_widest_pitch = 29;
constexpr double k_least_named_pitch = 11;
constexpr double k_least_slice = 1.2; ///< pixels; shorter spans are merged into one colour

/// Room for a group's letter, left of the names.
double letterWidth(const QFontMetricsF& metrics)
{
    return std::max(k_letter, 2.6 * metrics.averageCharWidth());
}

/// Gathers and draws one lane's spans, merging those that are shorter than a pixel.
class LanePainter {
public:
    LanePainter(QPainter& painter, const QRectF& bar, TimeWindow window, const Theme& theme)
        : painter_(painter),
          bar_(bar),
          window_(window),
          scale_(bar.width() / window.length()),
          theme_(theme)
    {
    }

    void add(const Span& span)
    {
        const double left = std::max(bar_.left(), x(toSeconds(span.start)));
        const double right = std::min(bar_.right(), x(toSeconds(span.end)));
        if (right <= left) {
            return;
        }
        if (right - left >= k_least_slice) {
            flush();
            const double gap = right - left > 2.5 ? 0.6 : 0; // a hair of light between neighbours
            whole_[static_cast<std::size_t>(span.activity)]
                << QRectF(left, bar_.top(), right - left - gap, bar_.height());
            return;
        }
        if (!is_merging_) {
            is_merging_ = true;
            merged_left_ = left;
        }
        merged_[static_cast<std::size_t>(span.activity)] += right - left;
        merged_right_ = right;
        if (merged_right_ - merged_left_ >= k_least_slice) {
            flush();
        }
    }

    /// Draws it all, activity by activity.
    void draw()
    {
        flush();
        for (std::size_t i = 0; i < k_activities; ++i) {
            if (!whole_[i].isEmpty()) {
                fillActivity(painter_, whole_[i], theme_.activity[i]);
            }
            if (!mixed_[i].isEmpty()) {
                fillRects(painter_, mixed_[i], theme_.activity[i].ink);
            }
        }
    }

private:
    [[nodiscard]] double x(double seconds) const { return bar_.left() + (seconds - window_.from) * scale_; }

    /// What has been merged so far gets the colour of its largest part.
    void flush()
    {
        if (is_merging_) {
            const auto largest =
                static_cast<std::size_t>(std::ranges::max_element(merged_) - merged_.begin());
            mixed_[largest] << QRectF(merged_left_, bar_.top(), merged_right_ - merged_left_, bar_.height());
            merged_.fill(0);
            is_merging_ = false;
        }
    }

    QPainter& painter_;
    QRectF bar_;
    TimeWindow window_;
    double scale_;
    const Theme& theme_;
    bool is_merging_ = false;
    double merged_left_ = 0;
    double merged_right_ = 0;
    std::array<double, k_activities> merged_{};
    std::array<QList<QRectF>, k_activities> whole_;
    std::array<QList<QRectF>, k_activities> mixed_;
};

void drawLane(QPainter& painter, const TimelineLayout::Lane& lane, const RunHistory& history,
              TimeWindow window, const Theme& theme)
{
    painter.fillRect(lane.bar, theme.lane);
    LanePainter slices(painter, lane.bar, window, theme);
    for (const Span& span : history.lane(lane.node).spansFrom(atSeconds(window.from))) {
        if (toSeconds(span.start) >= window.to) {
            break;
        }
        slices.add(span);
    }
    for (const Span& span : history.latest().open) {
        if (span.node == lane.node) {
            slices.add(span);
        }
    }
    slices.draw();
}

void drawAxis(QPainter& painter, const QRectF& plot, TimeWindow window, const Theme& theme)
{
    const QFontMetricsF metrics(painter.font());
    const std::vector<double> ticks =
        linearTicks({window.from, window.to}, std::max(2, static_cast<int>(plot.width() / 100)));
    const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 1;
    const int decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3;
    painter.setPen(theme.muted);
    for (const double tick : ticks) {
        const double x = plot.left() + (tick - window.from) / window.length() * plot.width();
        painter.drawLine(QPointF(x, plot.bottom() + 5), QPointF(x, plot.bottom() + 9));
        const QString text = QStringLiteral("%1 s").arg(tick, 0, 'f', decimals);
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(x - width / 2, plot.left(), plot.right() - width);
        painter.drawText(QPointF(left, plot.bottom() + 13 + metrics.ascent()), text);
    }
}

void drawFlags(QPainter& painter, const QRectF& plot, const std::vector<TimelineFlag>& flags,
               const std::vector<FlagPlace>& places, const Theme& theme)
{
    for (const FlagPlace& place : places) {
        painter.setPen(QPen(theme.event, 1.2, Qt::DashLine));
        painter.drawLine(QPointF(place.x, plot.top() - 4), QPointF(place.x, plot.bottom() + 4));
        if (!place.label.isNull()) {
            painter.setPen(theme.event_text);
            painter.drawText(place.label, flags[place.flag].text);
        }
    }
}

} // namespace

double timelineNamesWidth(const RunHistory& history, const QFont& font, int most_letters)
{
    const QFontMetricsF metrics(fontFor(TextRole::Small, font));
    double widest = 0;
    for (std::size_t i = 0; i < history.nodeCount(); ++i) {
        widest = std::max(widest, metrics.horizontalAdvance(history.nameOf(NodeId{i})));
    }
    widest = std::min(widest, most_letters * metrics.averageCharWidth());
    return std::max(k_least_names, letterWidth(metrics) + widest + 1 + k_names_gap);
}

TimelineLayout layOutTimeline(const Partition& groups, const QRectF& area, double names_width)
{
    TimelineLayout layout;
    int lanes = 0;
    int blocks = 0;
    for (const auto& members : groups) {
        lanes += static_cast<int>(members.size());
        blocks += members.empty() ? 0 : 1;
    }
    const double height = std::max(10.0, area.height() - k_axis_height - 12);
    // Between two groups there is a rule with a third of a lane's pitch around it.
    const double units = std::max(1.0, lanes + 0.34 * std::max(0, blocks - 1));
    const double pitch = std::min(k_widest_pitch, height / units);
    const double bar = std::min(k_highest_lane, pitch * 0.64);
    layout.has_names = pitch >= k_least_named_pitch;
    layout.plot = QRectF(area.left() + names_width, area.top(), std::max(10.0, area.width() - names_width),
                         pitch * units + 2);
    double top = area.top() + 2;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].empty()) {
            continue;
        }
        TimelineLayout::Head head{GroupId{g}, QPointF(area.left(), top + bar * 0.5), 0};
        for (const NodeId node : groups[g]) {
            layout.lanes.push_back({node, QRectF(layout.plot.left(), top, layout.plot.width(), bar)});
            top += pitch;
        }
        head.rule = top - (pitch - bar) + pitch * 0.34;
        top += 0.34 * pitch;
        layout.heads.push_back(head);
    }
    return layout;
}

std::vector<TimelineFlag> flagsOf(const std::vector<LogEntry>& log, const RunHistory& history)
{
    std::vector<TimelineFlag> flags;
    for (const LogEntry& entry : log) {
        const QString name = entry.node.isValid() ? history.nameOf(entry.node) : QString();
        QString text;
        switch (entry.kind) {
        case LogEntry::Kind::Fail:
            text = tr("%1 fails").arg(name);
            break;
        case LogEntry::Kind::Recover:
            text = tr("%1 is back").arg(name);
            break;
        case LogEntry::Kind::Slow:
            text = tr("%1 slows").arg(name);
            break;
        case LogEntry::Kind::Move:
            text = tr("%1 moves").arg(name);
            break;
        case LogEntry::Kind::Regroup:
            text = tr("regrouped");
            break;
        case LogEntry::Kind::Switch:
            text = tr("other strategy");
            break;
        case LogEntry::Kind::Detected:
        case LogEntry::Kind::Note:
        case LogEntry::Kind::Stop:
            continue;
        }
        flags.push_back({entry.time, text});
    }
    return flags;
}

std::vector<FlagPlace> placeFlags(const QRectF& plot, const std::vector<TimelineFlag>& flags,
                                  TimeWindow window, const QFont& font)
{
    const QFontMetricsF metrics(fontFor(TextRole::Tiny, font));
    std::vector<FlagPlace> places;
    double free_from = plot.left(); // a label that would run into the one before it is left out
    for (std::size_t i = 0; i < flags.size(); ++i) {
        const double at = toSeconds(flags[i].at);
        if (at < window.from || at > window.to) {
            continue;
        }
        const double x = plot.left() + (at - window.from) / window.length() * plot.width();
        const double width = metrics.horizontalAdvance(flags[i].text);
        const double left = x + 4 + width <= plot.right() ? x + 4 : x - 4 - width;
        QRectF label;
        if (left >= free_from) {
            label = QRectF(left, plot.bottom() - 1, width, metrics.height()); // between lanes and axis
            free_from = left + width + 6;
        }
        places.push_back({i, x, label});
    }
    return places;
}

void drawTimeline(QPainter& painter, const TimelineLayout& layout, const RunHistory& history,
                  const std::vector<TimelineFlag>& flags, TimeWindow window, const Theme& theme,
                  const QFont& font)
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const TimelineLayout::Lane& lane : layout.lanes) {
        drawLane(painter, lane, history, window, theme);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontFor(TextRole::Strong, font));
    const QFontMetricsF letters(painter.font());
    double free_from =
        layout.plot.top() - letters.height(); // for letters and names that would run into others
    for (const TimelineLayout::Head& head : layout.heads) {
        const double base = std::max(head.middle.y() + letters.capHeight() / 2, letters.capHeight());
        if (base - letters.capHeight() >= free_from) {
            painter.setPen(theme.muted);
            painter.drawText(QPointF(head.middle.x(), base), groupLetter(head.group));
            free_from = base + 2;
        }
        painter.setPen(theme.border);
        painter.drawLine(QPointF(head.middle.x(), head.rule), QPointF(layout.plot.right(), head.rule));
    }
    painter.setFont(fontFor(TextRole::Small, font));
    if (layout.has_names) {
        painter.setPen(theme.text);
        const QFontMetricsF metrics(painter.font());
        const double left = layout.heads.front().middle.x() + letterWidth(metrics);
        free_from = layout.plot.top() - metrics.height();
        for (const TimelineLayout::Lane& lane : layout.lanes) {
            const double base =
                std::max(lane.bar.center().y() + metrics.capHeight() / 2, metrics.capHeight());
            if (base - metrics.capHeight() < free_from) {
                continue;
            }
            painter.drawText(QPointF(left, base),
                             metrics.elidedText(history.nameOf(lane.node), Qt::ElideRight,
                                                layout.plot.left() - left - k_names_gap));
            free_from = base + 1;
        }
    }
    painter.setFont(fontFor(TextRole::Tiny, font));
    drawAxis(painter, layout.plot, window, theme);
    drawFlags(painter, layout.plot, flags, placeFlags(layout.plot, flags, window, font), theme);
}

} // namespace lab
