#include "core/sweep/winners.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace lab {
namespace {

std::string winnerText(const Sweep& sweep, std::vector<const Cell*> rivals)
{
    std::ranges::stable_sort(rivals, [&](const Cell* a, const Cell* b) { return isBetter(sweep, *a, *b); });
    const Factor& compared = sweep.factors[*sweep.compare];
    const auto named = [&](const Cell& cell) {
        return compared.values[cell.values[*sweep.compare]].label + ' ' + shortNumber(cell.median_time)
            + " s";
    };
    if (rivals.empty() || !std::isfinite(rivals.front()->median_time)) {
        return rivals.empty() ? "" : "none";
    }
    const Cell& winner = *rivals.front();
    std::string text = named(winner);
    for (std::size_t i = 1; i < rivals.size(); ++i) {
        if (std::isfinite(rivals[i]->median_time) && rivals[i]->median_time <= winner.max_time) {
            text += " ≈ " + named(*rivals[i]);
        }
    }
    return text;
}

/// A factor along the rows or columns of a map, or none, which is one row or column.
class Axis {
public:
    Axis() = default;
    Axis(const Factor& factor, std::size_t number) : factor_(&factor), number_(number) {}

    [[nodiscard]] std::string name() const { return factor_ != nullptr ? factor_->name : ""; }
    [[nodiscard]] std::size_t size() const { return factor_ != nullptr ? factor_->values.size() : 1; }
    [[nodiscard]] std::string label(std::size_t value) const
    {
        return factor_ != nullptr ? factor_->values[value].label : "winner";
    }
    [[nodiscard]] std::size_t placeOf(const Cell& cell) const
    {
        return factor_ != nullptr ? cell.values[number_] : 0;
    }

private:
    const Factor* factor_ = nullptr;
    std::size_t number_ = 0;
};

} // namespace

std::vector<WinnerMap> winnerMaps(const Sweep& sweep, const std::vector<BestCell>& best)
{
    LAB_EXPECTS(sweep.compare.has_value());
    std::vector<std::size_t> others;
    for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
        if (f != *sweep.compare && f != sweep.tune) {
            others.push_back(f);
        }
    }
    const auto takeLast = [&] {
        Axis axis;
        if (!others.empty()) {
            axis = Axis(sweep.factors[others.back()], others.back());
            others.pop_back();
        }
        return axis;
    };
    const Axis columns = takeLast();
    const Axis rows = takeLast();

    // By the values of the factors that are left, then row, then column: in the order of the file.
    using Place = std::pair<std::size_t, std::size_t>;
    std::map<std::vector<std::size_t>, std::map<Place, std::vector<const Cell*>>> places;
    for (const BestCell& one : best) {
        std::vector<std::size_t> outer;
        for (const std::size_t factor : others) {
            outer.push_back(one.cell.values[factor]);
        }
        places[outer][{rows.placeOf(one.cell), columns.placeOf(one.cell)}].push_back(&one.cell);
    }

    std::vector<WinnerMap> maps;
    for (auto& [outer, cells] : places) {
        WinnerMap map;
        for (std::size_t i = 0; i < outer.size(); ++i) {
            const Factor& factor = sweep.factors[others[i]];
            map.title += (i == 0 ? "" : ", ") + factor.name + " = " + factor.values[outer[i]].label;
        }
        map.corner = rows.name() + (rows.size() > 1 ? " \\ " : "") + columns.name();
        for (std::size_t c = 0; c < columns.size(); ++c) {
            map.columns.push_back(columns.label(c));
        }
        for (std::size_t r = 0; r < rows.size(); ++r) {
            WinnerMap::Row row{rows.label(r), {}};
            for (std::size_t c = 0; c < columns.size(); ++c) {
                row.winners.push_back(winnerText(sweep, cells[{r, c}]));
            }
            map.rows.push_back(std::move(row));
        }
        maps.push_back(std::move(map));
    }
    return maps;
}

} // namespace lab
