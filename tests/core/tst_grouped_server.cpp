#include "core/strategy/grouped.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/outbox_reading.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace lab;
using lab::test::all;
using lab::test::atMs;
using lab::test::ms;
using lab::test::number;
using lab::test::numberIn;

namespace {

constexpr int k_batch = 4;

StrategySetup setupOf(std::size_t nodes, const std::string& kind)
{
    StrategySetup setup;
    setup.nodes = nodes;
    for (std::size_t i = 0; i < nodes; ++i) {
        setup.names.push_back("n" + std::to_string(i));
    }
    setup.batch = k_batch;
    setup.learning_rate = 1;
    setup.choice.kind = kind;
    setup.start_at = number(0);
    return setup;
}

StrategySetup withMembers(StrategySetup setup, Partition members)
{
    setup.grouping.by = Grouping::By::Members;
    setup.grouping.members = std::move(members);
    return setup;
}

std::vector<NodeId> nodes(std::initializer_list<std::int32_t> numbers)
{
    return {numbers.begin(), numbers.end()};
}

Partition groups(std::initializer_list<std::initializer_list<std::int32_t>> members)
{
    Partition partition;
    for (const auto& one : members) {
        partition.push_back(nodes(one));
    }
    return partition;
}

/// The server and, in place of its workers, what each of them was last asked for.
class Table {
public:
    explicit Table(const StrategySetup& setup)
        : server_(findStrategy(setup.choice.kind)->make_server(setup)),
          asked_(setup.nodes)
    {
    }

    Outbox start()
    {
        return handled([](Actor& server, Outbox& out) { server.start(out); });
    }
    /// The node answers what it was asked last, or `question`.
    Outbox push(std::int32_t node, float gradient = 0, Duration took = ms(100))
    {
        return push(node, asked(node), gradient, took);
    }
    Outbox push(std::int32_t node, const Message& question, float gradient, Duration took = ms(100))
    {
        Message answer;
        answer.from = ActorId{node};
        answer.version = question.version;
        answer.body = number(gradient);
        answer.order = question.order;
        answer.round = question.round;
        answer.task = ++tasks_;
        answer.took = took;
        return handled([&](Actor& server, Outbox& out) { server.receive(answer, out); });
    }
    Outbox down(std::int32_t node)
    {
        return handled([node](Actor& server, Outbox& out) { server.peerDown(NodeId{node}, out); });
    }
    Outbox up(std::int32_t node)
    {
        return handled([node](Actor& server, Outbox& out) { server.peerUp(NodeId{node}, out); });
    }
    Outbox move(std::int32_t node, std::int32_t group)
    {
        return handled([=](Actor& server, Outbox& out) { server.moved(NodeId{node}, GroupId{group}, out); });
    }

    [[nodiscard]] const Message& asked(std::int32_t node) const { return asked_.at(NodeId{node}.index()); }
    [[nodiscard]] TaskId latestTask() const { return tasks_; }
    [[nodiscard]] std::string waitingFor() const { return server_->waitingFor(); }

private:
    Outbox handled(const std::function<void(Actor&, Outbox&)>& handler)
    {
        Outbox out(atMs(0));
        handler(*server_, out);
        for (const auto& send : all<Outbox::Send>(out)) {
            asked_.at(send.to.index()) = send.message;
        }
        return out;
    }

    std::unique_ptr<Actor> server_;
    std::vector<Message> asked_;
    TaskId tasks_ = 0;
};

/// Whom the server asks to compute.
std::vector<NodeId> askedIn(Outbox out)
{
    std::vector<NodeId> found;
    for (const auto& send : all<Outbox::Send>(out)) {
        found.push_back(nodeOf(send.to));
    }
    return found;
}

/// The only update that a handler applied.
Applied updateIn(Outbox out)
{
    const auto updates = all<Applied>(out);
    if (updates.size() == 1) {
        return updates.front();
    }
    Applied none;
    none.version = -1;
    return none;
}

bool hasUpdate(Outbox out) { return !all<Applied>(out).empty(); }

std::vector<NodeId> nodesIn(const Applied& update)
{
    std::vector<NodeId> found;
    for (const Contribution& part : update.parts) {
        found.push_back(part.node);
    }
    return found;
}

std::int64_t firstRowAsked(const Table& table, std::int32_t node)
{
    return table.asked(node).order.pieces.at(0).first;
}

/// All nodes push until each has pushed `times`, in turns; the last handler's outbox.
Outbox warmUp(Table& table, const std::vector<std::int64_t>& milliseconds, int times)
{
    Outbox last(atMs(0));
    for (int turn = 0; turn < times; ++turn) {
        for (std::size_t node = 0; node < milliseconds.size(); ++node) {
            last = table.push(static_cast<std::int32_t>(node), 0, ms(milliseconds[node]));
        }
    }
    return last;
}

} // namespace

