#include "app/kept_runs.h"

#include "app/run_words.h"
#include "core/compare/differences.h"
#include "core/compare/statistics.h"
#include "core/experiment/experiment_json.h"
#include "core/strategy/strategy_catalog.h"
#include "widgets/run_history.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace lab {

namespace {

QString textOf(double value, int digits)
{
    return std::isfinite(value) ? QString::number(value, 'g', digits) : QStringLiteral("–");
}

QString percent(double share) { return QStringLiteral("%1 %").arg(100 * share, 0, 'f', 1); }

/// What runs of one set have in common: everything but the seed.
std::string withoutSeed(Experiment experiment)
{
    experiment.seed = 1;
    experiment.title.clear();
    experiment.notes.clear();
    return experimentToJson(experiment);
}

QString mean(const std::vector<double>& values, double scale, int digits)
{
    const MeanInterval found = meanInterval(values);
    const QString middle = textOf(scale * found.mean, digits);
    return found.half_width ? QStringLiteral("%1 ± %2").arg(middle, textOf(scale * *found.half_width, 2))
                            : middle;
}

} // namespace

std::uint64_t highestSeed(const std::vector<KeptRun>& runs, const Experiment& experiment)
{
    std::uint64_t highest = experiment.seed;
    const std::string wanted = withoutSeed(experiment);
    for (const KeptRun& run : runs) {
        if (withoutSeed(run.experiment) == wanted) {
            highest = std::max(highest, run.experiment.seed);
        }
    }
    return highest;
}

void KeptRuns::keep(KeptRun run)
{
    const QString wanted = run.name;
    for (int i = 2; std::ranges::any_of(runs_, [&](const KeptRun& one) { return one.name == run.name; });
         ++i) {
        run.name = QStringLiteral("%1 %2").arg(wanted).arg(i);
    }
    const int row = static_cast<int>(runs_.size());
    beginInsertRows({}, row, row);
    runs_.push_back(std::move(run));
    endInsertRows();
    figuresChanged();
    Q_EMIT shownChanged();
}

void KeptRuns::remove(std::size_t row)
{
    beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
    runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(row));
    endRemoveRows();
    figuresChanged();
    Q_EMIT shownChanged();
}

void KeptRuns::show(std::size_t row, bool is_shown)
{
    runs_[row].is_shown = is_shown;
    const QModelIndex cell = index(static_cast<int>(row), Name);
    Q_EMIT dataChanged(cell, cell);
    Q_EMIT shownChanged();
}

void KeptRuns::setTarget(std::optional<double> loss)
{
    target_ = loss;
    figuresChanged();
}

double KeptRuns::target() const
{
    if (target_) {
        return *target_;
    }
    double worst = std::nan("");
    for (const KeptRun& run : runs_) {
        const double best = lowestLoss(run.curve);
        worst = std::isfinite(best) ? std::fmax(worst, best) : worst;
    }
    return worst;
}

void KeptRuns::figuresChanged()
{
    if (!runs_.empty()) {
        Q_EMIT dataChanged(index(0, ToTarget), index(rowCount() - 1, ToTarget));
    }
}

int KeptRuns::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}

int KeptRuns::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : k_columns; }

double KeptRuns::number(const KeptRun& run, int column) const
{
    switch (column) {
    case Seconds:
        return toSeconds(run.last.now);
    case Updates:
        return static_cast<double>(run.last.version);
    case Loss:
        return run.curve.empty() ? std::nan("") : run.curve.back().train_loss;
    case Best:
        return lowestLoss(run.curve);
    case ToTarget:
        return timeToTarget(run.curve, {Target::Loss::Training, target()});
    case Idle:
        return idleShare(run.last);
    case Staleness:
        return run.last.staleness.total() > 0 ? run.last.staleness.mean() : std::nan("");
    default:
        return std::nan("");
    }
}

