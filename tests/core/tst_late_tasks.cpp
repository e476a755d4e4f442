#include "core/strategy/grouped.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/outbox_reading.h"

#include <QTest>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

using namespace lab;
using lab::test::all;
using lab::test::atMs;
using lab::test::ms;
using lab::test::number;

namespace {

/// Keeps things as they are, and remembers what it was told last.
class Watcher final : public GroupPlanner {
public:
    [[nodiscard]] GroupPlan firstPlan(const SpeedEstimate& /*speeds*/) override { return {}; }
    [[nodiscard]] std::optional<GroupPlan> replan(const GroupPlan& /*current*/, const SpeedEstimate& speeds,
                                                  const std::vector<bool>& /*is_alive*/,
                                                  std::int64_t /*rounds*/) override
    {
        seen = speeds;
        return std::nullopt;
    }
    std::optional<SpeedEstimate> seen;
};

/// One group of three nodes that rides out one straggler: two messages end a round.
class Group {
public:
    explicit Group(bool measures)
    {
        StrategySetup setup;
        setup.nodes = 3;
        setup.names = {"n0", "n1", "n2"};
        setup.batch = 3;
        setup.start_at = number(0);
        GroupRules rules;
        rules.groups = {{NodeId{0}, NodeId{1}, NodeId{2}}};
        rules.tolerance = {1};
        rules.planner = watcher;
        rules.measures_late_tasks = measures;
        server_ = std::make_unique<GroupedServer>(setup, rules);
        (void)handled([](Actor& server, Outbox& out) { server.start(out); });
    }

    /// The node answers what it was asked last.
    Outbox push(std::int32_t node, Duration took = ms(100))
    {
        const Message& question = asked_.at(NodeId{node}.index());
        Message answer;
        answer.from = ActorId{node};
        answer.body = number(1);
        answer.order = question.order;
        answer.round = question.round;
        answer.task = ++tasks_;
        answer.took = took;
        return handled([&](Actor& server, Outbox& out) { server.receive(answer, out); });
    }
    Outbox handled(const std::function<void(Actor&, Outbox&)>& handler)
    {
        Outbox out(atMs(now_ += 100));
        handler(*server_, out);
        for (const auto& send : all<Outbox::Send>(out)) {
            asked_.at(send.to.index()) = send.message;
        }
        return out;
    }
    /// Rounds that node 0, and node 1 where it takes that many, decide; what ended the last of them.
    Outbox rounds(int count)
    {
        Outbox last(atMs(0));
        for (int i = 0; i < count; ++i) {
            last = push(0);
            if (all<Applied>(last).empty()) {
                last = push(1);
            }
        }
        return last;
    }

    std::shared_ptr<Watcher> watcher = std::make_shared<Watcher>();

private:
    std::unique_ptr<GroupedServer> server_;
    std::vector<Message> asked_ = std::vector<Message>(3);
    TaskId tasks_ = 0;
    std::int64_t now_ = 0;
};

std::size_t abandoned(Outbox& out) { return all<Outbox::Abandon>(out).size(); }
std::size_t asked(Outbox& out) { return all<Outbox::Send>(out).size(); }

} // namespace

class TestLateTasks : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lateTasksAreGivenUpAtOnce();
    void everyFifthRoundLetsThemFinish();
    void whoFinishesLateJoinsTheNextRound();
    void theWholeTimeOfALateTaskIsKnown();
    void whoDiesWhileFinishingComesBackFree();
};

void TestLateTasks::lateTasksAreGivenUpAtOnce()
{
    Group group(false);

    for (int round = 0; round < 10; ++round) {
        Outbox out = group.rounds(1);
        QCOMPARE(abandoned(out), std::size_t{1});
        QCOMPARE(asked(out), std::size_t{3});
    }
}

void TestLateTasks::everyFifthRoundLetsThemFinish()
{
    Group group(true);

    for (int round = 1; round <= 4; ++round) {
        Outbox out = group.rounds(1);
        QCOMPARE(abandoned(out), std::size_t{1});
        QCOMPARE(asked(out), std::size_t{3});
    }
    Outbox fifth = group.rounds(1);
    QCOMPARE(abandoned(fifth), std::size_t{0});
    QCOMPARE(asked(fifth), std::size_t{2}); // node 2 is still at work, and nobody waits for it
    Outbox sixth = group.rounds(1);
    QCOMPARE(asked(sixth), std::size_t{2});
}

void TestLateTasks::whoFinishesLateJoinsTheNextRound()
{
    Group group(true);
    (void)group.rounds(6);

    Outbox late = group.push(2);
    QCOMPARE(late.actions().size(), std::size_t{1});
    QCOMPARE(all<Outbox::Discard>(late).size(), std::size_t{1});

    Outbox next = group.rounds(1);
    QCOMPARE(asked(next), std::size_t{3});
}

void TestLateTasks::theWholeTimeOfALateTaskIsKnown()
{
    Group group(true);
    (void)group.rounds(6);
    QCOMPARE(group.watcher->seen->count(NodeId{2}), std::size_t{0});

    (void)group.push(2, ms(2000)); // twice the work of an ordinary batch
    (void)group.rounds(1);

    QCOMPARE(group.watcher->seen->count(NodeId{2}), std::size_t{1});
    QCOMPARE(group.watcher->seen->recent(NodeId{2}), std::vector<double>{1.0});
}

void TestLateTasks::whoDiesWhileFinishingComesBackFree()
{
    Group group(true);
    (void)group.rounds(5);

    (void)group.handled([](Actor& server, Outbox& out) { server.peerDown(NodeId{2}, out); });
    (void)group.rounds(1);
    (void)group.handled([](Actor& server, Outbox& out) { server.peerUp(NodeId{2}, out); });

    Outbox next = group.rounds(1);
    QCOMPARE(asked(next), std::size_t{3});
}

QTEST_APPLESS_MAIN(TestLateTasks)
#include "tst_late_tasks.moc"
