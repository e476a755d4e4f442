#include "core/sweep/report.h"

#include "core/base/text.h"
#include "core/record/csv_table.h"
#include "core/sweep/winners.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace lab {
namespace {

/// A cell of a Markdown table.
std::string cellOf(std::string_view text)
{
    std::string cell;
    for (const char byte : text) {
        cell += byte == '|' ? "\\|" : std::string(1, byte);
    }
    return cell;
}

class MarkdownTable {
public:
    explicit MarkdownTable(const std::vector<std::string>& header)
    {
        add(header);
        for (std::size_t i = 0; i < header.size(); ++i) {
            text_ += i == 0 ? "| ---" : " | ---";
        }
        text_ += " |\n";
    }
    void add(const std::vector<std::string>& cells)
    {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            text_ += (i == 0 ? "| " : " | ") + cellOf(cells[i]);
        }
        text_ += " |\n";
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
};

std::string numberOr(double value, const char* otherwise)
{
    if (!std::isfinite(value)) {
        return otherwise;
    }
    return std::abs(value) < 1000 ? shortNumber(value) : numberText(std::round(value));
}

std::string timeText(double seconds) { return numberOr(seconds, "not reached"); }

std::string targetText(const Target& target)
{
    const char* loss = target.loss == Target::Loss::Training ? "training" : "validation";
    return std::string("a ") + loss + " loss of " + shortNumber(target.value, 6);
}

std::string bestTable(const Sweep& sweep, const std::vector<BestCell>& best)
{
    std::vector<std::string> header;
    for (const Factor& factor : sweep.factors) {
        header.push_back(factor.name);
    }
    if (sweep.target) {
        header.insert(header.end(), {"time to target, s", "range", "reached"});
    }
    header.insert(header.end(),
                  {"training loss", "validation loss", "samples/s", "updates/s", "idle", "staleness"});
    MarkdownTable table(header);
    for (const auto& [cell, is_at_edge] : best) {
        std::vector<std::string> row;
        for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
            row.push_back(sweep.factors[f].values[cell.values[f]].label
                          + (f == sweep.tune && is_at_edge ? " (edge)" : ""));
        }
        if (sweep.target) {
            row.push_back(timeText(cell.median_time));
            row.push_back(numberOr(cell.min_time, "never") + " … " + numberOr(cell.max_time, "never"));
            row.push_back(std::to_string(cell.reached) + " of " + std::to_string(cell.runs));
        }
        for (const double figure : {cell.train_loss, cell.validation_loss, cell.samples_per_second,
                                    cell.updates_per_second, cell.idle_fraction, cell.mean_staleness}) {
            row.push_back(numberOr(figure, "-"));
        }
        table.add(row);
    }
    return table.text();
}

/// `12.3 ± 0.4 (5)`: mean, 95 % interval, runs.
std::string meanText(const MeanInterval& mean, const char* otherwise)
{
    if (!std::isfinite(mean.mean)) {
        return otherwise;
    }
    return numberOr(mean.mean, otherwise) + (mean.half_width ? " ± " + shortNumber(*mean.half_width, 2) : "")
        + " (" + std::to_string(mean.runs) + ')';
}

std::string meanTable(const Sweep& sweep, const std::vector<BestCell>& best)
{
    std::vector<std::string> header;
    for (const Factor& factor : sweep.factors) {
        header.push_back(factor.name);
    }
    if (sweep.target) {
        header.emplace_back("time to target, s");
    }
    header.insert(header.end(), {"training loss", "validation loss", "idle"});
    MarkdownTable table(header);
    for (const BestCell& one : best) {
        const Cell& cell = one.cell;
        std::vector<std::string> row;
        for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
            row.push_back(sweep.factors[f].values[cell.values[f]].label);
        }
        if (sweep.target) {
            const std::string missing =
                std::to_string(cell.runs - cell.reached) + " of " + std::to_string(cell.runs) + " never";
            row.push_back(meanText(cell.time_interval, missing.c_str()));
        }
        for (const MeanInterval& mean :
             {cell.train_loss_interval, cell.validation_loss_interval, cell.idle_interval}) {
            row.push_back(meanText(mean, "-"));
        }
        table.add(row);
    }
    return table.text();
}

/// The median time for each value of the tuned factor, the best in bold.
std::string gridTable(const Sweep& sweep, const std::vector<Cell>& cells, const std::vector<BestCell>& best)
{
    const std::size_t tune = *sweep.tune;
    std::vector<std::string> header;
    for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
        if (f != tune) {
            header.push_back(sweep.factors[f].name);
        }
    }
    for (const FactorValue& value : sweep.factors[tune].values) {
        header.push_back(value.label);
    }
    MarkdownTable table(header);
    std::map<std::vector<std::size_t>, double> times;
    for (const Cell& cell : cells) {
        times.emplace(cell.values, cell.median_time);
    }
    for (const BestCell& one : best) {
        std::vector<std::string> row;
        for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
            if (f != tune) {
                row.push_back(sweep.factors[f].values[one.cell.values[f]].label);
            }
        }
        std::vector<std::size_t> values = one.cell.values;
        for (values[tune] = 0; values[tune] < sweep.factors[tune].values.size(); ++values[tune]) {
            const auto found = times.find(values);
            const std::string text = found == times.end() ? "" : numberOr(found->second, "-");
            row.push_back(values == one.cell.values && text != "-" ? "**" + text + "**" : text);
        }
        table.add(row);
    }
    return table.text();
}

