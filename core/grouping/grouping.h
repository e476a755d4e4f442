#pragma once

#include "core/base/partition.h"

#include <cstddef>
#include <span>

namespace lab {

/// Every algorithm here takes `seconds` [nodes], each node's time for one batch (> 0, finite), and gives groups that
/// are contiguous in speed, fastest first. What is compared is the logarithm of the time: a barrier's loss is a
/// ratio, so 1 s beside 2 s is as bad as 10 s beside 20 s. Equal times keep node order.

/// Splits wherever a node is more than `gap` times as slow as the next faster one, and wherever a group would
/// otherwise spread over more than `spread` times its fastest node, so that many small gaps cannot chain into one
/// wide group. O(n log n). Requires gap >= 1 and spread >= 1.
[[nodiscard]] Partition groupByGap(std::span<const double> seconds, double gap = 1.5, double spread = 2.0);

/// The `count` groups with the least sum of squared distances of log time to their group's mean: optimal k-means,
/// which one dimension allows. Of equally good splits the one whose later groups are largest. O(count n^2). Source:
/// Wang, Song, "Ckmeans.1d.dp: Optimal k-means Clustering in One Dimension by Dynamic Programming", The R Journal
/// 3(2), 2011; our own code, without their later speed-ups. Requires 1 <= count <= nodes.
[[nodiscard]] Partition groupByClusters(std::span<const double> seconds, std::size_t count);

/// The same with the number of groups, 1 … 9, chosen by the Bayesian information criterion of a Gaussian mixture with
/// hard membership; ties take fewer groups. A cluster's standard deviation counts as 0.05 in log time at least (5 %
/// of the time), for clusters without spread would otherwise have infinite likelihood. Unstable below 30 nodes, as
/// such criteria are: planGroups() is the better judge. Requires nodes.
[[nodiscard]] Partition groupByClusters(std::span<const double> seconds);

/// `count` groups that together compute at rates (sum of 1 / seconds) as equal as possible: least sum of squared
/// deviations from an equal share, so that all groups' updates come with comparable numbers of samples per second. Of
/// equally good splits the one whose later groups are largest. O(count n^2). Requires 1 <= count <= nodes.
[[nodiscard]] Partition groupByThroughput(std::span<const double> seconds, std::size_t count);

} // namespace lab