class TestGroupedServer final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bspAsksEverybodyAtTheSameVersion();
    void bspRoundIsOneStepAlongTheMean();
    void theStepHasTheSameBitsWhateverTheOrderOfArrival();
    void aspAnswersEachPushAtOnce();
    void fullWeightPerUpdateIsWhatTheSetupSays();
    void groupsGoOnWithoutEachOther();
    void everyNodeGoesThroughItsOwnStreamWithoutGaps();

    void aFailureLeavesTheBarrier();
    void aGradientThatIsInStaysGood();
    void theLostBatchIsDrawnAgain();
    void aNodeThatComesBackJoinsTheNextRound();
    void aGroupWithoutAnybodyBeginsAgainWithTheFirstWhoComesBack();
    void aGroupWithoutAnybodyHoldsNobodyElseUp();
    void aPushFromBeforeTheFailureIsDiscarded();
    void aPushOfAnEarlierRoundIsDiscarded();

    void aMoveTakesEffectBetweenRounds();
    void aMovedNodeIsNotAwaitedBeforeItIsFree();
    void aMoveOnePastTheLastGroupMakesANewOne();
    void theLastToLeaveLeavesAnEmptyGroup();
    void aNodeMovedWhileItIsDownComesBackIntoItsNewGroup();

    void hybridMeasuresFirst();
    void afterFiveTasksEachNodesOfLikeSpeedAreGrouped();
    void nothingInFlightIsLostWhenGroupsAreMade();
    void aFixedNumberOfGroupsIsMadeOfTheNearestSpeeds();
    void oneGroupAndAGroupEachNeedNoMeasuring();
    void aDeadNodeDoesNotHoldTheMeasuringUp();
    void aNodeMovedByHandEndsTheMeasuring();

    void waitingForNamesWhoWaitsForWhom();
};

void TestGroupedServer::bspAsksEverybodyAtTheSameVersion()
{
    Table table(setupOf(3, "bsp"));

    Outbox out = table.start();

    QVERIFY(askedIn(out) == nodes({0, 1, 2}));
    QVERIFY(all<Outbox::Grouped>(out).at(0).groups == groups({{0, 1, 2}}));
    QCOMPARE(all<Outbox::Grouped>(out).at(0).tolerance, std::vector<int>{0});
    for (std::int32_t node = 0; node < 3; ++node) {
        QCOMPARE(table.asked(node).version, Version{0});
        QCOMPARE(table.asked(node).order.work, 1.0);
        QCOMPARE(table.asked(node).order.pieces.size(), std::size_t{1});
        QVERIFY(table.asked(node).order.pieces[0].stream == NodeId{node});
        QCOMPARE(table.asked(node).order.pieces[0].count, std::int64_t{k_batch});
    }
}

void TestGroupedServer::bspRoundIsOneStepAlongTheMean()
{
    Table table(setupOf(3, "bsp"));
    (void)table.start();

    QVERIFY(table.push(2, 12).actions().empty());
    QVERIFY(table.push(0, 24).actions().empty());
    Outbox out = table.push(1, 36);

    // Sums over rows: w <- 0 - 1 x (24 + 36 + 12) / 12, at full weight: 12 samples = batch x nodes.
    const Applied update = updateIn(out);
    QCOMPARE(update.version, Version{1});
    QCOMPARE(numberIn(update.params), -6.0F);
    QCOMPARE(update.samples, std::int64_t{3 * k_batch});
    QCOMPARE(update.weight, 1.0);
    QVERIFY(update.group == GroupId{0});
    QVERIFY(nodesIn(update) == nodes({0, 1, 2}));
    QCOMPARE(update.parts.at(2).task, TaskId{1});
    QCOMPARE(update.parts.at(0).read_version, Version{0});
    QVERIFY(askedIn(out) == nodes({0, 1, 2}));
    QCOMPARE(table.asked(1).version, Version{1});
    QCOMPARE(numberIn(table.asked(1).body), -6.0F);
    // The update comes before the questions that carry it.
    QVERIFY(std::holds_alternative<Applied>(out.actions().front()));
}

