#include "core/sweep/cells.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace lab {
namespace {

/// Medians of the figures of a cell's runs.
class CellMaker {
public:
    explicit CellMaker(std::vector<std::size_t> values) { cell_.values = std::move(values); }

    void add(const RunFigures& run)
    {
        ++cell_.runs;
        times_.push_back(run.failure.empty() ? run.time_to_target : k_never);
        if (!run.failure.empty()) {
            ++cell_.failed;
            return;
        }
        cell_.reached += std::isfinite(run.time_to_target) ? 1 : 0;
        train_losses_.push_back(lossOf(run.train_loss));
        validation_losses_.push_back(lossOf(run.validation_loss));
        samples_.push_back(static_cast<double>(run.samples) / run.seconds);
        updates_.push_back(static_cast<double>(run.updates) / run.seconds);
        idle_.push_back(run.idle_fraction);
        staleness_.push_back(run.mean_staleness);
    }

    [[nodiscard]] Cell done() &&
    {
        cell_.min_time = *std::ranges::min_element(times_);
        cell_.max_time = *std::ranges::max_element(times_);
        cell_.time_interval = meanInterval(times_);
        cell_.train_loss_interval = meanInterval(train_losses_);
        cell_.validation_loss_interval = meanInterval(validation_losses_);
        cell_.idle_interval = meanInterval(idle_);
        cell_.median_time = median(std::move(times_));
        cell_.train_loss = median(std::move(train_losses_));
        cell_.validation_loss = median(std::move(validation_losses_));
        cell_.samples_per_second = median(std::move(samples_));
        cell_.updates_per_second = median(std::move(updates_));
        cell_.idle_fraction = median(std::move(idle_));
        cell_.mean_staleness = median(std::move(staleness_));
        return std::move(cell_);
    }

private:
    /// A loss that is no number any more is worse than every other.
    static double lossOf(double loss) { return std::isnan(loss) ? k_never : loss; }

    Cell cell_;
    std::vector<double> times_;
    std::vector<double> train_losses_;
    std::vector<double> validation_losses_;
    std::vector<double> samples_;
    std::vector<double> updates_;
    std::vector<double> idle_;
    std::vector<double> staleness_;
};

double lossAimedAt(const Sweep& sweep, const Cell& cell)
{
    const bool is_training = sweep.target && sweep.target->loss == Target::Loss::Training;
    return is_training ? cell.train_loss : cell.validation_loss;
}

} // namespace

double median(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) {
        return std::nan("");
    }
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    const double upper = values[middle];
    return values.size() % 2 == 1 || std::isinf(upper) ? upper : (values[middle - 1] + upper) / 2;
}

std::vector<Cell> cellsOf(const Sweep& sweep, const Runs& runs)
{
    std::vector<Cell> cells;
    const std::size_t seeds = sweep.seeds.size();
    for (auto next = runs.begin(); next != runs.end();) {
        const std::size_t cell = next->first / seeds;
        CellMaker maker(combinationOf(sweep, next->first).values);
        for (; next != runs.end() && next->first / seeds == cell; ++next) {
            maker.add(next->second);
        }
        cells.push_back(std::move(maker).done());
    }
    return cells;
}

bool isBetter(const Sweep& sweep, const Cell& a, const Cell& b)
{
    if (a.median_time != b.median_time) {
        return a.median_time < b.median_time;
    }
    return a.reached != b.reached ? a.reached > b.reached : lossAimedAt(sweep, a) < lossAimedAt(sweep, b);
}

std::vector<BestCell> bestOf(const Sweep& sweep, std::span<const Cell> cells)
{
    const auto others = [&](std::vector<std::size_t> values) {
        if (sweep.tune) {
            values[*sweep.tune] = 0;
        }
        return values;
    };
    std::vector<BestCell> best;
    std::map<std::vector<std::size_t>, std::size_t> places;
    for (const Cell& cell : cells) {
        const auto [place, is_new] = places.emplace(others(cell.values), best.size());
        if (is_new) {
            best.push_back({cell, false});
        } else if (isBetter(sweep, cell, best[place->second].cell)) {
            best[place->second].cell = cell;
        }
    }
    for (BestCell& one : best) {
        if (sweep.tune) {
            const std::size_t last = sweep.factors[*sweep.tune].values.size() - 1;
            const std::size_t value = one.cell.values[*sweep.tune];
            one.is_at_edge = last > 0 && (value == 0 || value == last);
        }
    }
    return best;
}

} // namespace lab
