#include "core/base/error.h"
#include "core/base/rng.h"
#include "core/experiment/recorded_run.h"
#include "core/record/csv.h"
#include "core/record/database.h"
#include "core/record/playback.h"
#include "tests/support/disk_content.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/session_fixture.h"

#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

using namespace lab;
using lab::test::contentOf;
using lab::test::ScratchFolder;
using lab::test::sessionProblem;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t k_seed = 5;

/// What was read of a session by somebody who looks at everything that there is.
struct Seen {
    std::string problem; ///< what was said of it
    std::optional<RunRecord> record;
};

Seen look(const fs::path& file)
{
    Seen seen;
    try {
        const SessionReader session(file);
        seen.problem = session.damage();
        for (const SessionRun& run : session.runs()) {
            const OpenedRun opened = openRun(session, run.number);
            seen.problem += opened.recorded.damage;
            seen.record = opened.recorded.record;
            // Whoever shows a run must be able to rely on it, damaged or not.
            const RunRecord& record = *seen.record;
            (void)(updatesCsv(record, opened.recorded.run.head.nodes) + curveCsv(record)
                   + nodesCsv(record, opened.recorded.run.head.nodes)
                   + timelineCsv(record, opened.recorded.run.head.nodes));
            Playback playback(record);
            for (int i = 0; i <= 10; ++i) {
                (void)playback.at(TimePoint{record.end.time_since_epoch() * i / 10});
            }
        }
    } catch (const Error& error) {
        seen.problem = error.what();
    }
    return seen;
}

} // namespace

class TestSessionDamage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void whatIsNoSessionIsRefused_data();
    void whatIsNoSessionIsRefused();
    void anotherVersionIsRefusedAndNamed();
    void aFileThatWasCutOffIsReadAsFarAsItGoes();
    void everyFlippedByteIsNoticedOrDoesNotMatter();
    void overwrittenPagesAreNoticed();
    void anAlteredNumberIsNoticed_data();
    void anAlteredNumberIsNoticed();
    void nothingIsMadeBesideTheFile();
    void aLogOfAnotherFileDoesNoHarm();

private:
    /// Writes the session with other content and looks at it; checks that looking changes nothing.
    Seen lookAt(const std::string& content, const char* name = "session.slab");

    ScratchFolder scratch_;
    RunRecord run_;
    std::string sound_;
};

void TestSessionDamage::initTestCase()
{
    qInfo("seed %llu", static_cast<unsigned long long>(k_seed));
    Experiment experiment = lab::test::eventfulExperiment("hybrid");
    experiment.stop.updates = 60;
    run_ = lab::test::recordRun(experiment, scratch_.path() / "sound.slab");
    sound_ = contentOf(scratch_.path() / "sound.slab");
    fs::remove(scratch_.path() / "sound.slab");
}

Seen TestSessionDamage::lookAt(const std::string& content, const char* name)
{
    const fs::path file = scratch_.write(name, content);
    Seen seen = look(file);
    if (contentOf(file) != content) {
        seen.problem = "THE FILE WAS CHANGED";
        seen.record.reset();
    }
    return seen;
}

void TestSessionDamage::whatIsNoSessionIsRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("empty") << QByteArray() << QByteArray("is empty, no session");
    QTest::newRow("one byte") << QByteArray("S") << QByteArray("is cut off after 1 bytes");
    QTest::newRow("text") << QByteArray("hello") << QByteArray("does not begin as one");
    QTest::newRow("json") << QByteArray("{\"format\": 1}") << QByteArray("open it as an experiment");
    QTest::newRow("zeros") << QByteArray(5000, '\0') << QByteArray("does not begin as one");
    QTest::newRow("header alone") << QByteArray("SQLite format 3\0", 16)
                                  << QByteArray("is cut off after 16 bytes");
    QTest::newRow("foreign") << QByteArray("SQLite format 3\0", 16) + QByteArray(5000, '\1')
                             << QByteArray("is a database of another program");
}

