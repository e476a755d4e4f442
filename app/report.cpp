#include "app/report.h"

#include "app/run_words.h"
#include "core/base/text.h"
#include "core/experiment/setting_list.h"
#include "core/record/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>
#include <optional>

namespace lab {

namespace {

constexpr std::size_t k_most_events = 200; ///< of a run with more, the first ones are shown

constexpr const char* k_style = R"(
@page { size: A4; margin: 16mm; }
body { font: 14px/1.45 Inter, "Noto Sans", "DejaVu Sans", sans-serif; color: #1b2430; background: #fff;
       max-width: 920px; margin: 24px auto; padding: 0 16px; }
h1 { font-size: 24px; margin: 0; } h2 { font-size: 16px; margin: 26px 0 8px; break-after: avoid; }
p { margin: 4px 0; } .muted { color: #5f6b78; } .notes { white-space: pre-line; margin-top: 12px; }
table { border-collapse: collapse; width: 100%; } tr { break-inside: avoid; }
th, td { text-align: left; padding: 3px 12px 3px 0; border-bottom: 1px solid #dfe4ea; vertical-align: top; }
th { color: #5f6b78; font-weight: 600; } td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font-family: "DejaVu Sans Mono", monospace; font-size: 12px; overflow-wrap: anywhere; }
figure { margin: 12px 0; break-inside: avoid; } figure svg { width: 100%; height: auto; }
)";

QString tr(const char* text) { return QCoreApplication::translate("lab::Report", text); }

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

/// A figure that a reader sees rounded and a program reads whole; a dash where there is none.
QString figure(double value)
{
    if (!std::isfinite(value)) {
        return QStringLiteral("–");
    }
    return QStringLiteral("<data value=\"%1\">%2</data>")
        .arg(QString::fromStdString(numberText(value)), QString::fromStdString(shortNumber(value, 6)));
}

QString figure(std::optional<double> value) { return value ? figure(*value) : QString(); }

QString numberCell(const QString& html) { return QStringLiteral("<td class=\"number\">%1</td>").arg(html); }

QString textCell(const QString& html) { return QStringLiteral("<td>%1</td>").arg(html); }

/// A table without rows is left out, with its title.
QString section(const QString& title, const QString& head, const QStringList& rows)
{
    if (rows.isEmpty()) {
        return {};
    }
    return QStringLiteral("<h2>%1</h2>\n<table>\n<tr>%2</tr>\n<tr>%3</tr>\n</table>\n")
        .arg(title.toHtmlEscaped(), head, rows.join(QStringLiteral("</tr>\n<tr>")));
}

QString head(const QStringList& words, int numbers_from)
{
    QString cells;
    for (int i = 0; i < words.size(); ++i) {
        cells += QStringLiteral("<th%1>%2</th>")
                     .arg(i >= numbers_from ? QStringLiteral(" class=\"number\"") : QString(),
                          words[i].toHtmlEscaped());
    }
    return cells;
}

QString figures(const Summary& summary)
{
    QStringList rows;
    const auto row = [&](const QString& name, double measured, std::optional<double> theory = std::nullopt) {
        rows << textCell(name.toHtmlEscaped()) + numberCell(figure(measured)) + numberCell(figure(theory));
    };
    const auto updates = static_cast<double>(summary.updates);
    const auto samples = static_cast<double>(summary.samples);
    const Prediction& theory = summary.theory;
    row(tr("seconds"), summary.seconds);
    row(tr("updates"), updates);
    row(tr("updates per second"), updates / summary.seconds, theory.updates_per_second);
    if (theory.round_seconds) {
        row(tr("seconds of a round"), summary.seconds / updates, theory.round_seconds);
    }
    row(tr("samples"), samples);
    row(tr("samples per second"), samples / summary.seconds, theory.samples_per_second);
    row(tr("training loss"), summary.train_loss);
    row(tr("validation loss"), summary.validation_loss);
    row(tr("validation accuracy"), summary.validation_accuracy);
    row(tr("idle fraction"), summary.idle_fraction, theory.idle_fraction);
    row(tr("wasted fraction"), summary.wasted_fraction);
    row(tr("mean staleness"), summary.mean_staleness, theory.mean_staleness);
    row(tr("greatest staleness"), static_cast<double>(summary.max_staleness));
    row(tr("server utilisation"), summary.server_utilisation);
    return section(tr("Figures"), head({tr("figure"), tr("measured"), tr("theory")}, 1), rows)
        + QStringLiteral("<p class=\"muted\">%1</p>\n")
              .arg(tr("Theory: %1").arg(QString::fromStdString(theory.basis)).toHtmlEscaped());
}

QString nodes(const Experiment& experiment, const RunRecord& run)
{
    QStringList words{tr("node"), tr("group"), tr("slowdown")};
    for (std::size_t i = 0; i < k_activities; ++i) {
        words << tr("%1, s").arg(QLatin1String(activityName(static_cast<Activity>(i))));
    }
    words << tr("cost the others, s") << tr("gradients") << tr("mean staleness");
    QStringList rows;
    for (std::size_t i = 0; i < run.last.nodes.size(); ++i) {
        const NodeFrame& node = run.last.nodes[i];
        const NodeSpec& spec = experiment.cluster.nodes.at(i);
        QString row = textCell(escaped(spec.name)) + textCell(escaped(letterOf(node.group)));
        row += numberCell(figure(spec.slowdown));
        for (const Duration time : node.times.of) {
            row += numberCell(figure(toSeconds(time)));
        }
        row += numberCell(figure(toSeconds(node.cost_others)));
        row += numberCell(figure(static_cast<double>(node.gradients)));
        rows << row + numberCell(node.gradients > 0 ? figure(node.staleness_mean) : QStringLiteral("–"));
    }
    return section(tr("Nodes"), head(words, 2), rows);
}

QString events(const Experiment& experiment, const RunRecord& run)
{
    QStringList rows;
    for (std::size_t i = 0; i < std::min(run.log.size(), k_most_events); ++i) {
        const LogEntry& entry = run.log[i];
        const std::string node =
            entry.node.isValid() ? experiment.cluster.nodes.at(entry.node.index()).name : std::string();
        rows << numberCell(figure(toSeconds(entry.time))) + textCell(QLatin1String(logKindName(entry.kind)))
                + textCell(escaped(node)) + textCell(escaped(entry.text));
    }
    const QString table =
        section(tr("Events"), head({tr("time, s"), tr("kind"), tr("node"), tr("what happened")}, 4), rows);
    return run.log.size() <= k_most_events ? table
                                           : table
            + QStringLiteral("<p class=\"muted\">%1</p>\n")
                  .arg(tr("The first %1 of %2 events.").arg(k_most_events).arg(run.log.size()));
}

QString settings(const Experiment& experiment)
{
    QStringList rows;
    for (const SettingText& setting : settingsBeyondDefaults(experiment)) {
        rows << textCell(QStringLiteral("<code>%1</code>").arg(escaped(setting.path)))
                + textCell(QStringLiteral("<code>%1</code>").arg(escaped(setting.value)));
    }
    return section(tr("Settings that are not the default"), head({tr("setting"), tr("value")}, 2), rows);
}

QString origin(const Summary& summary)
{
    QStringList rows;
    const auto row = [&](const QString& name, const QString& value) {
        rows << textCell(name.toHtmlEscaped())
                + textCell(QStringLiteral("<code>%1</code>").arg(value.toHtmlEscaped()));
    };
    row(tr("program"), QStringLiteral("Straggler Lab %1").arg(QLatin1String(programVersion())));
    row(tr("seed"), QString::number(summary.seed));
    row(tr("clock"), QString::fromStdString(summary.clock));
    row(tr("ended by"),
        summary.stop_reason ? QString::fromLatin1(stopReasonName(*summary.stop_reason))
                            : tr("nothing yet: it goes on"));
    for (const auto& [name, value] :
         {std::pair(tr("fingerprint of the schedule"), summary.schedule_fingerprint),
          std::pair(tr("fingerprint of the numbers"), summary.number_fingerprint)}) {
        if (value) {
            row(name, QString::fromStdString(fingerprintText(*value)));
        }
    }
    return section(tr("Where it comes from"), head({tr("what"), tr("value")}, 2), rows);
}

/// An SVG file as a part of the page: without what a file begins with.
QString inlineSvg(const QByteArray& svg)
{
    return QStringLiteral("<figure>%1</figure>\n").arg(QString::fromUtf8(svg.mid(svg.indexOf("<svg"))));
}

} // namespace

QByteArray reportHtml(const Experiment& experiment, const RunRecord& run, const Summary& summary,
                      std::span<const QByteArray> pictures)
{
    const QString title = experiment.title.empty() ? tr("A run") : QString::fromStdString(experiment.title);
    QString html = QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                  "<title>%1</title>\n<style>%2</style>\n</head>\n<body>\n<h1>%1</h1>\n")
                       .arg(title.toHtmlEscaped(), QLatin1String(k_style));
    html += QStringLiteral("<p class=\"muted\">%1</p>\n")
                .arg(tr("%1 · %2 · %3 nodes")
                         .arg(strategyTitle(experiment), modelText(experiment))
                         .arg(experiment.cluster.nodes.size())
                         .toHtmlEscaped());
    if (!experiment.notes.empty()) {
        html += QStringLiteral("<p class=\"notes\">%1</p>\n").arg(escaped(experiment.notes));
    }
    html += figures(summary);
    for (const QByteArray& picture : pictures) {
        html += inlineSvg(picture);
    }
    html += nodes(experiment, run) + events(experiment, run) + settings(experiment) + origin(summary);
    return (html + QStringLiteral("</body>\n</html>\n")).toUtf8();
}

} // namespace lab
