#include "core/engine/theory.h"

#include "core/experiment/run.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/oracles.h"

#include <QTest>

#include <cmath>
#include <string>
#include <vector>

using namespace lab;
using test::longRun;

namespace {

/// Two constant nodes of 1 s and 2 s.
ClusterSpec pair()
{
    ClusterSpec cluster;
    cluster.batch_seconds = 1;
    cluster.nodes = {{.name = "a", .slowdown = 1, .jitter = {}}, {.name = "b", .slowdown = 2, .jitter = {}}};
    return cluster;
}

const std::vector<GroupFrame> k_one_group{{.members = {NodeId{0}, NodeId{1}}, .formed = {}}};

/// The mean task times that a prediction is asked for, as its basis.
Predict echo(int& asked)
{
    return [&asked](const Configuration& configuration) {
        ++asked;
        Prediction prediction;
        for (const TaskLaw& law : configuration.laws) {
            prediction.basis += std::to_string(static_cast<int>(law.mean())) + " ";
        }
        for (const auto& group : configuration.groups) {
            prediction.basis += "g" + std::to_string(group.size());
        }
        return prediction;
    };
}

std::string basisAfter(std::vector<Intervention> events)
{
    Experiment experiment = longRun("bsp", {1, 2}, {}, 20);
    experiment.events = std::move(events);
    return test::run(experiment).last.theory.basis;
}

/// Runs up to a moment; the frame there.
Frame frameAt(Emulator& emulator, double seconds)
{
    while (emulator.nextAt() && *emulator.nextAt() <= atSeconds(seconds)) {
        emulator.advance();
    }
    return emulator.frame(atSeconds(seconds));
}

} // namespace

class TestTheory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isKeptUntilSomethingChanges()
    {
        int asked = 0;
        const ClusterSpec cluster = pair();
        Theory theory(cluster, 0, echo(asked));
        theory.grouped(TimePoint{});
        QCOMPARE(theory.now({{.slowdown = 1}, {.slowdown = 2}}, k_one_group).basis, std::string("1 2 g2"));
        QCOMPARE(theory.now({{.slowdown = 1}, {.slowdown = 2}}, k_one_group).basis, std::string("1 2 g2"));
        QCOMPARE(asked, 1);
        theory.changed("speed");
        QCOMPARE(theory.now({{.slowdown = 1}, {.slowdown = 6}}, k_one_group).basis, std::string("1 6 g2"));
        QCOMPARE(theory.ofRun({{.slowdown = 1}, {.slowdown = 6}}, k_one_group).basis,
                 std::string("none: speed"));
    }

    void isOfTheNodesThatAreUp()
    {
        int asked = 0;
        const ClusterSpec cluster = pair();
        Theory theory(cluster, 0, echo(asked));
        const auto dead = [](bool is_known) {
            return Theory::Node{.slowdown = 1, .is_up = false, .is_known_down = is_known};
        };
        QCOMPARE(theory.now({dead(true), {.slowdown = 2}}, k_one_group).basis, std::string("2 g1"));
        theory.changed("back");
        // What happens until a failure is noticed is no steady state.
        QVERIFY(theory.now({dead(false), {.slowdown = 2}}, k_one_group).basis.starts_with("none: "));
    }

    void groupsMadeOnceAreNoChange()
    {
        int asked = 0;
        const ClusterSpec cluster = pair();
        Theory theory(cluster, 0, echo(asked));
        theory.grouped(TimePoint{});
        theory.grouped(atSeconds(3));
        const std::vector<Theory::Node> nodes{{.slowdown = 1}, {.slowdown = 2}};
        QCOMPARE(theory.ofRun(nodes, k_one_group).basis, std::string("1 2 g2; for the groups made at 3 s"));
        theory.grouped(atSeconds(5));
        QVERIFY(theory.ofRun(nodes, k_one_group).basis.starts_with("none: "));
    }

    void saysNothingOfWhatItCannotKnow()
    {
        int asked = 0;
        const std::vector<Theory::Node> nodes{{.slowdown = 1}, {.slowdown = 2}};
        ClusterSpec traced = pair();
        traced.trace = "trace.csv";
        QVERIFY(Theory(traced, 0, echo(asked)).now(nodes, k_one_group).basis.starts_with("none: "));
        ClusterSpec in_step = pair();
        in_step.jitter = {.kind = JitterKind::Markov, .enter = 1, .leave = 1};
        QVERIFY(Theory(in_step, 0, echo(asked)).now(nodes, k_one_group).basis.starts_with("none: "));
        QCOMPARE(asked, 0);
        const ClusterSpec cluster = pair();
        QCOMPARE(Theory(cluster, 0, {}).now(nodes, k_one_group), Prediction());
    }

    void aRunThatChangedSaysWhy()
    {
        QVERIFY(!basisAfter({}).starts_with("none"));
        QCOMPARE(basisAfter({{.at = atSeconds(3), .change = Slow{NodeId{0}, 2, {}}}}),
                 std::string("none: a node's speed changed during the run"));
        QCOMPARE(basisAfter({{.at = atSeconds(3), .change = Fail{NodeId{0}, fromSeconds(1)}}}),
                 std::string("none: a node failed during the run"));
        // A factor of one changes nothing, and what holds from the start on is no change.
        QVERIFY(!basisAfter({{.at = atSeconds(3), .change = Slow{NodeId{0}, 1, {}}}}).starts_with("none"));
        QVERIFY(!basisAfter({{.at = TimePoint{}, .change = Slow{NodeId{0}, 2, {}}}}).starts_with("none"));
    }

    void aFrameFollowsTheCluster()
    {
        Experiment experiment = longRun("bsp", {1, 2}, {}, 1'000);
        experiment.events = {{.at = atSeconds(5), .change = Slow{NodeId{0}, 8, fromSeconds(5)}},
                             {.at = atSeconds(20), .change = Fail{NodeId{1}, fromSeconds(10)}}};
        Executor executor(1);
        const auto emulator = makeEmulator(experiment, executor);
        QVERIFY(frameAt(*emulator, 0).theory.round_seconds == 2);
        QVERIFY(frameAt(*emulator, 7).theory.round_seconds == 8);
        QVERIFY(frameAt(*emulator, 11).theory.round_seconds == 2);
        QVERIFY(!frameAt(*emulator, 20.5).theory.round_seconds); // noticed at 21 s
        QVERIFY(frameAt(*emulator, 22).theory.round_seconds == 1);
        QVERIFY(frameAt(*emulator, 31).theory.round_seconds == 2);
    }

    void aFrameFollowsAMove()
    {
        Experiment experiment = longRun("hybrid", {1, 1, 4}, {}, 1'000);
        test::setGroups(experiment, {{0, 1, 2}});
        experiment.events = {{.at = atSeconds(10), .change = Move{NodeId{2}, GroupId{1}}}};
        Executor executor(1);
        const auto emulator = makeEmulator(experiment, executor);
        QVERIFY(frameAt(*emulator, 1).theory.updates_per_second == 0.25);
        QVERIFY(frameAt(*emulator, 11).theory.updates_per_second == 1.25);
    }
};

QTEST_APPLESS_MAIN(TestTheory)
#include "tst_theory.moc"
