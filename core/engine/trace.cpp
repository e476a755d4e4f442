#include "core/engine/trace.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace lab {
namespace {

constexpr std::size_t k_most_nodes = 1U << 20;
constexpr std::size_t k_most_iterations = 1U << 26;

struct Row {
    std::size_t node = 0;
    std::size_t iteration = 0;
    double seconds = 0;
    int line = 0;
};

[[noreturn]] void refuse(const std::filesystem::path& file, int line, std::string what)
{
    throw ExperimentError(file.string(), {{.where = {}, .what = std::move(what), .line = line}});
}

template <class T> bool readNumber(std::string_view text, T& value)
{
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc{} && end == text.data() + text.size();
}

Row readRow(const std::filesystem::path& file, std::string_view text, int line)
{
    std::array<std::string_view, 3> cells;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::size_t comma = i + 1 < cells.size() ? text.find(',') : text.size();
        if (comma == std::string_view::npos) {
            refuse(file, line, "expected three cells: node,iteration,seconds");
        }
        cells[i] = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    Row row{.line = line};
    if (!readNumber(cells[0], row.node) || row.node >= k_most_nodes) {
        refuse(file, line, "node must be a whole number, counted from 0");
    }
    if (!readNumber(cells[1], row.iteration) || row.iteration >= k_most_iterations) {
        refuse(file, line, "iteration must be a whole number, counted from 0");
    }
    if (!readNumber(cells[2], row.seconds) || !std::isfinite(row.seconds) || row.seconds <= 0) {
        refuse(file, line, "seconds must be a number above 0, with a dot as the decimal mark");
    }
    return row;
}

std::string cellName(std::pair<std::size_t, std::size_t> cell)
{
    return "node " + std::to_string(cell.first) + ", iteration " + std::to_string(cell.second);
}

std::vector<Row> readRows(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::error_code failure;
    if (!std::filesystem::is_regular_file(file, failure) || !in) {
        refuse(file, 0, "cannot be read as a trace; give a CSV file with the header node,iteration,seconds");
    }
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    std::vector<Row> rows;
    int line = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view content = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        line += 1;
        if (content.ends_with('\r')) {
            content.remove_suffix(1);
        }
        if (line == 1) {
            if (content.starts_with("\xEF\xBB\xBF")) {
                content.remove_prefix(3);
            }
            if (content != "node,iteration,seconds") {
                refuse(file, 1, "the first line must be: node,iteration,seconds");
            }
        } else if (!content.empty()) {
            rows.push_back(readRow(file, content, line));
        }
    }
    if (rows.empty()) {
        refuse(file, line, "holds no rows; expected node,iteration,seconds");
    }
    return rows;
}

} // namespace

Trace::Trace(std::vector<double> seconds, std::size_t iterations)
    : seconds_(std::move(seconds)),
      iterations_(iterations)
{
    LAB_EXPECTS(iterations_ > 0 && !seconds_.empty() && seconds_.size() % iterations_ == 0);
}

Trace loadTrace(const std::filesystem::path& file, std::size_t cluster_nodes)
{
    std::vector<Row> rows = readRows(file);
    const std::size_t nodes = std::ranges::max(rows, {}, &Row::node).node + 1;
    const std::size_t iterations = std::ranges::max(rows, {}, &Row::iteration).iteration + 1;
    if (nodes < cluster_nodes) {
        refuse(file, 0,
               "records " + std::to_string(nodes) + (nodes == 1 ? " node" : " nodes")
                   + ", but the cluster has " + std::to_string(cluster_nodes)
                   + "; use a longer trace or fewer nodes");
    }
    // In order, every row is the next cell; memory is taken only for what the file holds.
    std::ranges::stable_sort(rows, {}, [](const Row& row) { return std::pair(row.node, row.iteration); });
    std::vector<double> seconds;
    seconds.reserve(rows.size());
    for (const Row& row : rows) {
        const std::pair next(seconds.size() / iterations, seconds.size() % iterations);
        const std::pair here(row.node, row.iteration);
        if (here < next) {
            refuse(file, row.line, "gives " + cellName(here) + " a second time");
        }
        if (here > next) {
            refuse(file, 0, "has no row for " + cellName(next));
        }
        seconds.push_back(row.seconds);
    }
    if (seconds.size() < nodes * iterations) {
        refuse(file, 0, "has no row for " + cellName({nodes - 1, seconds.size() % iterations}));
    }
    return {std::move(seconds), iterations};
}

} // namespace lab