std::string winnersText(const std::vector<WinnerMap>& maps)
{
    std::string text;
    for (const WinnerMap& map : maps) {
        text += map.title.empty() ? "" : "\n### " + map.title + "\n";
        std::vector<std::string> header{map.corner};
        header.insert(header.end(), map.columns.begin(), map.columns.end());
        MarkdownTable table(header);
        for (const WinnerMap::Row& row : map.rows) {
            std::vector<std::string> cells{row.label};
            cells.insert(cells.end(), row.winners.begin(), row.winners.end());
            table.add(cells);
        }
        text += '\n' + table.text();
    }
    return text;
}

} // namespace

std::string resultsCsv(const Sweep& sweep, const Runs& runs)
{
    std::string header;
    for (const Factor& factor : sweep.factors) {
        header += csvCell(factor.name) + ',';
    }
    CsvTable table(
        header
            + "runs,reached,failed,time_to_target,min_time_to_target,max_time_to_target,at_edge,"
              "train_loss,validation_loss,samples_per_second,updates_per_second,idle_fraction,"
              "mean_staleness,time_to_target_mean,time_to_target_interval,train_loss_mean,"
              "train_loss_interval,validation_loss_mean,validation_loss_interval,idle_fraction_mean,"
              "idle_fraction_interval",
        0, 0);
    const auto finite = [](double value) { return std::isfinite(value) ? value : std::nan(""); };
    for (const auto& [cell, is_at_edge] : bestOf(sweep, cellsOf(sweep, runs))) {
        for (std::size_t f = 0; f < sweep.factors.size(); ++f) {
            table.raw(csvCell(sweep.factors[f].values[cell.values[f]].label));
        }
        for (const std::size_t count : {cell.runs, cell.reached, cell.failed}) {
            table.whole(static_cast<std::int64_t>(count));
        }
        table.number(finite(cell.median_time)).number(finite(cell.min_time)).number(finite(cell.max_time));
        table.raw(sweep.tune ? (is_at_edge ? "true" : "false") : "");
        for (const double figure : {cell.train_loss, cell.validation_loss, cell.samples_per_second,
                                    cell.updates_per_second, cell.idle_fraction, cell.mean_staleness}) {
            table.number(finite(figure));
        }
        for (const MeanInterval& mean : {cell.time_interval, cell.train_loss_interval,
                                         cell.validation_loss_interval, cell.idle_interval}) {
            table.number(finite(mean.mean)).number(mean.half_width.value_or(std::nan("")));
        }
        table.endRow();
    }
    return std::move(table).done();
}

std::string resultsMarkdown(const Sweep& sweep, const Runs& runs)
{
    const std::vector<Cell> cells = cellsOf(sweep, runs);
    const std::vector<BestCell> best = bestOf(sweep, cells);
    const auto failed =
        std::ranges::count_if(runs, [](const auto& run) { return !run.second.failure.empty(); });

    std::string text = "# " + (sweep.title.empty() ? "Sweep" : sweep.title) + "\n\n";
    text += std::to_string(runs.size())
        + (runs.size() < sweep.runs() ? " of " + std::to_string(sweep.runs()) : "") + " runs, "
        + std::to_string(sweep.seeds.size()) + (sweep.seeds.size() == 1 ? " seed" : " seeds")
        + " each; medians over the seeds";
    if (sweep.target) {
        text += "; the target is " + targetText(*sweep.target)
            + " in the median of three evaluations, and a run that never gets there counts as later than all "
              "others";
    }
    text +=
        failed > 0 ? ". " + std::to_string(failed) + " could not be carried out: see runs.csv.\n\n" : ".\n\n";
    text += runs.size() < sweep.runs()
        ? "**This is a part of the sweep**; `straggler-lab merge` joins the parts.\n\n"
        : "";
    if (sweep.tune) {
        text += "## At the best " + sweep.factors[*sweep.tune].name + "\n\n";
    }
    text += bestTable(sweep, best);
    if (sweep.seeds.size() > 1) {
        text +=
            "\n## Means over the seeds\n\nMean ± half of the 95 % interval (Student's t), and the number of "
            "runs. Where a run never reaches the target there is no mean of the time.\n\n"
            + meanTable(sweep, best);
    }
    if (sweep.tune) {
        const std::string& name = sweep.factors[*sweep.tune].name;
        if (std::ranges::any_of(best, &BestCell::is_at_edge)) {
            text += "\n(edge): the best is at the edge of the grid; beyond might be a better one.\n";
        }
        text += "\n## Median time to target, s, by " + name + "\n\n" + gridTable(sweep, cells, best);
    }
    if (sweep.compare) {
        text += "\n## Who wins\n\nThe median time to target at its best; after ≈ who lies within the "
                "winner's range over "
                "the seeds.\n"
            + winnersText(winnerMaps(sweep, best));
    }
    return text;
}

} // namespace lab
