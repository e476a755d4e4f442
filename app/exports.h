#pragma once

#include "core/experiment/experiment.h"
#include "core/record/run_record.h"
#include "widgets/run_pictures.h"

#include <QByteArray>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lab {

// What can be taken out of the program, and as what. Each export is one file.

enum class ExportWhat : std::uint8_t {
    Loss,
    Idle,
    Staleness,
    Throughput,
    Timeline,
    Cluster,
    AllPictures,
    Report,
    RunData,
    Events
};
inline constexpr int k_export_kinds = 10;

enum class ExportFormat : std::uint8_t { Png, Svg, Pdf, Csv, Json, Trace, Html };

[[nodiscard]] QString wordFor(ExportWhat what);     ///< `Loss`, `All pictures`, …
[[nodiscard]] QString wordFor(ExportFormat format); ///< `PNG picture`, `CSV table`, …
[[nodiscard]] QString nameOf(ExportWhat what);      ///< of a file, without an ending: `loss`
[[nodiscard]] QString endingOf(ExportFormat format);
[[nodiscard]] bool isPicture(ExportFormat format);

/// What it can be written as, the usual format first.
[[nodiscard]] const std::vector<ExportFormat>& formatsOf(ExportWhat what);
/// It can be of a stretch of the run.
[[nodiscard]] bool takesStretch(ExportWhat what);

/// All that exports are made of, as it was at one moment.
struct ExportSource {
    Experiment experiment; ///< that the run was made from
    Experiment journal;    ///< the same with what was done to the run as events
    RunHistory history;
    LossState loss;
    std::optional<TimeWindow> stretch; ///< that a person has selected
    const Theme* shown_theme = &lightTheme();
    std::shared_ptr<const RunRecord>
        record{}; ///< of a recorded run; null: what the window has kept is all there is
};

struct ExportWish {
    ExportWhat what = ExportWhat::Loss;
    ExportFormat format = ExportFormat::Png;
    bool only_stretch = false;   ///< counts where there is one and it can be of one
    std::optional<QSize> size;   ///< of one picture; nothing: the usual one
    double scale = 2;            ///< pixels of a PNG per unit
    bool in_shown_theme = false; ///< else light, for print
};

/// The file. Empty where a picture cannot be made in that size.
[[nodiscard]] QByteArray exported(const ExportSource& source, const ExportWish& wish);

/// What the file does not hold although a reader might think so, in a sentence for each; empty where it holds all.
[[nodiscard]] QString omissions(const ExportSource& source, const ExportWish& wish);

/// The pages of a picture, or of all of them. Empty where it is none.
[[nodiscard]] std::vector<Picture> pagesOf(const ExportSource& source, const ExportWish& wish);

/// Who made a picture of this experiment, for the picture itself.
[[nodiscard]] PictureStyle styleFor(const Experiment& experiment);

/// The record of the run, or else of what the window has seen of it, which holds no single updates.
[[nodiscard]] RunRecord recordOf(const ExportSource& source);
/// The record of what the window has seen of a run.
[[nodiscard]] RunRecord recordOf(const RunHistory& history);

/// What the window's store would hold had it watched the run.
[[nodiscard]] RunHistory historyOf(const Experiment& experiment, const RunRecord& run);

} // namespace lab
