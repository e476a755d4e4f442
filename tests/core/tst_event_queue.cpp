#include "core/base/rng.h"
#include "core/engine/event_queue.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

using namespace lab;
using lab::test::atMs;

namespace {

/// A happening that can be told from others.
TimerDue marked(std::int64_t mark) { return {.actor = ActorId{0}, .tag = mark, .life = 0}; }

Slow markedChange(NodeId node, std::int64_t mark)
{
    return {.node = node, .factor = static_cast<double>(mark), .lasting = std::nullopt};
}

std::int64_t markOf(const Event& event)
{
    if (const auto* timer = std::get_if<TimerDue>(&event.what)) {
        return timer->tag;
    }
    return static_cast<std::int64_t>(std::get<Slow>(std::get<ChangeDue>(event.what).change).factor);
}

std::vector<std::int64_t> drain(EventQueue& queue)
{
    std::vector<std::int64_t> marks;
    while (!queue.empty()) {
        queue.takeNext([&](const Event& event) { marks.push_back(markOf(event)); });
    }
    return marks;
}

} // namespace

class TestEventQueue final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theEarliestComesFirst();
    void tiesAreSettledByNode();
    void tiesOfOneNodeKeepTheOrderOfScheduling();
    void theServersOwnEventsComeBeforeThoseOfNodes();
    void changesComeBeforeEverythingElseOfTheirNode();
    void aPoppedEventLeavesNothingBehind();
    void anyMixOfPushesAndPopsAgreesWithASortedList_data();
    void anyMixOfPushesAndPopsAgreesWithASortedList();
};

void TestEventQueue::theEarliestComesFirst()
{
    EventQueue queue;
    queue.push(atMs(30), NodeId{0}, marked(3));
    queue.push(atMs(10), NodeId{2}, marked(1));
    queue.push(atMs(20), NodeId{1}, marked(2));

    QVERIFY(queue.nextAt() == atMs(10));
    queue.takeNext([](const Event& first) {
        QVERIFY(first.at == atMs(10));
        QVERIFY(first.node == NodeId{2});
    });
    QCOMPARE(drain(queue), (std::vector<std::int64_t>{2, 3}));
}

void TestEventQueue::tiesAreSettledByNode()
{
    EventQueue queue;
    for (const std::int32_t node : {2, 0, 1}) {
        queue.push(atMs(10), NodeId{node}, marked(node));
    }

    QCOMPARE(drain(queue), (std::vector<std::int64_t>{0, 1, 2}));
}

void TestEventQueue::tiesOfOneNodeKeepTheOrderOfScheduling()
{
    EventQueue queue;
    std::vector<std::int64_t> marks;
    for (std::int64_t mark = 0; mark < 100; ++mark) {
        queue.push(atMs(10), NodeId{1}, marked(mark));
        marks.push_back(mark);
    }

    QCOMPARE(drain(queue), marks);
}

void TestEventQueue::theServersOwnEventsComeBeforeThoseOfNodes()
{
    EventQueue queue;
    queue.push(atMs(10), NodeId{0}, marked(1));
    queue.push(atMs(10), NodeId{}, marked(0));

    QCOMPARE(drain(queue), (std::vector<std::int64_t>{0, 1}));
}

void TestEventQueue::changesComeBeforeEverythingElseOfTheirNode()
{
    EventQueue queue;
    queue.push(atMs(10), NodeId{0}, marked(0));
    queue.push(atMs(10), NodeId{1}, marked(3));
    queue.pushChange(atMs(10),
                     markedChange(NodeId{1}, 1)); // scheduled late, as in a run that somebody touches
    queue.pushChange(atMs(10), markedChange(NodeId{1}, 2));
    queue.push(atMs(10), NodeId{2}, marked(4));

    QCOMPARE(drain(queue), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
}

void TestEventQueue::aPoppedEventLeavesNothingBehind()
{
    const Params body = std::make_shared<const Vector>(Vector::Zero(1));
    EventQueue queue;
    for (int i = 0; i < 3; ++i) {
        MessageDue due{.to = ActorId{0}, .message = {}, .life = 0, .transfer = {}};
        due.message.body = body;
        queue.push(atMs(i), NodeId{0}, std::move(due));
    }
    QCOMPARE(body.use_count(), 4);

    for (long left = 2; left >= 0; --left) {
        queue.takeNext([](const Event&) {});
        QCOMPARE(body.use_count(), left + 1);
    }
    queue.push(atMs(9), NodeId{0}, marked(9)); // into a place that held a message
    QCOMPARE(drain(queue), (std::vector<std::int64_t>{9}));
}

void TestEventQueue::anyMixOfPushesAndPopsAgreesWithASortedList_data()
{
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 20; ++seed) {
        QTest::addRow("seed %d", seed) << seed;
    }
}

void TestEventQueue::anyMixOfPushesAndPopsAgreesWithASortedList()
{
    QFETCH(const int, seed);
    Rng random(static_cast<std::uint64_t>(seed), Purpose::Estimate, 0, 0);
    // at, node, change before others, order of scheduling
    using Key = std::tuple<std::int64_t, std::int32_t, int, std::int64_t>;
    std::vector<Key> expected;
    EventQueue queue;
    std::int64_t mark = 0;
    const auto push = [&] {
        const auto at =
            static_cast<std::int64_t>(random.below(50)); // few moments, so that there are many ties
        const NodeId node{static_cast<std::int32_t>(random.below(4))};
        const bool is_change = random.below(4) == 0;
        ++mark;
        if (is_change) {
            queue.pushChange(TimePoint{Duration{at}}, markedChange(node, mark));
        } else {
            queue.push(TimePoint{Duration{at}}, node, marked(mark));
        }
        expected.emplace_back(at, node.value(), is_change ? 0 : 1, mark);
    };
    const auto take = [&](std::uint64_t pushes) {
        const Key first = *std::ranges::min_element(expected);
        QCOMPARE(queue.nextAt().time_since_epoch().count(), std::get<0>(first));
        queue.takeNext([&](const Event& event) {
            for (; pushes > 0; --pushes) { // what it brings about
                push();
            }
            QCOMPARE(markOf(event), std::get<3>(first));
            QCOMPARE(event.node.value(), std::get<1>(first));
        });
        std::erase(expected, first);
    };

    while (mark < 5000) {
        if (!expected.empty() && random.below(5) < 3) {
            take(random.below(4));
        } else {
            push();
        }
    }
    while (!expected.empty()) {
        take(0);
    }
    QVERIFY(queue.empty());
}

QTEST_APPLESS_MAIN(TestEventQueue)
#include "tst_event_queue.moc"
