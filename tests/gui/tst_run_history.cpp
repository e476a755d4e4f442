#include "widgets/run_history.h"

#include <QTest>

using namespace lab;

namespace {

constexpr int k_ms = 1'000'000;

Frame frameOf(std::int64_t ms, Version version, GroupId group = GroupId{0})
{
    Frame frame;
    frame.state = RunState::Running;
    frame.now = TimePoint{Duration{ms * k_ms}};
    frame.version = version;
    frame.samples = 10 * version;
    frame.nodes.resize(1);
    frame.nodes[0].group = group;
    return frame;
}

Span spanOf(std::int64_t from, std::int64_t to, Activity activity)
{
    return {NodeId{0}, activity, TimePoint{Duration{from * k_ms}}, TimePoint{Duration{to * k_ms}}};
}

ActivityTimes timesOf(std::span<const Span> spans)
{
    ActivityTimes times;
    for (const Span& span : spans) {
        times[span.activity] += span.end - span.start;
    }
    return times;
}

} // namespace

/// What the window remembers of a run stays bounded, and what it says of the past is what happened.
class TestRunHistory final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLaneIsBoundedAndItsSumsStayExact();
    void theNewestSpansAreNeverMerged();
    void longSpansSurviveTheMerging();
    void framesOfTheFarPastAreThinnedNotLost();
    void thePastIsShownAsItWas();
    void timesWithinAStretchAddUpToIt();
    void groupLettersReadBack();
};

void TestRunHistory::aLaneIsBoundedAndItsSumsStayExact()
{
    SpanLane lane(1000);
    ActivityTimes expected;
    std::int64_t at = 0;
    for (int i = 0; i < 100'000; ++i) {
        const std::int64_t length = 1 + (i * 7) % 5;
        const Span span = spanOf(at, at + length, static_cast<Activity>(i % 4));
        expected[span.activity] += span.end - span.start;
        lane.add(span);
        QVERIFY(lane.spans().size() <= 1001);
        at += length;
    }

    QVERIFY(timesOf(lane.spans()) == expected);
    TimePoint end;
    for (const Span& span : lane.spans()) {
        QVERIFY(span.start == end && span.end > span.start);
        end = span.end;
    }
    QVERIFY(lane.mergedBefore() > TimePoint{});
}

void TestRunHistory::theNewestSpansAreNeverMerged()
{
    SpanLane lane(1000);
    for (int i = 0; i < 5000; ++i) {
        lane.add(spanOf(2 * i, 2 * i + 2, i % 2 == 0 ? Activity::Computing : Activity::Waiting));
    }

    const auto newest = lane.spans().last(250);

    for (std::size_t i = 0; i < newest.size(); ++i) {
        const int number = 5000 - 250 + static_cast<int>(i);
        QVERIFY(
            newest[i]
            == spanOf(2 * number, 2 * number + 2, number % 2 == 0 ? Activity::Computing : Activity::Waiting));
    }
}

void TestRunHistory::longSpansSurviveTheMerging()
{
    SpanLane lane(400);
    lane.add(spanOf(0, 100'000, Activity::Down));
    for (int i = 0; i < 5000; ++i) {
        lane.add(spanOf(100'000 + i, 100'001 + i, i % 2 == 0 ? Activity::Computing : Activity::Waiting));
    }

    QVERIFY(lane.spans().front() == spanOf(0, 100'000, Activity::Down));
}

void TestRunHistory::framesOfTheFarPastAreThinnedNotLost()
{
    RunHistory history;
    history.begin({QStringLiteral("n1")});
    for (int i = 0; i <= 20'000; ++i) {
        history.append(frameOf(i, i));
    }

    for (const int ms : {0, 1, 77, 5000, 12'345, 19'999}) {
        history.view(TimePoint{Duration{std::int64_t{ms} * k_ms}});
        QVERIFY(!history.isLive());
        QVERIFY(history.shown().now == TimePoint{Duration{std::int64_t{ms} * k_ms}});
        QVERIFY2(std::abs(history.shown().version - ms) <= 40,
                 qPrintable(QString::number(history.shown().version)));
    }
    QVERIFY(history.progress().size() <= 4096);
    history.view(std::nullopt);
    QVERIFY(history.isLive());
    QCOMPARE(history.shown().version, Version{20'000});
}

void TestRunHistory::thePastIsShownAsItWas()
{
    RunHistory history;
    history.begin({QStringLiteral("n1")});
    history.append(frameOf(0, 0));
    Frame frame = frameOf(100, 1);
    frame.spans = {spanOf(0, 60, Activity::Computing), spanOf(60, 100, Activity::Waiting)};
    frame.nodes[0].times[Activity::Computing] = Duration{60 * k_ms};
    frame.nodes[0].times[Activity::Waiting] = Duration{40 * k_ms};
    history.append(frame);
    Frame later = frameOf(200, 2, GroupId{1});
    later.spans = {spanOf(100, 200, Activity::Down)};
    history.append(later);

    history.view(TimePoint{Duration{80 * k_ms}});

    QVERIFY(history.shown().nodes[0].activity == Activity::Waiting);
    QVERIFY(history.shown().nodes[0].since == TimePoint{Duration{60 * k_ms}});
    QVERIFY(history.shown().nodes[0].times[Activity::Waiting] == Duration{20 * k_ms});
    history.view(TimePoint{Duration{150 * k_ms}});
    QVERIFY(history.shown().nodes[0].activity == Activity::Down);
    QVERIFY(history.shown().nodes[0].group == GroupId{0});
    history.append(frameOf(300, 3));
    QVERIFY(history.shown().now == TimePoint{Duration{150 * k_ms}});
}

void TestRunHistory::timesWithinAStretchAddUpToIt()
{
    RunHistory history;
    history.begin({QStringLiteral("n1")});
    Frame frame = frameOf(100, 1);
    frame.spans = {spanOf(0, 60, Activity::Computing), spanOf(60, 90, Activity::Waiting)};
    frame.open = {spanOf(90, 100, Activity::Communicating)};
    history.append(frame);

    const ActivityTimes times =
        history.timesWithin(NodeId{0}, TimePoint{Duration{50 * k_ms}}, TimePoint{Duration{95 * k_ms}});

    QVERIFY(times[Activity::Computing] == Duration{10 * k_ms});
    QVERIFY(times[Activity::Waiting] == Duration{30 * k_ms});
    QVERIFY(times[Activity::Communicating] == Duration{5 * k_ms});
    QVERIFY(times.total() == Duration{45 * k_ms});
}

void TestRunHistory::groupLettersReadBack()
{
    for (int i = 0; i < 1000; ++i) {
        QCOMPARE(groupOfLetter(groupLetter(GroupId{i})), GroupId{i});
    }
    QVERIFY(!groupOfLetter(QStringLiteral("4")).isValid());
    QVERIFY(!groupOfLetter({}).isValid());
}

QTEST_APPLESS_MAIN(TestRunHistory)
#include "tst_run_history.moc"