void TestSessionDamage::whatIsNoSessionIsRefused()
{
    QFETCH(const QByteArray, content);
    QFETCH(const QByteArray, said);

    const Seen seen = lookAt(content.toStdString());

    QVERIFY2(seen.problem.find(said.toStdString()) != std::string::npos, seen.problem.c_str());
    QVERIFY(seen.problem.starts_with((scratch_.path() / "session.slab").string() + ": "));
    QVERIFY(sessionProblem(scratch_.path()).find("is a folder") != std::string::npos);
    QVERIFY(sessionProblem(scratch_.path() / "none.slab").find("no such file") != std::string::npos);
    QVERIFY(sessionProblem("/dev/null").find("not a regular file") != std::string::npos);
}

void TestSessionDamage::anotherVersionIsRefusedAndNamed()
{
    std::string future = sound_;
    future[63] = 2; // user_version, big-endian at 60

    const Seen seen = lookAt(future);

    QVERIFY2(seen.problem.find("format 2, and this program reads format 1") != std::string::npos,
             seen.problem.c_str());
}

void TestSessionDamage::aFileThatWasCutOffIsReadAsFarAsItGoes()
{
    // Every single length takes minutes: LAB_STEP=1 in the environment.
    const char* wanted = std::getenv("LAB_STEP");
    const std::size_t step =
        wanted != nullptr ? static_cast<std::size_t>(std::max(std::atoi(wanted), 1)) : 211;
    std::size_t partly = 0;
    for (std::size_t length = 0; length < sound_.size();
         length += length < 300 ? std::min<std::size_t>(step, 7) : step) {
        const Seen seen = lookAt(sound_.substr(0, length));

        QVERIFY2(!seen.problem.empty(), qPrintable(QString::number(length)));
        QVERIFY2(!seen.problem.starts_with("THE FILE"), qPrintable(QString::number(length)));
        if (seen.record) {
            partly += 1;
            QVERIFY(seen.record->updates.size() <= run_.updates.size());
            for (std::size_t i = 0; i < seen.record->updates.size(); ++i) {
                QVERIFY2(seen.record->updates[i].time == run_.updates[i].time,
                         qPrintable(QString::number(length)));
            }
        }
    }
    qInfo("of %zu bytes; opened in part %zu times", sound_.size(), partly);
    QVERIFY(partly > 0);
    QCOMPARE(lookAt(sound_).problem, std::string());
}

void TestSessionDamage::everyFlippedByteIsNoticedOrDoesNotMatter()
{
    Rng random(k_seed, Purpose::Estimate, 0, 0);
    int noticed = 0;
    for (int i = 0; i < 1500; ++i) {
        std::string content = sound_;
        // Every second one in the header and the tables' descriptions, where the most can go wrong.
        const std::size_t place = random.below(i % 2 == 0 ? 4096 * 3 : content.size());
        content[place] = static_cast<char>(content[place] ^ static_cast<char>(1U << random.below(8)));

        const Seen seen = lookAt(content);

        QVERIFY(!seen.problem.starts_with("THE FILE"));
        noticed += seen.problem.empty() ? 0 : 1;
        if (seen.problem.empty() && seen.record) {
            const std::string difference = lab::test::differenceOfRuns(*seen.record, run_);
            QVERIFY2(difference.empty(), qPrintable(QString::number(place)));
        }
    }
    qInfo("%d of 1500 noticed", noticed);
}

void TestSessionDamage::overwrittenPagesAreNoticed()
{
    constexpr std::size_t k_page = 4096;
    Rng random(k_seed, Purpose::Estimate, 1, 0);
    for (std::size_t page = 0; page * k_page < sound_.size(); ++page) {
        std::string content = sound_;
        for (std::size_t i = page * k_page + (page == 0 ? 100 : 0); i < (page + 1) * k_page; ++i) {
            content[i] = static_cast<char>(random.below(256));
        }

        const Seen seen = lookAt(content);

        QVERIFY(!seen.problem.starts_with("THE FILE"));
        const bool is_harmless = seen.problem.empty() && seen.record
            && lab::test::differenceOfRuns(*seen.record, run_)
                   .empty(); // a page that nothing of the run lies in
        QVERIFY(is_harmless || !seen.problem.empty());
    }
}

