#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/learn/dataset_catalog.h"
#include "core/learn/permutation.h"

#include <algorithm>
#include <cmath>

namespace lab {
namespace {

using RowList = std::vector<std::uint32_t>;

struct Deal {
    RowList training;
    RowList validation;
};

/// Rows of each class, in an order fixed by the seed; the rows of a regression are one class.
std::vector<RowList> rowsByClass(const Dataset& all, std::uint64_t seed)
{
    std::vector<RowList> classes(static_cast<std::size_t>(std::max(all.classes, 1)));
    const Permutation order(all.rows(), Rng(seed, Purpose::Split, 0, 0).next());
    for (std::size_t place = 0; place < all.rows(); ++place) {
        const std::uint32_t row = order(place);
        classes[all.classes > 0 ? static_cast<std::size_t>(all.labels[row]) : 0].push_back(row);
    }
    return classes;
}

Deal deal(const Dataset& all, double validation, std::uint64_t seed)
{
    std::vector<char> is_validation(all.rows(), 0);
    std::size_t seen = 0;
    std::size_t dealt = 0;
    for (const RowList& rows : rowsByClass(all, seed)) {
        if (rows.empty()) {
            continue;
        }
        // Rounding what all classes so far should have given, not each class alone, keeps the total exact.
        seen += rows.size();
        const auto due = static_cast<std::size_t>(std::llround(validation * static_cast<double>(seen)));
        // A class that is kept for validation altogether could never be learnt.
        const std::size_t count = std::min(due - std::min(due, dealt), rows.size() - 1);
        dealt += count;
        for (std::size_t i = 0; i < count; ++i) {
            is_validation[rows[i]] = 1;
        }
    }
    // Both parts are in shuffled order, so that any run of their rows is a fair sample of all classes.
    Deal result;
    const Permutation order(all.rows(), Rng(seed, Purpose::Split, 1, 0).next());
    for (std::size_t place = 0; place < all.rows(); ++place) {
        const std::uint32_t row = order(place);
        (is_validation[row] != 0 ? result.validation : result.training).push_back(row);
    }
    return result;
}

Dataset selectRows(const Dataset& all, const RowList& rows)
{
    Dataset part;
    part.name = all.name;
    part.classes = all.classes;
    part.class_names = all.class_names;
    part.x.resize(static_cast<Eigen::Index>(rows.size()), all.x.cols());
    Eigen::Index to = 0;
    for (const std::uint32_t row : rows) {
        part.x.row(to++) = all.x.row(row);
        part.targets.push_back(all.targets[row]);
        if (!all.labels.empty()) {
            part.labels.push_back(all.labels[row]);
        }
    }
    return part;
}

void scale(Dataset::Features::ColXpr column, double mean, double deviation)
{
    for (float& value : column) {
        value = deviation > 0.0 ? static_cast<float>((static_cast<double>(value) - mean) / deviation) : 0.0F;
    }
}

/// Scales all features, in both parts, by the mean and deviation of the training rows: validation rows must not have a
/// say. A constant feature tells nothing and becomes 0. Data within [0, 1] are taken to be scaled by their author, as
/// pixels are. That is asked of all features at once: one that only spans 0.05 to 0.15 beside one that spans thousands
/// would otherwise be as good as lost (breast cancer: 93 % right instead of 97 %).
void standardise(Split& split)
{
    Dataset::Features& training = split.training.x;
    if (training.minCoeff() >= 0.0F && training.maxCoeff() <= 1.0F) {
        return;
    }
    for (Eigen::Index feature = 0; feature < training.cols(); ++feature) {
        const Eigen::ArrayXd column = training.col(feature).cast<double>();
        const double mean = column.mean();
        // Equal values need not have a deviation of exactly 0: their mean is rounded.
        const bool is_constant = column.minCoeff() == column.maxCoeff();
        const double deviation = is_constant ? 0.0 : std::sqrt((column - mean).square().mean());
        scale(training.col(feature), mean, deviation);
        scale(split.validation.x.col(feature), mean, deviation);
    }
}

} // namespace

Split splitDataset(const Dataset& all, double validation, std::uint64_t seed)
{
    LAB_EXPECTS(validation >= 0.0 && validation < 1.0);
    if (all.rows() == 0) {
        throw Error("data '" + all.name + "': no rows");
    }
    const Deal rows = deal(all, validation, seed);
    if (validation > 0.0 && rows.validation.empty()) {
        throw Error("data '" + all.name + "': no rows left for validation out of "
                    + std::to_string(all.rows()) + "; raise data.validation, set it to 0, or give more rows");
    }
    Split split{selectRows(all, rows.training), selectRows(all, rows.validation)};
    standardise(split);
    return split;
}

} // namespace lab
