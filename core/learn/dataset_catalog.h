#pragma once

#include "core/learn/dataset.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace lab {

/// A CSV file of numbers, with or without a header line; `label` is the column that holds the class or target:
/// `first`, `last`, a column's name or its number from 0. Text labels become classes in alphabetical order; whole
/// numbers become classes when there are at most 100 of them, else the target of a regression. RFC 4180, UTF-8.
struct CsvSource {
    std::string csv;
    std::string label = "last";
    friend bool operator==(const CsvSource&, const CsvSource&) = default;
};
/// A libsvm file: `label index:value …`, indices from 1 and ascending; labels as numbers in a CSV file.
struct LibsvmSource {
    std::string libsvm;
    friend bool operator==(const LibsvmSource&, const LibsvmSource&) = default;
};
/// MNIST's format and its kin, plain or gzip, of unsigned bytes; they become 0 … 1, and labels 0 … n-1 n classes.
struct IdxSource {
    std::string idx_images;
    std::string idx_labels;
    friend bool operator==(const IdxSource&, const IdxSource&) = default;
};
/// A folder with CIFAR-10's binary batches (data_batch_1.bin …, five or only the first ones).
struct CifarSource {
    std::string cifar10;
    friend bool operator==(const CifarSource&, const CifarSource&) = default;
};

/// Where rows come from: a name of the catalogue, or a file.
using DataSource = std::variant<std::string, CsvSource, LibsvmSource, IdxSource, CifarSource>;

enum class PartitionKind {
    Shuffled, ///< each node draws from all training rows
    Sharded,  ///< each node owns an equal shard
    ByLabel   ///< each node owns few labels
};

/// The data part of an experiment.
struct DataSpec {
    DataSource source = std::string("digits");
    double validation = 0.2; ///< share of rows kept for validation; at least 0, below 1
    PartitionKind partition = PartitionKind::Shuffled;

    friend bool operator==(const DataSpec&, const DataSpec&) = default;
};

/// One line of the catalogue of named data sets.
struct DatasetInfo {
    std::string id;
    std::string title;
    std::string explanation;                         ///< one sentence, with the source where it is real
    std::function<Dataset(std::uint64_t seed)> make; ///< shipped sets ignore the seed
};

[[nodiscard]] std::span<const DatasetInfo> datasetCatalog();
[[nodiscard]] const DatasetInfo* findDataset(std::string_view id);

/// Loads or makes the rows. Relative paths start at `folder`.
/// Throws Error naming file, place and remedy where they cannot be had.
[[nodiscard]] Dataset loadDataset(const DataSource& source, const std::filesystem::path& folder,
                                  std::uint64_t seed);

/// Training and validation rows of one set.
struct Split {
    Dataset training;
    Dataset validation; ///< no rows when the share is 0
};

/// Deals the rows out by the seed, keeping each class's share and at least one training row of each; both parts come
/// in shuffled order, so that any run of their rows is a fair sample. Unless all training features are in [0, 1]
/// already, scales every feature to mean 0 and deviation 1 as measured on the training rows, constant ones to 0.
/// Throws Error where a part would have no rows. Requires 0 <= validation < 1.
[[nodiscard]] Split splitDataset(const Dataset& all, double validation, std::uint64_t seed);

} // namespace lab
