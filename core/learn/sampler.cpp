#include "core/learn/sampler.h"

#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/learn/permutation.h"

#include <algorithm>
#include <numeric>

namespace lab {
namespace {

/// The stream from which shards are dealt; no node has this number.
constexpr std::uint64_t k_dealer = ~std::uint64_t{0};

/// 0 … count-1 in an order fixed by the seed; `use` tells several such orders apart.
std::vector<std::uint32_t> shuffled(std::size_t count, std::uint64_t seed, std::uint64_t use)
{
    const Permutation order(count, Rng(seed, Purpose::Data, k_dealer, use).next());
    std::vector<std::uint32_t> list(count);
    for (std::size_t place = 0; place < count; ++place) {
        list[place] = order(place);
    }
    return list;
}

/// Cuts `rows` into runs whose lengths differ by one at most. With fewer rows than parts each part has one row, and
/// some rows serve several parts.
std::vector<std::vector<std::uint32_t>> cut(const std::vector<std::uint32_t>& rows, std::size_t parts)
{
    std::vector<std::vector<std::uint32_t>> pieces(parts);
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = part * rows.size() / parts;
        const std::size_t end = std::max(first + 1, (part + 1) * rows.size() / parts);
        pieces[part].assign(rows.begin() + static_cast<std::ptrdiff_t>(first),
                            rows.begin() + static_cast<std::ptrdiff_t>(end));
    }
    return pieces;
}

/// Sorts the rows by label (by target in a regression), cuts them into two pieces per node and deals those out.
/// A piece rarely spans more than one or two labels, so a node sees few of them.
/// Source: McMahan et al., "Communication-Efficient Learning of Deep Networks from Decentralized Data", AISTATS 2017,
/// section 3, the pathological non-IID partition.
std::vector<std::vector<std::uint32_t>> shardsByLabel(const Dataset& training, std::size_t nodes,
                                                      std::uint64_t seed)
{
    std::vector<std::uint32_t> rows = shuffled(training.rows(), seed, 0);
    std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        return training.targets[a] < training.targets[b];
    });
    const std::size_t pieces_each = training.rows() >= 2 * nodes ? 2 : 1;
    const auto pieces = cut(rows, pieces_each * nodes);
    const std::vector<std::uint32_t> deal = shuffled(pieces.size(), seed, 1);
    std::vector<std::vector<std::uint32_t>> shards(nodes);
    for (std::size_t i = 0; i < deal.size(); ++i) {
        const auto& piece = pieces[deal[i]];
        std::vector<std::uint32_t>& shard = shards[i / pieces_each];
        shard.insert(shard.end(), piece.begin(), piece.end());
    }
    return shards;
}

} // namespace

Sampler::Sampler(const Dataset& training, PartitionKind partition, std::size_t nodes, std::uint64_t seed)
    : seed_(seed),
      training_rows_(training.rows())
{
    LAB_EXPECTS(nodes > 0 && training_rows_ > 0 && training.targets.size() == training_rows_);
    switch (partition) {
    case PartitionKind::Shuffled:
        break;
    case PartitionKind::Sharded:
        shards_ = cut(shuffled(training_rows_, seed, 0), nodes);
        break;
    case PartitionKind::ByLabel:
        shards_ = shardsByLabel(training, nodes, seed);
        break;
    }
}

void Sampler::append(NodeId stream, std::int64_t first, std::int64_t count,
                     std::vector<std::uint32_t>& rows) const
{
    LAB_EXPECTS(first >= 0 && count >= 0);
    const std::int64_t length = epochLength(stream);
    rows.reserve(rows.size() + static_cast<std::size_t>(count));
    while (count > 0) {
        const auto epoch = static_cast<std::uint64_t>(first / length);
        const Permutation order(static_cast<std::uint64_t>(length),
                                Rng(seed_, Purpose::Data, stream.index(), epoch).next());
        std::int64_t place = first % length;
        const std::int64_t end = std::min(length, place + count);
        first += end - place;
        count -= end - place;
        for (; place < end; ++place) {
            const std::uint32_t row = order(static_cast<std::uint64_t>(place));
            rows.push_back(shards_.empty() ? row : shards_[stream.index()][row]);
        }
    }
}

std::int64_t Sampler::epochLength(NodeId node) const
{
    LAB_EXPECTS(node.isValid() && (shards_.empty() || node.index() < shards_.size()));
    return static_cast<std::int64_t>(shards_.empty() ? training_rows_ : shards_[node.index()].size());
}

} // namespace lab