void TestSessionDamage::anAlteredNumberIsNoticed_data()
{
    QTest::addColumn<QByteArray>("statement");
    for (const char* statement :
         {"UPDATE updates SET staleness_mean = staleness_mean + 1 WHERE \"update\" = 7",
          "DELETE FROM updates WHERE \"update\" = 7",
          "UPDATE gradients SET node = 99 WHERE rowid = 5",
          "UPDATE gradients SET node = -1 WHERE rowid = 5",
          "UPDATE gradients SET \"update\" = 1 WHERE rowid = 9",
          "DELETE FROM gradients WHERE rowid = 3",
          "UPDATE spans SET state = 9 WHERE rowid = 4",
          "UPDATE spans SET \"end\" = start WHERE rowid = 4",
          "UPDATE spans SET start = 'x' WHERE rowid = 4",
          "UPDATE spans SET start = 1e300 WHERE rowid = 4",
          "DELETE FROM spans",
          "UPDATE runs SET seconds = -1",
          "UPDATE runs SET title = 'other'",
          "UPDATE texts SET text = '{}' WHERE name = 'experiment'",
          "UPDATE runs SET seed = 'x'",
          "UPDATE runs SET stop_reason = 'tired'",
          "UPDATE runs SET state = 'running'",
          "UPDATE runs SET content_fingerprint = NULL",
          "UPDATE nodes SET name = 'other' WHERE node = 2",
          "UPDATE nodes SET computing = computing + 1 WHERE node = 2",
          "DELETE FROM nodes WHERE node = 5",
          "DELETE FROM nodes WHERE node = 2",
          "DELETE FROM nodes",
          "DELETE FROM runs",
          "UPDATE groups SET \"group\" = 5 WHERE rowid = 2",
          "UPDATE groups SET grouping = 7 WHERE rowid = 2",
          "UPDATE events SET kind = 'party'",
          "UPDATE events SET text = x'00'",
          "DROP TABLE updates",
          "DROP TABLE runs",
          "DROP TABLE gradients; CREATE VIEW gradients AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
          "i + 1 "
          "FROM n) SELECT 1 AS run, i AS \"update\", 0 AS node, 0 AS staleness FROM n",
          "CREATE TRIGGER t AFTER INSERT ON runs BEGIN SELECT 1; END",
          "DROP TABLE nodes",
          "UPDATE slowdowns SET node = NULL",
          "UPDATE evaluations SET time = -time",
          "INSERT INTO open_spans VALUES (1, 0, 1, 2, 0, NULL)",
          "UPDATE evaluations SET train_loss = 9e999 WHERE rowid = 2"}) {
        QTest::newRow(statement) << QByteArray(statement);
    }
}

void TestSessionDamage::anAlteredNumberIsNoticed()
{
    QFETCH(const QByteArray, statement);
    const fs::path file = scratch_.write("session.slab", sound_);
    {
        Database database(file, Database::Access::Write, "session");
        database.run(statement.toStdString());
    }
    const std::string before = contentOf(file);

    const Seen seen = look(file);

    if (statement == "DELETE FROM runs") {
        QVERIFY(seen.problem.empty() && !seen.record); // a session without runs is one
    } else {
        QVERIFY2(!seen.problem.empty(), "nothing was said");
        QVERIFY2(seen.problem.find("backup") != std::string::npos, seen.problem.c_str());
    }
    QCOMPARE(contentOf(file), before);
}

void TestSessionDamage::nothingIsMadeBesideTheFile()
{
    const ScratchFolder folder;
    const fs::path file = folder.write("a b?#%41.slab", sound_);

    QCOMPARE(look(file).problem, std::string());

    QCOMPARE(std::distance(fs::directory_iterator(folder.path()), {}), std::ptrdiff_t{1});
}

void TestSessionDamage::aLogOfAnotherFileDoesNoHarm()
{
    Rng random(k_seed, Purpose::Estimate, 2, 0);
    std::string noise(10'000, '\0');
    for (char& byte : noise) {
        byte = static_cast<char>(random.below(256));
    }
    for (const char* ending : {"-wal", "-journal"}) {
        const ScratchFolder folder;
        const fs::path file = folder.write("session.slab", sound_);
        const fs::path beside = folder.write(std::string("session.slab") + ending, noise);

        const Seen seen = look(file);

        QVERIFY2(seen.problem.empty(), seen.problem.c_str());
        QCOMPARE(lab::test::differenceOfRuns(*seen.record, run_), std::string());
        QCOMPARE(contentOf(file), sound_);
        QCOMPARE(contentOf(beside), noise);
    }
}

QTEST_APPLESS_MAIN(TestSessionDamage)
#include "tst_session_damage.moc"
