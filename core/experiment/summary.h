#pragma once

#include "core/experiment/experiment.h"
#include "core/record/run_record.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lab {

/// The program's version, such as 0.1.0.
[[nodiscard]] const char* programVersion();

/// A fingerprint as files and people write it: 16 hexadecimal digits.
[[nodiscard]] std::string fingerprintText(std::uint64_t fingerprint);

/// A run in a few numbers: summary.json (contract, section 5). Not-a-number where there is no such figure.
struct Summary {
    std::string title;
    std::string strategy;
    std::string clock = "virtual";
    std::uint64_t seed = 0;
    std::optional<StopReason> stop_reason; ///< nothing while it goes on
    double seconds = 0;                    ///< of the run's clock
    std::int64_t updates = 0;
    std::int64_t samples = 0;
    double train_loss = 0; ///< at the last evaluation, like the next two
    double validation_loss = 0;
    double validation_accuracy = 0; ///< 0 … 1
    double idle_fraction = 0;       ///< waiting / (seconds x nodes - down)
    double wasted_fraction = 0;     ///< wasted / (seconds x nodes - down)
    double mean_staleness = 0;      ///< over the gradients that were applied
    std::int64_t max_staleness = 0;
    double server_utilisation = 0;   ///< busy share of the server
    double wall_seconds = 0;         ///< what the run took to compute
    std::optional<LiveFigures> live; ///< of a live run: how much of it is the machine's doing
    Prediction theory;               ///< what it should have come to in the long run, where that is known
    std::optional<InstructionSet> instruction_set;     ///< of the gradients; nothing where there were none
    std::optional<std::uint64_t> schedule_fingerprint; ///< known at the end of a run, as the next one is
    std::optional<std::uint64_t> number_fingerprint;
};

[[nodiscard]] Summary summarize(const Experiment& experiment, const RunRecord& run, double wall_seconds);

/// JSON text with one key per line; null for what is not a number, fingerprints as 16 hexadecimal digits.
[[nodiscard]] std::string summaryToJson(const Summary& summary);

/// One line for the terminal, without a line end: strategy, seconds, updates, loss, accuracy, idle fraction, mean
/// staleness. `-` stands for what is not a number.
[[nodiscard]] std::string summaryLine(const Summary& summary);

/// One sentence for people: how much of a live run's task time is the machine's doing, and why.
[[nodiscard]] std::string machineSentence(const LiveFigures& live);

} // namespace lab
