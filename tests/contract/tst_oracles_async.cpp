// Asynchronous rules: printed closed form = prediction (1e-9) = long run (2 %). Times are in tasks of a healthy node.

#include "tests/support/experiment_fixture.h"
#include "tests/support/oracles.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace lab;
using test::harmonicSum;
using test::longRun;

namespace {

constexpr Jitter k_exponential{.kind = JitterKind::Exponential};
constexpr Jitter k_none{};

/// So many updates per second, `samples` (of batch 1) in each.
Prediction rates(double updates, double samples, double idle, double staleness)
{
    Prediction form;
    form.updates_per_second = updates;
    form.samples_per_second = updates * samples;
    form.idle_fraction = idle;
    form.mean_staleness = staleness;
    return form;
}

Prediction rounds(double seconds, double samples, double idle, double staleness)
{
    Prediction form = rates(1 / seconds, samples, idle, staleness);
    form.round_seconds = seconds;
    return form;
}

Prediction onlyStaleness(double staleness)
{
    Prediction form;
    form.mean_staleness = staleness;
    return form;
}

struct Case {
    const char* name;
    test::Oracle oracle;
};

void setK(test::Oracle& oracle, std::int64_t k) { oracle.experiment.strategy.values["k"] = k; }

/// Everybody alone: sum of 1 / E[X], staleness n - 1, whatever the laws (renewal theorem, delay conservation).
std::vector<Case> alone()
{
    std::vector<Case> cases;
    const std::vector<double> slowdowns{1, 1, 1, 1, 2, 2, 4, 4};
    cases.push_back({"ASP of unequal exponential nodes",
                     {longRun("asp", slowdowns, k_exponential, 100'000), rates(5.5, 1, 0, 7)}});
    cases.push_back(
        {"ASP of constant nodes", {longRun("asp", slowdowns, k_none, 20'000), rates(5.5, 1, 0, 7), 5e-3}});
    // Pareto of shape 4: E[X] = 4/3
    for (const char* same : {"staleness_aware", "dc_asgd"}) {
        cases.push_back(
            {same, {longRun(same, 4, {.kind = JitterKind::Pareto, .shape = 4}, 40'000), rates(3, 1, 0, 3)}});
    }
    test::Oracle far{longRun("asp", 4, k_exponential, 40'000), rates(4 / 1.5, 1, 0, 3)};
    far.experiment.cluster.network = Network{.latency = 0.25, .bandwidth = 1e12, .server_bandwidth = {}};
    // 48 bytes at 10^12 bytes/s last 0.048 ns, which the nearest nanosecond leaves out
    cases.push_back({"ASP at a distance: 1 / (E[X] + both messages)", far});

    test::Oracle shared = far;
    shared.experiment.cluster.network->server_bandwidth = 1e4;
    shared.closed_form = onlyStaleness(3);
    shared.experiment.stop.updates = 20'000;
    cases.push_back({"a shared link leaves only the staleness", shared});

    test::Oracle ring{longRun("ringmaster", 4, k_none, 4'000), rates(4, 1, 0, 3), 5e-3};
    cases.push_back({"Ringmaster where nothing can be too stale", ring});
    test::Oracle cut{longRun("ringmaster", 4, k_exponential, 100), {}};
    cases.push_back({"nothing is said of Ringmaster where something can", cut});
    return cases;
}

/// A server that takes messages first-come-first-served.
std::vector<Case> inLine()
{
    std::vector<Case> cases;
    // Equal constant tasks z, service q: the line sorts itself out, n / max(z + q, n q)
    test::Oracle light{longRun("asp", 8, k_none, 20'000), rates(8 / 1.1, 1, 0.1 / 1.1, 7), 5e-3};
    light.experiment.cluster.server_seconds = 0.1;
    cases.push_back({"constant tasks, light load: n / (z + q)", light});
    test::Oracle heavy{longRun("asp", 8, k_none, 20'000), rates(5, 1, 1 - 5.0 / 8, 7), 5e-3};
    heavy.experiment.cluster.server_seconds = 0.2;
    cases.push_back({"constant tasks, heavy load: 1 / q", heavy});

    // Two exponential nodes, constant service q. When a message is done, the other node's came in meanwhile with
    // p = 1 - exp(-q), so with 1 - p none is left; then the server idles for 1/2 on average. With one left the same
    // holds for the node that was just served. So none is left a share exp(-q) of the time: rate 1 / (q + exp(-q) / 2).
    const double rate = 1 / (0.3 + std::exp(-0.3) / 2);
    test::Oracle two{longRun("asp", 2, k_exponential, 60'000), rates(rate, 1, 1 - rate / 2, 1)};
    two.experiment.cluster.server_seconds = 0.3;
    cases.push_back({"two exponential nodes and constant service", two});

    // One node: never in line, but served
    test::Oracle one{longRun("asp", 1, k_exponential, 40'000), rounds(1.25, 1, 0.2, 0)};
    one.experiment.cluster.server_seconds = 0.25;
    one.closed_form.round_seconds.reset();
    cases.push_back({"one node and its service", one});

    test::Oracle mixed{longRun("asp", {1, 2}, k_exponential, 20'000), onlyStaleness(1)};
    mixed.experiment.cluster.server_seconds = 0.3;
    cases.push_back({"unequal nodes in line: only the staleness", mixed});
    return cases;
}

/// Clocks with a bound.
std::vector<Case> bounded()
{
    std::vector<Case> cases;
    const auto open = [](Prediction form) {
        form.mean_staleness.reset();
        return form;
    };
    // One node four times as slow sets everybody's pace: n / 4; the others work a quarter of the time.
    std::vector<double> slowdowns(12, 1);
    slowdowns[5] = 4;
    for (const char* strategy : {"ssp", "dssp"}) {
        cases.push_back(
            {strategy,
             {longRun(strategy, slowdowns, k_none, 12'000), open(rates(3, 1, 11.0 / 12 * 0.75, 0))}});
    }
    // The same where tasks vary, as long as the slow node's shortest (4) is never shorter than the others' longest
    // (3): the slow one's mean is 4 * 1.5.
    test::Oracle varied{
        longRun("ssp", {1, 1, 4}, {.kind = JitterKind::Bimodal, .probability = 0.5, .factor = 3}, 6'000),
        open(rates(3 / 6.0, 1, 2.0 / 3 * (1 - 2 / 6.0), 0))};
    varied.experiment.cluster.nodes[2].jitter = Jitter{.kind = JitterKind::ShiftedExponential, .scale = 0.5};
    cases.push_back({"a node that is certainly slowest", varied});

    // Bound 0: nobody starts before all have finished; all read together and are applied one after another, so that
    // staleness is 0 ... n - 1 in turn. E[max] = H_n.
    test::Oracle lockstep{longRun("ssp", 4, k_exponential, 40'000),
                          rates(4 / harmonicSum(4), 1, 1 - 1 / harmonicSum(4), 1.5)};
    lockstep.experiment.strategy.values["staleness"] = std::int64_t{0};
    cases.push_back({"bound 0 keeps step", lockstep});

    cases.push_back(
        {"nothing is said where any node may fall behind", {longRun("ssp", 4, k_exponential, 100), {}}});
    return cases;
}

/// K gradients in an update.
std::vector<Case> gathered()
{
    std::vector<Case> cases;
    // An update ages the n - K tasks that are in hand: mean (n - K) / K. Memoryless tasks are like new after each
    // update: E[the K-th of n] = H_n - H_(n - K); those who are done wait for the K-th.
    const double seconds = harmonicSum(8) - harmonicSum(4);
    double waiting = 0;
    for (std::size_t j = 1; j <= 4; ++j) {
        waiting += seconds - (harmonicSum(8) - harmonicSum(8 - j));
    }
    test::Oracle async{longRun("k_async", 8, k_exponential, 30'000),
                       rounds(seconds, 4, waiting / (8 * seconds), 1)};
    setK(async, 4);
    cases.push_back({"K-async of exponential nodes", async});

    test::Oracle shifted{
        longRun("k_async", {1, 1, 1, 1, 3, 3}, {.kind = JitterKind::ShiftedExponential}, 30'000),
        onlyStaleness(2)};
    setK(shifted, 2);
    cases.push_back({"K-async of any nodes: staleness (n - K) / K", shifted});

    // Pushes come at sum of 1 / E[X] and every K-th applies; it ages the n - 1 tasks in hand: (n - 1) / K. That the
    // K-th pusher reads afterwards matters: reading before would make it n / K.
    test::Oracle batch{
        longRun("k_batch_async", {1, 1, 1, 1, 2, 2, 4, 4}, {.kind = JitterKind::Pareto, .shape = 4}, 30'000),
        rounds(4 / (5.5 * 0.75), 4, 0, 7.0 / 4)};
    setK(batch, 4);
    cases.push_back({"K-batch-async of any nodes", batch});

    test::Oracle many{longRun("k_batch_async", 2, k_exponential, 10'000), rounds(2.5, 5, 0, 0.2)};
    setK(many, 5);
    cases.push_back({"K-batch-async with K above n", many});
    return cases;
}

/// Synchronous groups beside each other (strategies 4.4).
std::vector<Case> grouped()
{
    std::vector<Case> cases;
    const std::vector<double> slowdowns{1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4};
    const std::vector<std::vector<std::size_t>> classes{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}};
    // 1 + 1/2 + 1/4 updates of four tasks each
    test::Oracle constant{longRun("hybrid", slowdowns, k_none, 7'000), rates(1.75, 4, 0, 2), 5e-3};
    test::setGroups(constant.experiment, classes);
    cases.push_back({"hybrid of constant classes", constant});

    // Tasks of 0.9 + 0.1 E: T = class x (0.9 + 0.1 H_4), mean 1; idle 1 - 1 / (0.9 + 0.1 H_4)
    const double stretch = 0.9 + 0.1 * harmonicSum(4);
    test::Oracle jittered{
        longRun("hybrid", slowdowns, {.kind = JitterKind::ShiftedExponential, .scale = 1.0 / 9}, 15'000),
        rates(1.75 / stretch, 4, 1 - 1 / stretch, 2), 0.01};
    jittered.experiment.cluster.batch_seconds = 0.9;
    test::setGroups(jittered.experiment, classes);
    cases.push_back({"hybrid of jittered classes", jittered});

    // Rounds of 1 and 4 s, groups of one and three nodes: R = 5/4. Over gradients the staleness is
    // (1 (R - 1) + 3 (R - 1/4)) / (1 * 1 + 3 / 4) = (1/4 + 3) / (7/4), not m - 1.
    test::Oracle uneven{longRun("hybrid", {1, 4, 4, 4}, k_none, 5'000),
                        rates(1.25, 1.75 / 1.25, 0, 3.25 / 1.75), 5e-3};
    test::setGroups(uneven.experiment, {{0}, {1, 2, 3}});
    cases.push_back({"staleness over gradients of unequal groups", uneven});
    return cases;
}

const std::vector<Case>& allCases()
{
    static const std::vector<Case> all = [] {
        std::vector<Case> list;
        for (auto part : {alone(), inLine(), bounded(), gathered(), grouped()}) {
            list.insert(list.end(), part.begin(), part.end());
        }
        return list;
    }();
    return all;
}

} // namespace

class AsynchronousOracles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void closedFormPredictionAndRunAgree_data()
    {
        QTest::addColumn<std::size_t>("number");
        for (std::size_t i = 0; i < allCases().size(); ++i) {
            QTest::newRow(allCases()[i].name) << i;
        }
    }

    void closedFormPredictionAndRunAgree()
    {
        QFETCH(const std::size_t, number);
        const std::string wrong = test::wrongWith(allCases()[number].oracle);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }

    // P(staleness = k) = p (1 - p)^k with p = 1/n for equal exponential nodes, and for no others.
    void stalenessOfEqualExponentialNodesIsGeometric()
    {
        const RunRecord run = test::run(longRun("asp", 8, k_exponential, 200'000));
        QVERIFY(run.last.theory.geometric_staleness == 1.0 / 8);
        const double p = *run.last.theory.geometric_staleness;
        const auto total = static_cast<double>(run.last.staleness.total());
        for (std::size_t k = 0; k < 10; ++k) {
            const double expected = p * std::pow(1 - p, static_cast<double>(k));
            const double share = static_cast<double>(run.last.staleness.counts()[k]) / total;
            // four standard errors of a count
            const double allowed = 4 * std::sqrt(expected / total);
            QVERIFY2(std::abs(share - expected) < allowed, qPrintable(QString::number(k)));
        }
        QVERIFY(!test::run(longRun("asp", {1, 2}, k_exponential, 10)).last.theory.geometric_staleness);
        QVERIFY(!test::run(longRun("asp", 2, k_none, 10)).last.theory.geometric_staleness);
    }

    // Constant speeds 1 and T, bound s: the fast node has finished k + 1 steps at time k + 1, the slow one floor of
    // (k + 1) / T. It may start its next step while it is at most s ahead, so that it first waits after s + 1 steps
    // ahead; from then on each slow step lets it do one, and it waits T - 1 for it.
    void fastNodeFirstWaitsAfterBoundPlusOneStepsAhead_data()
    {
        QTest::addColumn<int>("bound");
        for (const int bound : {0, 1, 3, 5}) {
            QTest::addRow("%d", bound) << bound;
        }
    }

    void fastNodeFirstWaitsAfterBoundPlusOneStepsAhead()
    {
        QFETCH(const int, bound);
        Experiment experiment = longRun("ssp", {1, 100}, k_none, 60);
        experiment.strategy.values["staleness"] = std::int64_t{bound};
        experiment.stop = {.seconds = 1000.0, .updates = {}, .samples = {}, .loss = {}};
        const RunRecord run = test::run(experiment);
        std::vector<Span> waits;
        for (const Span& span : test::spansOf(run, 0)) {
            if (span.activity == Activity::Waiting) {
                waits.push_back(span);
            }
        }
        QCOMPARE(waits.front().start, atSeconds(bound + 1));
        QCOMPARE(waits.front().end, atSeconds(100));
        for (std::size_t i = 1; i + 1 < waits.size(); ++i) {
            QCOMPARE(waits[i].end - waits[i].start, fromSeconds(99));
        }
    }

    // Each node: (Lambda - lambda_i) / lambda_i for exponential nodes of rates lambda_i.
    void stalenessOfEachNode()
    {
        const std::vector<double> slowdowns{1, 1, 1, 1, 2, 2, 4, 4};
        const RunRecord run = test::run(longRun("asp", slowdowns, k_exponential, 400'000));
        const auto mean = [&](std::size_t first, std::size_t end) {
            double sum = 0;
            for (std::size_t i = first; i < end; ++i) {
                sum += run.last.nodes[i].staleness_mean / static_cast<double>(end - first);
            }
            return sum;
        };
        const std::string wrong = test::disagreement("fast", mean(0, 4), 4.5, 0.02 * 4.5)
            + test::disagreement("middle", mean(4, 6), 10, 0.02 * 10)
            + test::disagreement("slow", mean(6, 8), 21, 0.02 * 21);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
};

QTEST_APPLESS_MAIN(AsynchronousOracles)
#include "tst_oracles_async.moc"
