#include "widgets/cluster_layout.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lab {

namespace {

constexpr double k_margin = 13;
constexpr double k_group_gap = 8;
constexpr QSizeF k_server{172, 50};
constexpr double k_server_top = 4;

struct Metrics {
    CardSize size;
    double card_width;
    double widest_card;
    double card_height;
    double gap;
    double padding;
    double header;
};

constexpr Metrics k_metrics[] = {
    {CardSize::Full, 88, 128, 88, 8, 10, 34},
    {CardSize::Compact, 66, 90, 44, 6, 8, 26},
    {CardSize::Compact, 50, 66, 44, 4, 5, 26},
    {CardSize::Dot, 18, 18, 18, 4, 7, 20},
};

/// A trial: how many rows of cards a group has, and what that makes of the whole.
struct Trial {
    Metrics metrics{};
    int rows = 1;
    double link = 60; ///< between the server and the first row of groups
    std::vector<int> columns;
    std::vector<std::vector<std::size_t>> lines; ///< groups side by side
    double height = 0;
};

double boxWidth(const Metrics& m, int columns, double card_width)
{
    return columns * card_width + (columns - 1) * m.gap + 2 * m.padding;
}

double boxHeight(const Metrics& m, int rows)
{
    return m.header + rows * m.card_height + (rows - 1) * m.gap + m.padding;
}

int rowsOf(std::size_t members, int columns) { return (static_cast<int>(members) + columns - 1) / columns; }

Trial tryOut(const Metrics& metrics, int rows, double link, const Partition& groups, double width)
{
    Trial trial{metrics, rows, link, std::vector<int>(groups.size(), 0), {}, 0};
    double used = width; // forces a first line
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].empty()) {
            continue;
        }
        const int members = static_cast<int>(groups[g].size());
        const double room = width - 2 * k_margin - 2 * metrics.padding + metrics.gap;
        const int most = std::max(1, static_cast<int>(room / (metrics.card_width + metrics.gap)));
        trial.columns[g] = std::min((members + rows - 1) / rows, most);
        const double box = boxWidth(metrics, trial.columns[g], metrics.card_width);
        if (trial.lines.empty() || used + k_group_gap + box > width - 2 * k_margin) {
            trial.lines.emplace_back();
            used = -k_group_gap;
        }
        trial.lines.back().push_back(g);
        used += k_group_gap + box;
    }
    trial.height = k_server_top + k_server.height() + link;
    for (const auto& line : trial.lines) {
        int tallest = 1;
        for (const std::size_t g : line) {
            tallest = std::max(tallest, rowsOf(groups[g].size(), trial.columns[g]));
        }
        trial.height += boxHeight(metrics, tallest) + k_group_gap;
    }
    trial.height += k_margin - k_group_gap;
    return trial;
}

/// The first trial that fits, from full to dots, with few rows of cards before many, and long links before short.
Trial choose(const Partition& groups, QSizeF available)
{
    std::size_t largest = 1;
    for (const auto& members : groups) {
        largest = std::max(largest, members.size());
    }
    Trial trial;
    for (const Metrics& metrics : k_metrics) {
        for (const double link : {60.0, 30.0}) {
            Trial best;
            for (int rows = 1; rows <= static_cast<int>(largest); ++rows) {
                trial = tryOut(metrics, rows, link, groups, available.width());
                const bool fits = trial.height <= available.height();
                if (fits && (best.lines.empty() || trial.lines.size() < best.lines.size())) {
                    best = trial;
                }
            }
            if (!best.lines.empty()) {
                return best;
            }
        }
    }
    const auto rows = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(largest))));
    return tryOut(*std::prev(std::end(k_metrics)), rows, 30, groups, available.width());
}

} // namespace

double headerHeight(CardSize size) { return std::ranges::find(k_metrics, size, &Metrics::size)->header; }

ClusterLayout layOutCluster(const Partition& groups, std::size_t nodes, QSizeF available)
{
    const Trial trial = choose(groups, available);
    const Metrics& m = trial.metrics;
    ClusterLayout layout;
    layout.size = m.size;
    layout.groups.resize(groups.size());
    layout.nodes.resize(nodes);
    const double width = std::max(available.width(), boxWidth(m, 1, m.card_width) + 2 * k_margin);
    layout.server = QRectF((width - k_server.width()) / 2, k_server_top, k_server.width(), k_server.height());

    double top = layout.server.bottom() + trial.link;
    for (const auto& line : trial.lines) {
        int columns = 0;
        int rows = 1;
        double fixed = -k_group_gap;
        for (const std::size_t g : line) {
            columns += trial.columns[g];
            rows = std::max(rows, rowsOf(groups[g].size(), trial.columns[g]));
            fixed += k_group_gap + boxWidth(m, trial.columns[g], 0);
        }
        const double card =
            std::clamp(std::floor((width - 2 * k_margin - fixed) / columns), m.card_width, m.widest_card);
        double left = std::round((width - fixed - columns * card) / 2);
        for (const std::size_t g : line) {
            const QRectF box(left, top, boxWidth(m, trial.columns[g], card), boxHeight(m, rows));
            layout.groups[g] = box;
            for (std::size_t i = 0; i < groups[g].size(); ++i) {
                const auto column = static_cast<double>(static_cast<int>(i) % trial.columns[g]);
                const auto row = static_cast<double>(static_cast<int>(i) / trial.columns[g]);
                layout.nodes[groups[g][i].index()] =
                    QRectF(left + m.padding + column * (card + m.gap),
                           top + m.header + row * (m.card_height + m.gap), card, m.card_height);
            }
            left += box.width() + k_group_gap;
        }
        top += boxHeight(m, rows) + k_group_gap;
    }
    layout.extent = QSizeF(width, std::max(available.height(), top - k_group_gap + k_margin));
    return layout;
}

} // namespace lab