void TestGroupedServer::theStepHasTheSameBitsWhateverTheOrderOfArrival()
{
    const std::array gradients{0.1F, 1e7F, -1e7F, 3e-5F};
    std::vector<std::int32_t> order{0, 1, 2, 3};
    std::vector<float> results;
    do {
        Table table(setupOf(4, "bsp"));
        (void)table.start();
        Outbox out(atMs(0));
        for (const std::int32_t node : order) {
            out = table.push(node, gradients.at(NodeId{node}.index()));
        }
        results.push_back(numberIn(updateIn(out).params));
    } while (std::ranges::next_permutation(order).found);

    QCOMPARE(results.size(), std::size_t{24});
    QVERIFY(std::ranges::all_of(results, [&](float one) { return one == results.front(); }));
}

void TestGroupedServer::aspAnswersEachPushAtOnce()
{
    Table table(setupOf(4, "asp"));
    Outbox start = table.start();
    QVERIFY(all<Outbox::Grouped>(start).at(0).groups == groups({{0}, {1}, {2}, {3}}));

    Outbox first = table.push(2, 8);
    // A quarter of the samples of a full round, so a quarter of the rate: w <- 0 - 1 x 1/4 x 8 / 4
    QCOMPARE(updateIn(first).weight, 0.25);
    QCOMPARE(numberIn(updateIn(first).params), -0.5F);
    QVERIFY(updateIn(first).group == GroupId{2});
    QVERIFY(askedIn(first) == nodes({2}));
    QCOMPARE(table.asked(2).version, Version{1});

    const Applied second = updateIn(table.push(0, 8));
    QCOMPARE(second.version, Version{2});
    QCOMPARE(second.parts.at(0).read_version, Version{0}); // it read before the first update
    QCOMPARE(numberIn(second.params), -1.0F);
}

void TestGroupedServer::fullWeightPerUpdateIsWhatTheSetupSays()
{
    StrategySetup setup = setupOf(4, "asp");
    setup.weigh_by_samples = false;
    Table table(setup);
    (void)table.start();

    const Applied update = updateIn(table.push(2, 8));

    QCOMPARE(update.weight, 1.0);
    QCOMPARE(numberIn(update.params), -2.0F);
}

void TestGroupedServer::groupsGoOnWithoutEachOther()
{
    Table table(withMembers(setupOf(3, "hybrid"), groups({{0, 1}, {2}})));
    QVERIFY(askedIn(table.start()) == nodes({0, 1, 2}));

    Outbox fast = table.push(2, 12);
    QVERIFY(updateIn(fast).group == GroupId{1});
    QVERIFY(askedIn(fast) == nodes({2}));
    QVERIFY(!hasUpdate(table.push(0, 12)));
    const Applied slow = updateIn(table.push(1, 12));

    QCOMPARE(slow.version, Version{2});
    QVERIFY(slow.group == GroupId{0});
    QVERIFY(nodesIn(slow) == nodes({0, 1}));
    QCOMPARE(slow.parts.at(0).read_version, Version{0});
    // -1/3 x 12 / 4 for the one, -2/3 x 24 / 8 for the two
    QCOMPARE(slow.samples, std::int64_t{2 * k_batch});
    QVERIFY(std::abs(numberIn(slow.params) - -3.0F) < 1e-6F);
}

void TestGroupedServer::everyNodeGoesThroughItsOwnStreamWithoutGaps()
{
    Table table(withMembers(setupOf(3, "hybrid"), groups({{0, 1}, {2}})));
    (void)table.start();
    for (std::int64_t round = 0; round < 5; ++round) {
        for (const std::int32_t node : {0, 1, 2}) {
            QCOMPARE(firstRowAsked(table, node), round * k_batch);
        }
        for (const std::int32_t node : {1, 2, 0}) {
            (void)table.push(node);
        }
    }
}

void TestGroupedServer::aFailureLeavesTheBarrier()
{
    Table table(setupOf(3, "bsp"));
    (void)table.start();
    (void)table.push(0, 8);
    (void)table.push(2, 16);

    Outbox out = table.down(1);

    // The mean over what is in: w <- 0 - 1 x 8/12 x 24 / 8
    const Applied update = updateIn(out);
    QVERIFY(nodesIn(update) == nodes({0, 2}));
    QCOMPARE(update.samples, std::int64_t{2 * k_batch});
    QVERIFY(std::abs(numberIn(update.params) - -2.0F) < 1e-6F);
    QVERIFY(askedIn(out) == nodes({0, 2}));
}

