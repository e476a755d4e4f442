#include "app/exports.h"

#include "app/export_tables.h"
#include "app/report.h"
#include "app/run_words.h"
#include "core/base/error.h"
#include "core/experiment/chrome_trace.h"
#include "core/experiment/run_json.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>

namespace lab {

namespace {

constexpr std::size_t k_steps = 1000; ///< of a record's way, many more than a chart draws

QString tr(const char* text) { return QCoreApplication::translate("lab::Exports", text); }

/// What there is to say about every kind: one row for each, in the order of the enumeration.
struct Row {
    const char* word;
    const char* name;
    std::optional<PictureKind> picture;
    std::vector<ExportFormat> formats;
};

const Row& rowOf(ExportWhat what)
{
    using enum ExportFormat;
    static const std::vector<Row> rows{
        {"Loss", "loss", PictureKind::Loss, {Png, Svg, Pdf, Csv}},
        {"Idle time", "idle", PictureKind::Idle, {Png, Svg, Pdf, Csv}},
        {"Staleness", "staleness", PictureKind::Staleness, {Png, Svg, Pdf, Csv}},
        {"Throughput", "throughput", PictureKind::Throughput, {Png, Svg, Pdf, Csv}},
        {"Timeline", "timeline", PictureKind::Timeline, {Png, Svg, Pdf, Csv, Trace}},
        {"Cluster", "cluster", PictureKind::Cluster, {Png, Svg, Pdf, Csv}},
        {"All pictures", "pictures", {}, {Pdf, Png, Svg}},
        {"Report", "report", {}, {Html}},
        {"Run data", "run", {}, {Json, Trace}},
        {"Event log", "events", {}, {Csv}}};
    static_assert(k_export_kinds == 10);
    return rows.at(static_cast<std::size_t>(what));
}

PictureFormat pictureFormat(ExportFormat format)
{
    return format == ExportFormat::Svg ? PictureFormat::Svg
        : format == ExportFormat::Pdf  ? PictureFormat::Pdf
                                       : PictureFormat::Png;
}

std::optional<TimeWindow> stretchOf(const ExportSource& source, const ExportWish& wish)
{
    return wish.only_stretch && takesStretch(wish.what) ? source.stretch : std::nullopt;
}

/// What is known of a run that may still go on: how long it took to compute is not, nor are its fingerprints unless it
/// was recorded to its end.
Summary summaryOf(const ExportSource& source, const RunRecord& run)
{
    Summary summary = summarize(source.experiment, run, std::numeric_limits<double>::quiet_NaN());
    summary.stop_reason = run.last.stop_reason;
    if (!source.record || run.stop_reason == StopReason::Interrupted) {
        summary.schedule_fingerprint.reset();
        summary.number_fingerprint.reset();
    }
    return summary;
}

QByteArray report(const ExportSource& source)
{
    std::vector<QByteArray> pictures;
    for (const Picture& page :
         pagesOf(source, {ExportWhat::AllPictures, ExportFormat::Svg, false, {}, 1, false})) {
        pictures.push_back(fileOf({&page, 1}, PictureFormat::Svg, styleFor(source.experiment)));
    }
    const RunRecord run = recordOf(source);
    return reportHtml(source.journal, run, summaryOf(source, run), pictures);
}

} // namespace

QString wordFor(ExportWhat what) { return tr(rowOf(what).word); }

QString nameOf(ExportWhat what) { return QLatin1String(rowOf(what).name); }

const std::vector<ExportFormat>& formatsOf(ExportWhat what) { return rowOf(what).formats; }

QString wordFor(ExportFormat format)
{
    switch (format) {
    case ExportFormat::Png:
        return tr("PNG picture");
    case ExportFormat::Svg:
        return tr("SVG drawing");
    case ExportFormat::Pdf:
        return tr("PDF document");
    case ExportFormat::Csv:
        return tr("CSV table");
    case ExportFormat::Json:
        return tr("JSON document");
    case ExportFormat::Trace:
        return tr("Trace for Perfetto");
    case ExportFormat::Html:
        return tr("HTML page");
    }
    return {};
}

QString endingOf(ExportFormat format)
{
    switch (format) {
    case ExportFormat::Csv:
        return QStringLiteral("csv");
    case ExportFormat::Json:
        return QStringLiteral("json");
    case ExportFormat::Trace:
        return QStringLiteral("trace.json");
    case ExportFormat::Html:
        return QStringLiteral("html");
    case ExportFormat::Png:
    case ExportFormat::Svg:
    case ExportFormat::Pdf:
        break;
    }
    return endingOf(pictureFormat(format));
}

bool isPicture(ExportFormat format)
{
    return format == ExportFormat::Png || format == ExportFormat::Svg || format == ExportFormat::Pdf;
}

bool takesStretch(ExportWhat what)
{
    const auto picture = rowOf(what).picture;
    return (picture && takesStretch(*picture)) || what == ExportWhat::Events;
}

std::vector<Picture> pagesOf(const ExportSource& source, const ExportWish& wish)
{
    const PictureSource of{source.history, QString::fromStdString(source.experiment.title),
                           modelText(source.experiment), source.loss};
    std::vector<Picture> pages;
    if (wish.what == ExportWhat::AllPictures) {
        for (const PictureKind kind : k_picture_kinds) {
            pages.push_back(pictureOf(kind, of));
        }
    } else if (const auto kind = rowOf(wish.what).picture) {
        pages.push_back(pictureOf(*kind, of, stretchOf(source, wish)));
        pages.front().size = wish.size.value_or(pages.front().size);
    }
    return pages;
}

QByteArray exported(const ExportSource& source, const ExportWish& wish)
{
    const auto stretch = stretchOf(source, wish);
    switch (wish.format) {
    case ExportFormat::Png:
    case ExportFormat::Svg:
    case ExportFormat::Pdf: {
        PictureStyle style = styleFor(source.experiment);
        style.theme = wish.in_shown_theme ? source.shown_theme : &lightTheme();
        style.scale = wish.scale;
        return fileOf(pagesOf(source, wish), pictureFormat(wish.format), style);
    }
    case ExportFormat::Csv:
        return QByteArray::fromStdString(tableOf(source, wish.what, stretch));
    case ExportFormat::Json: {
        const RunRecord run = recordOf(source);
        return QByteArray::fromStdString(
            runToJson(source.experiment, source.journal, run, summaryToJson(summaryOf(source, run))));
    }
    case ExportFormat::Trace: {
        RunRecord run = recordOf(source);
        if (stretch) {
            cutTo(run, *stretch);
        }
        return QByteArray::fromStdString(chromeTrace(run, nodeNames(source.experiment)));
    }
    case ExportFormat::Html:
        return report(source);
    }
    return {};
}

QString omissions(const ExportSource& source, const ExportWish& wish)
{
    if (source.record && !isPicture(wish.format)) {
        return {};
    }
    const RunHistory& history = source.history;
    const bool has_spans = wish.what == ExportWhat::Timeline || wish.what == ExportWhat::RunData;
    const bool has_curve = wish.what == ExportWhat::Loss || wish.what == ExportWhat::RunData;
    const bool has_log = wish.what == ExportWhat::Events || wish.what == ExportWhat::RunData;
    const auto stretch = stretchOf(source, wish);
    QStringList sentences;
    if (const double merged = toSeconds(history.mergedBefore());
        has_spans && merged > (stretch ? stretch->from : 0)) {
        sentences << tr("Before %1 s short spans are merged: sums are right, their order is lost.")
                         .arg(merged, 0, 'f', 1);
    }
    if (has_curve && history.evaluationsSeen() != history.curve().size()) {
        sentences << tr("Of %L1 evaluations the window has kept %L2.")
                         .arg(history.evaluationsSeen())
                         .arg(history.curve().size());
    }
    if (has_log && history.logSeen() != history.log().size()) {
        sentences << tr("Of %L1 events the window has kept the last %L2.")
                         .arg(history.logSeen())
                         .arg(history.log().size());
    }
    if (wish.what == ExportWhat::RunData && history.latest().version > 0) {
        sentences << tr("The window keeps no single updates; a run on the command line writes them.");
    }
    return sentences.join(QLatin1Char(' '));
}

PictureStyle styleFor(const Experiment& experiment)
{
    PictureStyle style;
    style.provenance = {
        {QStringLiteral("Software"), QStringLiteral("Straggler Lab %1").arg(QLatin1String(programVersion()))},
        {QStringLiteral("Title"), QString::fromStdString(experiment.title)},
        {QStringLiteral("Strategy"), QString::fromStdString(experiment.strategy.kind)},
        {QStringLiteral("Seed"), QString::number(experiment.seed)}};
    return style;
}

RunRecord recordOf(const ExportSource& source)
{
    return source.record ? *source.record : recordOf(source.history);
}

RunRecord recordOf(const RunHistory& history)
{
    RunRecord run;
    run.last = history.latest();
    run.end = run.last.now;
    run.stop_reason = run.last.stop_reason.value_or(StopReason::Stalled);
    run.curve = history.curve();
    run.log = history.log();
    for (std::size_t i = 0; i < history.nodeCount(); ++i) {
        const auto closed = history.lane(NodeId{i}).spans();
        const auto first = static_cast<std::ptrdiff_t>(run.spans.size());
        run.spans.insert(run.spans.end(), closed.begin(), closed.end());
        std::ranges::copy_if(run.last.open, std::back_inserter(run.spans), [&](const Span& span) {
            return span.node == NodeId{i} && span.end > span.start;
        });
        std::sort(run.spans.begin() + first, run.spans.end(),
                  [](const Span& a, const Span& b) { return a.start < b.start; });
    }
    return run;
}

RunHistory historyOf(const Experiment& experiment, const RunRecord& run)
{
    std::vector<QString> names;
    for (const NodeSpec& node : experiment.cluster.nodes) {
        names.push_back(QString::fromStdString(node.name));
    }
    RunHistory history;
    history.begin(std::move(names));
    Frame step; // only how far the run had come; the last frame has the rest
    history.append(step);
    const std::size_t stride = std::max<std::size_t>(1, run.updates.size() / k_steps);
    for (std::size_t i = 0; i < run.updates.size(); ++i) {
        step.now = run.updates[i].time;
        step.version = run.updates[i].update;
        step.samples += run.updates[i].samples;
        if (i % stride == 0) {
            history.append(step);
        }
    }
    Frame frame = run.last;
    frame.evaluations = run.curve;
    frame.spans = run.spans;
    frame.open.clear();
    frame.log = run.log;
    history.append(std::move(frame));
    return history;
}

} // namespace lab
