#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/experiment/recorded_run.h"
#include "core/experiment/run.h"
#include "core/experiment/run_recording.h"
#include "tests/support/disk_content.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/session_fixture.h"

#include <QTest>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace lab;
using lab::test::contentOf;
using lab::test::ScratchFolder;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t k_seed = 20;
constexpr int k_kills = 20;            ///< LAB_KILLS in the environment: so many instead
constexpr double k_longest_life = 2.0; ///< seconds
/// Recording is told of a run at least so often, and what was told before is then in the file.
constexpr double k_sure_after = 0.6;

/// What the child says of its run after it was recorded so far.
struct Told {
    double wall = 0; ///< of the clock that both share
    Version version = 0;
};

double wallSeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Runs for hours, with an edit of every kind at the beginning.
Experiment endlessExperiment()
{
    Experiment experiment = lab::test::eventfulExperiment("hybrid");
    experiment.stop = {.seconds = {}, .updates = 1'000'000'000, .samples = {}, .loss = {}};
    return experiment;
}

[[noreturn]] void recordUntilKilled(const fs::path& file, int pipe)
{
    try {
        const Experiment experiment = endlessExperiment();
        RunRecording recording({.file = file}, experiment, ClockKind::Virtual, dateAndTime());
        const Progress tell = [pipe](const Frame& frame) {
            const Told told{.wall = wallSeconds(), .version = frame.version};
            return ::write(pipe, &told, sizeof told) == static_cast<ssize_t>(sizeof told);
        };
        (void)runExperiment(experiment, 1, tell, {.recording = &recording});
    } catch (...) {
        ::_exit(1);
    }
    ::_exit(2); // nobody killed it
}

/// Lets a child record a run for a while and kills it; all that it told.
std::vector<Told> killAfter(double seconds, const fs::path& file)
{
    int ends[2];
    [[maybe_unused]] const int made = ::pipe(ends);
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        recordUntilKilled(file, ends[1]);
    }
    ::close(ends[1]);
    ::poll(nullptr, 0, static_cast<int>(1e3 * seconds));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    std::vector<Told> all;
    for (Told told; ::read(ends[0], &told, sizeof told) == static_cast<ssize_t>(sizeof told);) {
        all.push_back(told);
    }
    ::close(ends[0]);
    return WIFSIGNALED(status) ? all : std::vector<Told>{{.wall = -1, .version = -1}};
}

/// A run that was killed may only be a beginning of the whole.
template <class List> bool isBeginningOf(const List& part, const List& whole)
{
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

} // namespace

class TestSessionKill : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsASecondOldOutlivesAKill();
};

void TestSessionKill::whatIsASecondOldOutlivesAKill()
{
    const char* wanted = std::getenv("LAB_KILLS");
    const int kills = wanted != nullptr ? std::max(std::atoi(wanted), 1) : k_kills;
    qInfo("seed %llu, %d kills", static_cast<unsigned long long>(k_seed), kills);
    std::vector<RunRecord> killed;
    double longest_loss = 0;
    for (int i = 0; i < kills; ++i) {
        const ScratchFolder scratch;
        const fs::path file = scratch.path() / "session.slab";
        const fs::path log = scratch.path() / "session.slab-wal";
        const double life =
            k_longest_life * Rng(k_seed, Purpose::Estimate, 0, static_cast<std::uint64_t>(i)).uniform();

        const std::vector<Told> told = killAfter(life, file);

        QVERIFY(told.empty() || told.front().version >= 0); // it was the signal that ended it
        if (told.empty()) {
            continue; // killed before the run had begun
        }
        const std::string before = contentOf(file) + contentOf(log);
        const std::string problem = lab::test::sessionProblem(file);
        QVERIFY2(problem.empty(), problem.c_str());
        const RecordedRun read = SessionReader(file).read(1);
        QCOMPARE(contentOf(file) + contentOf(log), before);
        QVERIFY(!read.run.isFinished());
        QVERIFY(read.record.stop_reason == StopReason::Interrupted);
        for (const Told& one : told) {
            const bool is_sure = told.back().wall - one.wall >= k_sure_after;
            QVERIFY2(!is_sure || read.record.last.version >= one.version,
                     qPrintable(QString::number(told.back().wall - one.wall)));
            if (read.record.last.version < one.version) {
                longest_loss = std::max(longest_loss, told.back().wall - one.wall);
            }
        }
        const std::string wrong = lab::test::wrongInLedger(read.record);
        QVERIFY2(wrong.empty(), wrong.c_str());
        killed.push_back(read.record);
    }
    qInfo("%zu sessions with a run; what was lost was at most %.2f s old", killed.size(), longest_loss);

    Experiment experiment = endlessExperiment();
    experiment.stop.updates = 1;
    for (const RunRecord& run : killed) {
        experiment.stop.updates = std::max<std::int64_t>(*experiment.stop.updates, run.last.version);
    }
    const RunRecord whole = lab::test::run(experiment);
    for (const RunRecord& run : killed) {
        QCOMPARE(static_cast<Version>(run.updates.size()), run.last.version);
        QVERIFY(isBeginningOf(run.updates, whole.updates));
        QVERIFY(isBeginningOf(run.groupings, whole.groupings));
        QVERIFY(isBeginningOf(run.slowdowns, whole.slowdowns));
    }
}

QTEST_APPLESS_MAIN(TestSessionKill)
#include "tst_session_kill.moc"