void TestGroupedServer::aGradientThatIsInStaysGood()
{
    Table table(setupOf(3, "bsp"));
    (void)table.start();
    (void)table.push(1, 8);

    QVERIFY(table.down(1).actions().empty());
    (void)table.push(0, 8);
    Outbox out = table.push(2, 8);

    QVERIFY(nodesIn(updateIn(out)) == nodes({0, 1, 2}));
    QVERIFY(askedIn(out) == nodes({0, 2}));
}

void TestGroupedServer::theLostBatchIsDrawnAgain()
{
    Table table(setupOf(2, "bsp"));
    (void)table.start();
    (void)table.push(0);
    (void)table.push(1);
    QCOMPARE(firstRowAsked(table, 1), std::int64_t{k_batch});

    (void)table.push(0);
    (void)table.down(1);
    (void)table.up(1);
    (void)table.push(0);

    QCOMPARE(firstRowAsked(table, 0), std::int64_t{3 * k_batch});
    QCOMPARE(firstRowAsked(table, 1), std::int64_t{k_batch});
}

void TestGroupedServer::aNodeThatComesBackJoinsTheNextRound()
{
    Table table(setupOf(2, "bsp"));
    (void)table.start();
    (void)table.push(0);
    (void)table.down(1);

    QVERIFY(table.up(1).actions().empty()); // node 0 is at work already
    Outbox out = table.push(0);

    QVERIFY(nodesIn(updateIn(out)) == nodes({0}));
    QVERIFY(askedIn(out) == nodes({0, 1}));
}

void TestGroupedServer::aGroupWithoutAnybodyBeginsAgainWithTheFirstWhoComesBack()
{
    Table table(setupOf(2, "bsp"));
    (void)table.start();
    QVERIFY(table.down(0).actions().empty());
    QVERIFY(table.down(1).actions().empty()); // no gradient, no update

    Outbox out = table.up(1);

    QVERIFY(!hasUpdate(out));
    QVERIFY(askedIn(out) == nodes({1}));
    QVERIFY(hasUpdate(table.push(1)));
}

void TestGroupedServer::aGroupWithoutAnybodyHoldsNobodyElseUp()
{
    Table table(withMembers(setupOf(3, "hybrid"), groups({{0, 1}, {2}})));
    (void)table.start();
    (void)table.down(2);

    for (int round = 0; round < 3; ++round) {
        (void)table.push(0);
        QVERIFY(hasUpdate(table.push(1)));
    }
}

void TestGroupedServer::aPushFromBeforeTheFailureIsDiscarded()
{
    Table table(setupOf(2, "bsp"));
    (void)table.start();
    const Message lost = table.asked(1);
    (void)table.down(1);
    (void)table.up(1);

    // It waited at the server's door while the failure was noticed. Node 0 still works on the same round.
    Outbox out = table.push(1, lost, 8);

    QCOMPARE(out.actions().size(), std::size_t{1});
    QVERIFY(all<Outbox::Discard>(out).at(0).node == NodeId{1});
    QCOMPARE(all<Outbox::Discard>(out).at(0).task, table.latestTask());
    QVERIFY(nodesIn(updateIn(table.push(0, 8))) == nodes({0}));
}

void TestGroupedServer::aPushOfAnEarlierRoundIsDiscarded()
{
    Table table(setupOf(2, "asp"));
    (void)table.start();
    const Message first = table.asked(1);
    (void)table.push(1);

    Outbox out = table.push(1, first, 8);

    QCOMPARE(out.actions().size(), std::size_t{1});
    QCOMPARE(all<Outbox::Discard>(out).at(0).task, table.latestTask());
}

void TestGroupedServer::aMoveTakesEffectBetweenRounds()
{
    Table table(withMembers(setupOf(4, "hybrid"), groups({{0, 1}, {2, 3}})));
    (void)table.start();
    (void)table.push(0);

    Outbox moved = table.move(1, 1);
    QVERIFY(all<Outbox::Grouped>(moved).at(0).groups == groups({{0}, {1, 2, 3}}));
    QVERIFY(askedIn(moved).empty()); // everybody is at work

    // Its round in the old group is finished with it, nothing is thrown away …
    Outbox old_round = table.push(1);
    QVERIFY(nodesIn(updateIn(old_round)) == nodes({0, 1}));
    QVERIFY(askedIn(old_round) == nodes({0}));
    // … and its new group takes it in when its own round is over.
    (void)table.push(2);
    Outbox new_round = table.push(3);
    QVERIFY(nodesIn(updateIn(new_round)) == nodes({2, 3}));
    QVERIFY(askedIn(new_round) == nodes({1, 2, 3}));
}

