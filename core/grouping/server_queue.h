#pragma once

#include <cstddef>
#include <vector>

namespace lab {

/// Messages per second of `nodes` equal nodes that compute for an exponential time of mean `compute_seconds`, then
/// wait in line at one server which takes exactly `service_seconds` for each message, then compute again.
///
/// Exact, by the chain of how many messages are left when one is done: during a service each of the nodes that compute
/// finishes with probability 1 - exp(-service / compute), independently (the machine repair model with constant
/// repair times; mean value analysis, which strategies 4.2 names, would be for exponential ones). O(nodes^2).
/// Requires nodes >= 1, both times > 0.
[[nodiscard]] double memorylessQueueRate(std::size_t nodes, double compute_seconds, double service_seconds);

/// The same where each node takes exactly `cycle_seconds` from one answer to its next message: the line sorts itself
/// out in the first round. Requires cycle_seconds > 0, service_seconds >= 0.
[[nodiscard]] double constantQueueRate(std::size_t nodes, double cycle_seconds, double service_seconds);

/// When a server that takes messages first-come-first-served, `service_seconds` each, is done with the last of those
/// that arrive at `arrivals`.
[[nodiscard]] double lastDeparture(std::vector<double> arrivals, double service_seconds);

} // namespace lab
