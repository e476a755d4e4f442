#include "core/sweep/run_figures.h"

#include "core/base/error.h"
#include "core/learn/csv_reader.h"
#include "core/record/csv_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <system_error>
#include <utility>
#include <vector>

namespace lab {
namespace {

constexpr std::array<std::string_view, 12> k_figures{
    "failure",       "stop_reason",     "seconds",
    "updates",       "samples",         "time_to_target",
    "train_loss",    "validation_loss", "validation_accuracy",
    "idle_fraction", "wasted_fraction", "mean_staleness"};

/// Columns of results.csv that runs.csv does not have.
constexpr std::array<std::string_view, 17> k_of_results{"index",
                                                        "seed",
                                                        "runs",
                                                        "reached",
                                                        "failed",
                                                        "min_time_to_target",
                                                        "max_time_to_target",
                                                        "at_edge",
                                                        "samples_per_second",
                                                        "time_to_target_mean",
                                                        "time_to_target_interval",
                                                        "train_loss_mean",
                                                        "train_loss_interval",
                                                        "validation_loss_mean",
                                                        "validation_loss_interval",
                                                        "idle_fraction_mean",
                                                        "idle_fraction_interval"};

/// An infinite figure is an empty cell, like one that is not a number.
double finiteOrNothing(double value) { return std::isfinite(value) ? value : std::nan(""); }

/// Takes the cells of one row in turn.
class RowReader {
public:
    RowReader(const std::vector<std::string>& cells, std::size_t first) : cells_(cells), next_(first) {}

    [[nodiscard]] bool isGood() const { return is_good_; }
    std::string text() { return cells_[next_++]; }
    double number(double where_empty)
    {
        double value = where_empty;
        read(value);
        return value;
    }
    std::int64_t whole()
    {
        std::int64_t value = 0;
        read(value);
        return value;
    }

private:
    template <class Number> void read(Number& value)
    {
        const std::string& cell = cells_[next_++];
        if (!cell.empty()) {
            const char* end = cell.data() + cell.size();
            const auto [rest, error] = std::from_chars(cell.data(), end, value);
            is_good_ = is_good_ && error == std::errc{} && rest == end;
        }
    }

    const std::vector<std::string>& cells_;
    std::size_t next_;
    bool is_good_ = true;
};

std::optional<RunFigures> figuresIn(const std::vector<std::string>& cells, const Sweep& sweep)
{
    const std::size_t before = sweep.factors.size() + 2; // index and seed
    if (cells.size() != before + k_figures.size()) {
        return std::nullopt;
    }
    const double no_number = std::nan("");
    RunFigures run;
    const std::int64_t index = RowReader(cells, 0).whole();
    RowReader row(cells, before);
    run.index = static_cast<std::size_t>(index);
    run.failure = row.text();
    run.stop_reason = row.text();
    run.seconds = row.number(no_number);
    run.updates = row.whole();
    run.samples = row.whole();
    run.time_to_target = row.number(k_never);
    run.train_loss = row.number(no_number);
    run.validation_loss = row.number(no_number);
    run.validation_accuracy = row.number(no_number);
    run.idle_fraction = row.number(no_number);
    run.wasted_fraction = row.number(no_number);
    run.mean_staleness = row.number(no_number);
    const bool is_ours = row.isGood() && index >= 0 && run.index < sweep.runs()
        && runsRow(sweep, run).starts_with(cells.front() + ',');
    return is_ours ? std::optional(std::move(run)) : std::nullopt;
}

} // namespace

bool isColumnOfRuns(std::string_view name)
{
    return std::ranges::find(k_figures, name) != k_figures.end()
        || std::ranges::find(k_of_results, name) != k_of_results.end() || name == "updates_per_second";
}

std::string runsHeader(const Sweep& sweep)
{
    std::string header = "index";
    for (const Factor& factor : sweep.factors) {
        header += ',' + csvCell(factor.name);
    }
    header += ",seed";
    for (const std::string_view figure : k_figures) {
        header += ',';
        header += figure;
    }
    return header;
}

std::string runsRow(const Sweep& sweep, const RunFigures& run)
{
    const Combination combination = combinationOf(sweep, run.index);
    CsvTable row;
    row.whole(static_cast<std::int64_t>(run.index));
    for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
        row.raw(csvCell(sweep.factors[f].values[combination.values[f]].label));
    }
    row.raw(numberText(combination.seed)).raw(csvCell(run.failure));
    if (!run.failure.empty()) {
        for (std::size_t i = 1; i < k_figures.size(); ++i) {
            row.raw("");
        }
    } else {
        row.raw(run.stop_reason).number(run.seconds).whole(run.updates).whole(run.samples);
        row.number(finiteOrNothing(run.time_to_target)).number(finiteOrNothing(run.train_loss));
        row.number(finiteOrNothing(run.validation_loss)).number(finiteOrNothing(run.validation_accuracy));
        row.number(run.idle_fraction).number(run.wasted_fraction).number(run.mean_staleness);
    }
    row.endRow();
    return std::move(row).done();
}

Runs readRuns(std::string_view text, const std::string& file, const Sweep& sweep)
{
    text = text.substr(0, text.rfind('\n') + 1);
    const std::string header = runsHeader(sweep) + '\n';
    if (!text.empty() && !text.starts_with(header)) {
        throw Error(file + ":1: is not the header of this sweep's runs");
    }
    Runs runs;
    CsvReader reader(text, file);
    std::vector<std::string> cells;
    for (bool is_header = true; reader.next(cells); is_header = false) {
        if (is_header) {
            continue;
        }
        std::optional<RunFigures> run = figuresIn(cells, sweep);
        if (!run) {
            throw Error(file + ':' + numberText(reader.line()) + ": is not a row of this sweep's runs");
        }
        runs.insert_or_assign(run->index, std::move(*run));
    }
    return runs;
}

} // namespace lab
