#pragma once

#include "core/experiment/experiment.h"
#include "core/record/run_record.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lab::test {

/// Some 300 updates of six unequal nodes with jitter and a network, of which one fails and comes back, one is slowed
/// down for a while and one is moved: everything that a record can hold.
[[nodiscard]] Experiment eventfulExperiment(const std::string& strategy);

/// Runs the experiment and records it as a session, with 1.25 s of wall time; what the run itself gave.
RunRecord recordRun(const Experiment& experiment, const std::filesystem::path& file);

/// What differs first between two records, field by field and bit by bit; empty where nothing does.
[[nodiscard]] std::string differenceOfRuns(const RunRecord& a, const RunRecord& b);

/// What differs first between two states in what Playback knows: activities, times, groups, gradients, staleness. Where
/// one says computing and the other wasted they are equal: what work is good for is known later.
[[nodiscard]] std::string differenceOfStates(const Frame& a, const Frame& b);

/// Frames of a run as its recorder has them, after every few events, between two events and at them.
[[nodiscard]] std::vector<Frame> framesOf(const Experiment& experiment);

/// What reading all runs of a session says: an error, or what is damaged; empty where everything is sound.
[[nodiscard]] std::string sessionProblem(const std::filesystem::path& file);

} // namespace lab::test
