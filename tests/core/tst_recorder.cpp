#include "core/base/rng.h"
#include "core/record/recorder.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

using namespace lab;
using lab::test::atMs;
using lab::test::ms;
using lab::test::wrongInLedger;

namespace {

constexpr NodeId k_first{0};
constexpr NodeId k_second{1};

Span spanOf(NodeId node, Activity activity, std::int64_t start, std::int64_t end)
{
    return {.node = node, .activity = activity, .start = atMs(start), .end = atMs(end)};
}

Applied updateOf(Version version, std::vector<Contribution> parts)
{
    Applied update;
    update.version = version;
    update.group = GroupId{0};
    update.samples = 8 * static_cast<std::int64_t>(parts.size());
    update.parts = std::move(parts);
    return update;
}

RunRecord closed(Recorder& recorder, std::int64_t end)
{
    recorder.close(atMs(end));
    return recorder.takeRecord();
}

} // namespace

class TestRecorder final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNodeThatDoesNothingWaits();
    void timesAddUpExactlyWhateverHappens_data();
    void timesAddUpExactlyWhateverHappens();
    void computingIsHeldBackUntilItIsUsed();
    void computingThatIsThrownAwayBecomesWasted();
    void settlingOneTaskLeavesTheOthers();
    void aTaskInSeveralStretchesIsSettledAsOne();
    void workInHandAtTheEndCountsAsComputing();
    void aMomentWithoutLengthLeavesNoSpan();
    void goingOnWithTheSameThingIsOneSpan();
    void stalenessIsTheVersionJustBeforeMinusTheVersionRead();
    void oneNodesTwoPartsAreNamedOnce();
    void groupsThatKeepTheirMembersKeepTheirCount();
    void anUpdateOfAGroupThatIsGoneIsStillAnUpdate();
    void transfersAreShownWhileTheyLast();
    void everyFreshEntryIsGivenExactlyOnce();
    void whatIsForgottenWasPassedOnAndNothingElse();
    void theFrameShowsWhatIsStillOpen();
};

void TestRecorder::aNodeThatDoesNothingWaits()
{
    Recorder recorder(2);

    const RunRecord run = closed(recorder, 100);

    QVERIFY(run.last.nodes[1].times[Activity::Waiting] == ms(100));
    QVERIFY((run.spans
             == std::vector{spanOf(k_first, Activity::Waiting, 0, 100),
                            spanOf(k_second, Activity::Waiting, 0, 100)}));
}

void TestRecorder::timesAddUpExactlyWhateverHappens_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 20; ++seed) {
        QTest::addRow("seed %d", seed) << seed;
    }
}