QVariant KeptRuns::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) {
        return {};
    }
    const KeptRun& run = runs_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    if (role == Qt::CheckStateRole && column == Name) {
        return run.is_shown ? Qt::Checked : Qt::Unchecked;
    }
    if (role == Qt::TextAlignmentRole && column > Seed) {
        return int(Qt::AlignRight | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole && column == ToTarget) {
        return tr("When the median of three evaluations is at the target for the first time.");
    }
    if (role == Qt::UserRole && column > Seed) {
        return number(run, column);
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole && role != Qt::UserRole) {
        return {};
    }
    switch (column) {
    case Name:
        return run.name;
    case Strategy:
        return strategyTitle(run.experiment);
    case Seed:
        return QString::number(run.experiment.seed);
    case Updates:
        return QString::number(run.last.version);
    case Idle:
        return percent(number(run, column));
    case ToTarget: {
        const double seconds = number(run, column);
        return std::isfinite(seconds) ? tr("%1 s").arg(textOf(seconds, 4)) : tr("not reached");
    }
    case Seconds:
        return tr("%1 s").arg(textOf(number(run, column), 4));
    default:
        return textOf(number(run, column), 3);
    }
}

QVariant KeptRuns::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    const std::array<QString, k_columns> titles{
        tr("Run"),  tr("Strategy"),  tr("Seed"),      tr("Seconds"), tr("Updates"),
        tr("Loss"), tr("Best loss"), tr("To target"), tr("Idle"),    tr("Staleness")};
    return titles[static_cast<std::size_t>(section)];
}

Qt::ItemFlags KeptRuns::flags(const QModelIndex& index) const
{
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return index.column() == Name ? usual | Qt::ItemIsEditable | Qt::ItemIsUserCheckable : usual;
}

bool KeptRuns::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || index.column() != Name) {
        return false;
    }
    KeptRun& run = runs_[static_cast<std::size_t>(index.row())];
    if (role == Qt::CheckStateRole) {
        show(static_cast<std::size_t>(index.row()), value.toInt() == Qt::Checked);
        return true;
    }
    const QString name = value.toString().trimmed();
    if (role != Qt::EditRole || name.isEmpty()) {
        return false;
    }
    run.name = name;
    Q_EMIT dataChanged(index, index);
    Q_EMIT shownChanged();
    return true;
}

QStringList seedLines(const std::vector<KeptRun>& runs, double target)
{
    std::map<std::string, std::vector<const KeptRun*>> sets;
    std::vector<std::string> order;
    for (const KeptRun& run : runs) {
        const std::string key = withoutSeed(run.experiment);
        std::vector<const KeptRun*>& set = sets[key];
        // The same seed twice is the same run twice.
        if (std::ranges::none_of(
                set, [&](const KeptRun* other) { return other->experiment.seed == run.experiment.seed; })) {
            set.push_back(&run);
            if (set.size() == 2) {
                order.push_back(key);
            }
        }
    }
    QStringList lines;
    for (const std::string& one : order) {
        const std::vector<const KeptRun*>& set = sets[one];
        std::vector<double> times;
        std::vector<double> losses;
        std::vector<double> idle;
        qsizetype missing = 0;
        for (const KeptRun* run : set) {
            const double time = timeToTarget(run->curve, {Target::Loss::Training, target});
            missing += std::isfinite(time) ? 0 : 1;
            times.push_back(time);
            losses.push_back(run->curve.empty() ? std::nan("") : run->curve.back().train_loss);
            idle.push_back(idleShare(run->last));
        }
        const auto total = static_cast<qsizetype>(set.size());
        const QString reached = missing > 0
            ? KeptRuns::tr("%1 of %2 never at the target").arg(missing).arg(total)
            : KeptRuns::tr("at the target after %1 s").arg(mean(times, 1, 4));
        lines << KeptRuns::tr("%1, %2 seeds: loss %3, %4, idle %5 %")
                     .arg(strategyTitle(set.front()->experiment))
                     .arg(total)
                     .arg(mean(losses, 1, 3), reached, mean(idle, 100, 3));
    }
    return lines;
}

} // namespace lab