void TestGroupedServer::aMovedNodeIsNotAwaitedBeforeItIsFree()
{
    Table table(withMembers(setupOf(4, "hybrid"), groups({{0, 1}, {2, 3}})));
    (void)table.start();
    (void)table.move(1, 1);

    (void)table.push(2);
    Outbox out = table.push(3); // while node 1 is still busy in its old group

    QVERIFY(askedIn(out) == nodes({2, 3}));
    (void)table.push(2);
    QVERIFY(hasUpdate(table.push(3)));
}

void TestGroupedServer::aMoveOnePastTheLastGroupMakesANewOne()
{
    Table table(withMembers(setupOf(3, "hybrid"), groups({{0, 1, 2}})));
    (void)table.start();
    (void)table.push(1);

    Outbox moved = table.move(1, 1);
    QVERIFY(all<Outbox::Grouped>(moved).at(0).groups == groups({{0, 2}, {1}}));
    QCOMPARE(all<Outbox::Grouped>(moved).at(0).tolerance.size(), std::size_t{2});

    (void)table.push(0);
    Outbox out = table.push(2);
    QVERIFY(nodesIn(updateIn(out)) == nodes({0, 1, 2}));
    std::vector<NodeId> asked = askedIn(out);
    std::ranges::sort(asked);
    QVERIFY(asked == nodes({0, 1, 2})); // two rounds begin, of {0, 2} and of {1}
    QVERIFY(updateIn(table.push(1)).group == GroupId{1});
}

void TestGroupedServer::theLastToLeaveLeavesAnEmptyGroup()
{
    Table table(withMembers(setupOf(2, "hybrid"), groups({{0}, {1}})));
    (void)table.start();

    Outbox moved = table.move(0, 1);
    QVERIFY(all<Outbox::Grouped>(moved).at(0).groups == groups({{}, {0, 1}}));
    QVERIFY(askedIn(table.push(0)).empty()); // group 1 is at work
    QVERIFY(askedIn(table.push(1)) == nodes({0, 1}));

    // The number of the empty group stays usable.
    QVERIFY(all<Outbox::Grouped>(*std::make_unique<Outbox>(table.move(1, 0))).at(0).groups
            == groups({{1}, {0}}));
}

void TestGroupedServer::aNodeMovedWhileItIsDownComesBackIntoItsNewGroup()
{
    Table table(withMembers(setupOf(3, "hybrid"), groups({{0, 1}, {2}})));
    (void)table.start();
    (void)table.down(1);
    QVERIFY(askedIn(table.move(1, 1)).empty());
    QVERIFY(askedIn(table.up(1)).empty()); // group 1 is at work

    QVERIFY(askedIn(table.push(2)) == nodes({1, 2}));
}

void TestGroupedServer::hybridMeasuresFirst()
{
    Table table(setupOf(4, "hybrid"));

    Outbox out = table.start();

    QVERIFY(all<Outbox::Grouped>(out).at(0).groups == groups({{0}, {1}, {2}, {3}}));
    QVERIFY(all<Outbox::Grouped>(out).at(0).is_measuring);
    QCOMPARE(all<Outbox::Note>(out).size(), std::size_t{1});
    QVERIFY(askedIn(out) == nodes({0, 1, 2, 3}));
}

void TestGroupedServer::afterFiveTasksEachNodesOfLikeSpeedAreGrouped()
{
    Table table(setupOf(4, "hybrid"));
    (void)table.start();
    (void)warmUp(table, {400, 100, 440, 110}, 4);
    for (const std::int32_t node : {0, 1, 2}) {
        Outbox out = table.push(node, 0, ms(node == 1 ? 100 : 400));
        QCOMPARE(all<Outbox::Grouped>(out).size(), std::size_t{0});
    }

    Outbox last = table.push(3, 0, ms(110));

    QVERIFY(all<Outbox::Grouped>(last).at(0).groups == groups({{1, 3}, {0, 2}}));
    QVERIFY(!all<Outbox::Grouped>(last).at(0).is_measuring);
    QCOMPARE(all<Outbox::Note>(last).size(), std::size_t{2});
    const std::string text = all<Outbox::Note>(last).at(0).text;
    QVERIFY2(text.find("n1, n3") != std::string::npos && text.find("0.1 to 0.11 s") != std::string::npos,
             text.c_str());
}