void TestRecorder::timesAddUpExactlyWhateverHappens()
{
    QFETCH(const int, seed);
    Rng random(static_cast<std::uint64_t>(seed), Purpose::Estimate, 0, 0);
    Recorder recorder(3);
    TimePoint now;
    std::vector<std::pair<NodeId, TaskId>> unsettled;
    for (TaskId task = 1; task <= 500; ++task) {
        now += Duration{random.below(3) == 0 ? 0 : static_cast<std::int64_t>(random.below(1'000'000'007))};
        const NodeId node{static_cast<std::int32_t>(random.below(3))};
        constexpr std::array k_kinds{Activity::Computing, Activity::Communicating, Activity::Waiting,
                                     Activity::Down};
        const Activity activity = k_kinds.at(random.below(4));
        recorder.activity(node, activity, now, activity == Activity::Computing ? task : 0);
        if (activity == Activity::Computing) {
            unsettled.emplace_back(node, task);
        } else if (!unsettled.empty() && random.below(2) == 0) {
            const auto [whose, which] = unsettled.front();
            unsettled.erase(unsettled.begin());
            if (whose == node) { // what it computes is not settled while it does
                recorder.settle(whose, which, random.below(2) == 0);
            }
        }
        for (const NodeFrame& shown : recorder.frame(now).nodes) {
            QVERIFY(shown.times.total() == now.time_since_epoch());
        }
    }

    recorder.close(now + Duration{1});
    const std::string wrong = wrongInLedger(recorder.takeRecord());

    QVERIFY2(wrong.empty(), wrong.c_str());
}

void TestRecorder::computingIsHeldBackUntilItIsUsed()
{
    Recorder recorder(1);
    recorder.activity(k_first, Activity::Computing, atMs(0), 1);
    recorder.activity(k_first, Activity::Waiting, atMs(40));
    Frame before;
    recorder.addFresh(before);
    QVERIFY(before.spans.empty());

    recorder.applied(updateOf(1, {{.node = k_first, .task = 1, .read_version = 0}}), atMs(60));

    Frame after;
    recorder.addFresh(after);
    QVERIFY((after.spans == std::vector{spanOf(k_first, Activity::Computing, 0, 40)}));
}

void TestRecorder::computingThatIsThrownAwayBecomesWasted()
{
    Recorder recorder(1);
    recorder.activity(k_first, Activity::Computing, atMs(0), 1);
    recorder.activity(k_first, Activity::Waiting, atMs(40));
    QVERIFY(recorder.frame(atMs(50)).nodes[0].times[Activity::Computing] == ms(40));

    recorder.settle(k_first, 1, false);

    const ActivityTimes times = recorder.frame(atMs(50)).nodes[0].times;
    QVERIFY(times[Activity::Computing] == ms(0));
    QVERIFY(times[Activity::Wasted] == ms(40));
    const RunRecord run = closed(recorder, 50);
    QVERIFY(run.spans.at(0) == spanOf(k_first, Activity::Wasted, 0, 40));
    QVERIFY(wrongInLedger(run).empty());
}

void TestRecorder::settlingOneTaskLeavesTheOthers()
{
    Recorder recorder(1);
    recorder.activity(k_first, Activity::Computing, atMs(0), 1);
    recorder.activity(k_first, Activity::Computing, atMs(40), 2);
    recorder.activity(k_first, Activity::Computing, atMs(60), 3);
    recorder.settle(k_first, 2, false);
    recorder.settle(k_first, 1, true);
    recorder.settle(k_first, 7, false); // nobody's

    const RunRecord run = closed(recorder, 100);

    QVERIFY((run.spans
             == std::vector{spanOf(k_first, Activity::Computing, 0, 40),
                            spanOf(k_first, Activity::Wasted, 40, 60),
                            spanOf(k_first, Activity::Computing, 60, 100)}));
    QVERIFY(run.last.nodes[0].times[Activity::Wasted] == ms(20));
    QVERIFY(wrongInLedger(run).empty());
}

void TestRecorder::aTaskInSeveralStretchesIsSettledAsOne()
{
    Recorder recorder(1);
    recorder.activity(k_first, Activity::Computing, atMs(0), 1);
    recorder.activity(k_first, Activity::Waiting, atMs(10));
    recorder.activity(k_first, Activity::Computing, atMs(20), 1);
    recorder.activity(k_first, Activity::Waiting, atMs(30));

    recorder.settle(k_first, 1, false);

    QVERIFY(recorder.frame(atMs(30)).nodes[0].times[Activity::Wasted] == ms(20));
}

void TestRecorder::workInHandAtTheEndCountsAsComputing()
{
    Recorder recorder(1);
    recorder.activity(k_first, Activity::Computing, atMs(0), 1); // finished, not applied
    recorder.activity(k_first, Activity::Computing, atMs(40), 2);

    const RunRecord run = closed(recorder, 100);

    QVERIFY(run.last.nodes[0].times[Activity::Computing] == ms(100));
    QCOMPARE(run.spans.size(), std::size_t{2});
    QVERIFY(run.last.open.empty());
    QVERIFY(wrongInLedger(run).empty());
}

void TestRecorder::aMomentWithoutLengthLeavesNoSpan()
{
    Recorder recorder(1);
    recorder.activity(k_first, Activity::Computing, atMs(0), 1);
    recorder.activity(k_first, Activity::Waiting, atMs(40));
    recorder.activity(k_first, Activity::Communicating, atMs(40));
    recorder.activity(k_first, Activity::Computing, atMs(40), 2);

    QCOMPARE(closed(recorder, 100).spans.size(), std::size_t{2});
}

void TestRecorder::goingOnWithTheSameThingIsOneSpan()
{
    Recorder recorder(1);
    recorder.activity(k_first, Activity::Communicating, atMs(10));
    recorder.activity(k_first, Activity::Communicating, atMs(20));
    recorder.activity(k_first, Activity::Waiting, atMs(30));

    QVERIFY(closed(recorder, 40).spans.at(1) == spanOf(k_first, Activity::Communicating, 10, 30));
}

void TestRecorder::stalenessIsTheVersionJustBeforeMinusTheVersionRead()
{
    Recorder recorder(2);
    recorder.applied(updateOf(1, {{.node = k_first, .task = 1, .read_version = 0}}), atMs(10));
    recorder.applied(updateOf(2, {{.node = k_first, .task = 3, .read_version = 1}}), atMs(20));
    recorder.applied(updateOf(3,
                              {{.node = k_first, .task = 4, .read_version = 2},
                               {.node = k_second, .task = 2, .read_version = 0}}),
                     atMs(30));

    const RunRecord run = closed(recorder, 40);

    // version before - version read: 0 - 0; 1 - 1; 2 - 2 and 2 - 0
    QCOMPARE(run.updates.at(0).staleness_max, std::int64_t{0});
    QCOMPARE(run.updates.at(1).staleness_mean, 0.0);
    QCOMPARE(run.updates.at(2).staleness_mean, 1.0);
    QCOMPARE(run.updates.at(2).staleness_max, std::int64_t{2});
    QVERIFY((run.updates.at(2).nodes == std::vector{k_first, k_second}));
    QCOMPARE(run.updates.at(2).samples, std::int64_t{16});
    QVERIFY(run.updates.at(2).time == atMs(30));
    QCOMPARE(run.last.staleness.counts(), (std::vector<std::int64_t>{3, 0, 1}));
    QCOMPARE(run.last.samples, std::int64_t{32});
    QCOMPARE(run.last.version, Version{3});
    const NodeFrame& first = run.last.nodes[0];
    QCOMPARE(first.gradients, std::int64_t{3});
    QCOMPARE(first.staleness_mean, 0.0);
    const NodeFrame& second = run.last.nodes[1];
    QCOMPARE(second.gradients, std::int64_t{1});
    QCOMPARE(second.staleness_last, std::int64_t{2});
    QCOMPARE(second.staleness_max, std::int64_t{2});
}

void TestRecorder::oneNodesTwoPartsAreNamedOnce()
{
    Recorder recorder(2);
    recorder.applied(updateOf(1,
                              {{.node = k_first, .task = 1, .read_version = 0},
                               {.node = k_first, .task = 2, .read_version = 0},
                               {.node = k_second, .task = 3, .read_version = 0}}),
                     atMs(10));

    const RunRecord run = closed(recorder, 10);

    QVERIFY((run.updates.at(0).nodes == std::vector{k_first, k_second}));
    QCOMPARE(run.last.nodes[0].gradients, std::int64_t{2});
    QCOMPARE(run.last.staleness.total(), std::int64_t{3});
}

void TestRecorder::groupsThatKeepTheirMembersKeepTheirCount()
{
    Recorder recorder(3);
    recorder.grouped({.groups = {{NodeId{0}}, {NodeId{1}, NodeId{2}}}, .tolerance = {0, 1}}, atMs(0));
    recorder.applied(updateOf(1, {{.node = k_first, .task = 1, .read_version = 0}}), atMs(10));
    recorder.grouped({.groups = {{NodeId{0}}, {NodeId{1}}, {NodeId{2}}}, .tolerance = {0, 0, 0}}, atMs(20));

    const Frame frame = recorder.frame(atMs(30));

    QCOMPARE(frame.groups.at(0).updates, std::int64_t{1});
    QVERIFY(frame.groups.at(0).formed == atMs(0));
    QCOMPARE(frame.groups.at(1).updates, std::int64_t{0});
    QVERIFY(frame.groups.at(1).formed == atMs(20));
    QVERIFY(frame.nodes.at(2).group == GroupId{2});
}

void TestRecorder::anUpdateOfAGroupThatIsGoneIsStillAnUpdate()
{
    Recorder recorder(1);
    recorder.grouped({.groups = {{NodeId{0}}}, .tolerance = {0}}, atMs(0));
    Applied update = updateOf(1, {{.node = k_first, .task = 1, .read_version = 0}});
    update.group = GroupId{4};

    recorder.applied(update, atMs(10));

    QCOMPARE(recorder.frame(atMs(10)).version, Version{1});
    QCOMPARE(recorder.frame(atMs(10)).groups.at(0).updates, std::int64_t{0});
}

void TestRecorder::transfersAreShownWhileTheyLast()
{
    Recorder recorder(2);
    const std::size_t down = recorder.transferBegan(k_first, false, atMs(0), atMs(10));
    const std::size_t up = recorder.transferBegan(k_second, true, atMs(5), atMs(15));
    QCOMPARE(recorder.frame(atMs(5)).transfers.size(), std::size_t{2});

    recorder.transferEnded(down);
    const Frame frame = recorder.frame(atMs(12));
    QCOMPARE(frame.transfers.size(), std::size_t{1});
    QVERIFY(frame.transfers[0].node == k_second && frame.transfers[0].up);
    QVERIFY(frame.transfers[0].start == atMs(5) && frame.transfers[0].end == atMs(15));

    const std::size_t again = recorder.transferBegan(k_first, true, atMs(12), atMs(20));
    QVERIFY(again != up);
    recorder.transferEnded(up);
    recorder.transferEnded(again);
    QVERIFY(recorder.frame(atMs(20)).transfers.empty());
}

void TestRecorder::everyFreshEntryIsGivenExactlyOnce()
{
    Recorder recorder(1);
    Frame all;
    for (Version version = 1; version <= 10; ++version) {
        recorder.activity(k_first, Activity::Computing, atMs(10 * version), version);
        recorder.activity(k_first, Activity::Waiting, atMs(10 * version + 5));
        recorder.log(atMs(10 * version), LogEntry::Kind::Note, k_first, std::to_string(version));
        Evaluation evaluation;
        evaluation.update = version;
        recorder.evaluated(evaluation);
        recorder.applied(updateOf(version, {{.node = k_first, .task = version, .read_version = version - 1}}),
                         atMs(10 * version + 5));
        if (version % 3 == 0) {
            recorder.addFresh(all);
        }
    }
    recorder.close(atMs(200));
    recorder.addFresh(all);
    recorder.addFresh(all);

    const RunRecord run = recorder.takeRecord();

    QVERIFY(all.updates == run.updates);
    QVERIFY(all.log == run.log);
    QCOMPARE(all.evaluations.size(), run.curve.size());
    QCOMPARE(all.spans.size(), run.spans.size());
    std::ranges::sort(all.spans, {}, &Span::start);
    QVERIFY(all.spans == run.spans);
}

void TestRecorder::whatIsForgottenWasPassedOnAndNothingElse()
{
    Recorder recorder(1);
    Frame all;
    for (Version version = 1; version <= 9; ++version) {
        recorder.activity(k_first, Activity::Computing, atMs(10 * version), version);
        recorder.activity(k_first, Activity::Waiting, atMs(10 * version + 5));
        Evaluation evaluation;
        evaluation.update = version;
        recorder.evaluated(evaluation);
        recorder.applied(updateOf(version, {{.node = k_first, .task = version, .read_version = version - 1}}),
                         atMs(10 * version + 5));
        if (version % 2 == 0) {
            recorder.addFresh(all);
            recorder.forgetPassedOn();
            QCOMPARE(recorder.latestEvaluation()->update, version);
        }
    }
    recorder.close(atMs(200));

    const RunRecord rest = recorder.takeRecord();

    QCOMPARE(all.updates.size(), std::size_t{8});
    QCOMPARE(rest.updates.size(), std::size_t{1});
    QCOMPARE(rest.updates.front().update, Version{9});
    QVERIFY(rest.spans.size() <= 4);
    QCOMPARE(rest.last.nodes.at(0).gradients, std::int64_t{9});
}

void TestRecorder::theFrameShowsWhatIsStillOpen()
{
    Recorder recorder(1);
    recorder.activity(k_first, Activity::Computing, atMs(0), 1);
    recorder.activity(k_first, Activity::Waiting, atMs(40));

    const Frame frame = recorder.frame(atMs(70));

    // the task's gradient may still be thrown away, and it waits on
    QVERIFY((frame.open
             == std::vector{spanOf(k_first, Activity::Computing, 0, 40),
                            spanOf(k_first, Activity::Waiting, 40, 70)}));
    QVERIFY(frame.nodes[0].activity == Activity::Waiting);
    QVERIFY(frame.nodes[0].since == atMs(40));
}

QTEST_APPLESS_MAIN(TestRecorder)
#include "tst_recorder.moc"
