#include "core/record/feed.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <atomic>
#include <thread>
#include <vector>

using namespace lab;
using lab::test::atMs;

namespace {

Frame frameWith(Version version, std::vector<Version> updates)
{
    Frame frame;
    frame.version = version;
    frame.nodes.resize(2);
    for (const Version update : updates) {
        UpdateRecord record;
        record.update = update;
        frame.updates.push_back(record);
        Evaluation evaluation;
        evaluation.update = update;
        frame.evaluations.push_back(evaluation);
        frame.spans.push_back({.node = NodeId{0}, .start = atMs(update), .end = atMs(update + 1)});
        frame.log.push_back({.time = atMs(update), .node = {}, .text = {}});
    }
    return frame;
}

std::vector<Version> updatesIn(const Frame& frame)
{
    std::vector<Version> updates;
    for (const UpdateRecord& record : frame.updates) {
        updates.push_back(record.update);
    }
    return updates;
}

} // namespace

class TestFeed final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theNewestStateWins();
    void freshEntriesGatherInOrderUntilTaken();
    void takingAgainGivesTheStateWithoutFreshEntries();
    void nothingIsLostOrDoubledBetweenTwoThreads();
};

void TestFeed::theNewestStateWins()
{
    Feed feed;
    feed.publish(frameWith(1, {}));
    feed.publish(frameWith(2, {}));

    QCOMPARE(feed.take().version, Version{2});
}

void TestFeed::freshEntriesGatherInOrderUntilTaken()
{
    Feed feed;
    feed.publish(frameWith(2, {1, 2}));
    feed.publish(frameWith(2, {}));
    feed.publish(frameWith(4, {3, 4}));

    const Frame taken = feed.take();

    QCOMPARE(taken.version, Version{4});
    QCOMPARE(updatesIn(taken), (std::vector<Version>{1, 2, 3, 4}));
    for (std::size_t i = 0; i < 4; ++i) {
        const auto number = static_cast<std::int64_t>(i) + 1;
        QCOMPARE(taken.evaluations.at(i).update, number);
        QVERIFY(taken.spans.at(i).start == atMs(number));
        QVERIFY(taken.log.at(i).time == atMs(number));
    }
}

void TestFeed::takingAgainGivesTheStateWithoutFreshEntries()
{
    Feed feed;
    feed.publish(frameWith(2, {1, 2}));
    (void)feed.take();

    const Frame again = feed.take();

    QCOMPARE(again.version, Version{2});
    QCOMPARE(again.nodes.size(), std::size_t{2});
    QVERIFY(again.updates.empty() && again.evaluations.empty() && again.spans.empty() && again.log.empty());
}

void TestFeed::nothingIsLostOrDoubledBetweenTwoThreads()
{
    constexpr Version k_updates = 20'000;
    Feed feed;
    std::atomic<bool> is_over = false;
    std::jthread engine([&] {
        for (Version update = 1; update <= k_updates; ++update) {
            feed.publish(frameWith(update, {update}));
        }
        is_over = true;
    });

    std::vector<Version> seen;
    Version newest = 0;
    for (bool was_over = false; !was_over;) {
        was_over = is_over; // before the last take
        const Frame frame = feed.take();
        QVERIFY(frame.version >= newest);
        newest = frame.version;
        QVERIFY(frame.updates.empty() || frame.updates.back().update == frame.version);
        for (const Version update : updatesIn(frame)) {
            seen.push_back(update);
        }
    }

    QCOMPARE(seen.size(), std::size_t{k_updates});
    for (std::size_t i = 0; i < seen.size(); ++i) {
        QCOMPARE(seen[i], static_cast<Version>(i) + 1);
    }
}

QTEST_APPLESS_MAIN(TestFeed)
#include "tst_feed.moc"