void TestGroupedServer::nothingInFlightIsLostWhenGroupsAreMade()
{
    Table table(setupOf(4, "hybrid"));
    (void)table.start();
    Outbox last = warmUp(table, {400, 100, 440, 110}, 5);
    QVERIFY(nodesIn(updateIn(last)) == nodes({3})); // its own round, although it belongs to a pair now

    // Nodes 0, 1 and 2 push what they are at; their pushes count, alone as they were begun.
    for (const std::int32_t node : {0, 1, 2}) {
        Outbox out = table.push(node);
        QVERIFY(all<Outbox::Discard>(out).empty());
        QVERIFY(hasUpdate(out));
    }
    // From then on each group has rounds of its own; whoever is asked belongs to the same group.
    bool pairs_are_together = true;
    std::array<int, 4> gradients{};
    for (int i = 0; i < 40; ++i) {
        const std::int32_t node = i % 4;
        Outbox out = table.push(node);
        if (i >= 8 && hasUpdate(out)) {
            const auto parts = nodesIn(updateIn(out));
            pairs_are_together = pairs_are_together && (parts == nodes({0, 2}) || parts == nodes({1, 3}));
            for (const NodeId one : parts) {
                gradients.at(one.index()) += 1;
            }
        }
    }
    QVERIFY(pairs_are_together);
    QVERIFY(gradients[0] > 0 && gradients[0] == gradients[2]);
    QVERIFY(gradients[1] > 0 && gradients[1] == gradients[3]);
}

void TestGroupedServer::aFixedNumberOfGroupsIsMadeOfTheNearestSpeeds()
{
    StrategySetup setup = setupOf(4, "hybrid");
    setup.grouping.count = 2;
    Table table(setup);
    (void)table.start();

    Outbox last =
        warmUp(table, {100, 130, 165, 210}, 5); // of which the gap rule would split off only the last

    QVERIFY(all<Outbox::Grouped>(last).at(0).groups == groups({{0, 1}, {2, 3}}));
}

void TestGroupedServer::oneGroupAndAGroupEachNeedNoMeasuring()
{
    StrategySetup setup = setupOf(3, "hybrid");
    setup.grouping.count = 1;
    Table together(setup);
    setup.grouping.count = 3;
    Table apart(setup);

    Outbox of_together = together.start();
    Outbox of_apart = apart.start();

    QVERIFY(all<Outbox::Grouped>(of_together).at(0).groups == groups({{0, 1, 2}}));
    QVERIFY(all<Outbox::Grouped>(of_apart).at(0).groups == groups({{0}, {1}, {2}}));
    QVERIFY(all<Outbox::Note>(of_together).empty() && all<Outbox::Note>(of_apart).empty());
    Outbox last = warmUp(apart, {100, 100, 100}, 10);
    QVERIFY(all<Outbox::Grouped>(last).empty());
}

void TestGroupedServer::aDeadNodeDoesNotHoldTheMeasuringUp()
{
    Table table(setupOf(3, "hybrid"));
    (void)table.start();
    (void)table.push(2, 0, ms(100)); // one task, then it dies
    (void)table.down(2);
    Outbox last(atMs(0));
    for (int turn = 0; turn < 5; ++turn) {
        (void)table.push(0, 0, ms(100));
        last = table.push(1, 0, ms(400));
    }

    QVERIFY(all<Outbox::Grouped>(last).at(0).groups == groups({{0, 2}, {1}}));
}

void TestGroupedServer::aNodeMovedByHandEndsTheMeasuring()
{
    Table table(setupOf(3, "hybrid"));
    (void)table.start();
    (void)table.move(1, 0);

    for (int turn = 0; turn < 10; ++turn) {
        for (const std::int32_t node : {0, 1, 2}) {
            QVERIFY(all<Outbox::Grouped>(*std::make_unique<Outbox>(table.push(node))).empty());
        }
    }
}

void TestGroupedServer::waitingForNamesWhoWaitsForWhom()
{
    Table table(setupOf(3, "bsp"));
    (void)table.start();
    (void)table.push(0);

    const std::string sentence = table.waitingFor();

    const auto waits = sentence.find("n0");
    const auto awaited = sentence.find("n1, n2");
    QVERIFY2(waits != std::string::npos && awaited != std::string::npos && waits < awaited, sentence.c_str());
}

QTEST_APPLESS_MAIN(TestGroupedServer)
#include "tst_grouped_server.moc"
