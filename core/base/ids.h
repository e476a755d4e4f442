#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace lab {

/// A whole number that names one thing of one kind; ids of different kinds do not mix.
template <class Tag> class Id {
public:
    constexpr Id() noexcept = default;
    constexpr explicit Id(std::int32_t value) noexcept : value_(value) {}
    constexpr explicit Id(std::size_t index) noexcept : value_(static_cast<std::int32_t>(index)) {}

    [[nodiscard]] constexpr std::int32_t value() const noexcept { return value_; }
    /// The id as an index into a list of such things. Requires a valid id.
    [[nodiscard]] constexpr std::size_t index() const noexcept { return static_cast<std::size_t>(value_); }
    [[nodiscard]] constexpr bool isValid() const noexcept { return value_ >= 0; }

    friend constexpr auto operator<=>(Id, Id) noexcept = default;

private:
    std::int32_t value_ = -1;
};

using NodeId = Id<struct NodeTag>;   ///< index into the cluster's nodes
using GroupId = Id<struct GroupTag>; ///< index into the partition's groups
using ActorId = Id<struct ActorTag>; ///< index into the list of seats

/// Number of updates applied to the global parameters: 0 at the start, +1 per applied update.
using Version = std::int64_t;

/// Names one gradient computation of a run; never used twice.
using TaskId = std::int64_t;

} // namespace lab
