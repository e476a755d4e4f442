// Synchronous rounds: printed closed form = prediction (1e-9) = long run (2 %). Times are in tasks of a healthy node.

#include "tests/support/oracles.h"

#include <QTest>

#include <cmath>
#include <string>
#include <vector>

using namespace lab;
using test::harmonicSum;
using test::longRun;

namespace {

constexpr Jitter k_exponential{.kind = JitterKind::Exponential};
constexpr Jitter k_none{};

/// The figures of rounds of so many seconds, `samples` (of batch 1) in each.
Prediction rounds(double seconds, double idle, double samples)
{
    Prediction form;
    form.round_seconds = seconds;
    form.updates_per_second = 1 / seconds;
    form.samples_per_second = samples / seconds;
    form.idle_fraction = idle;
    form.mean_staleness = 0;
    return form;
}

/// Only that nothing is stale.
Prediction onlyFresh()
{
    Prediction form;
    form.mean_staleness = 0;
    return form;
}

struct Case {
    const char* name;
    test::Oracle oracle;
};

/// A barrier of all: E[round] = E[max], idle = 1 - E[X] / E[max].
std::vector<Case> barriers()
{
    const double h8 = harmonicSum(8);
    std::vector<Case> cases;
    cases.push_back(
        {"exponential: H_n", {longRun("bsp", 8, k_exponential, 20'000), rounds(h8, 1 - 1 / h8, 8)}});

    // 1 + a E: E[max] = 1 + a H_n
    const double shifted = 1 + 0.2 * h8;
    cases.push_back({"shifted exponential: 1 + a H_n",
                     {longRun("bsp", 8, {.kind = JitterKind::ShiftedExponential, .scale = 0.2}, 10'000),
                      rounds(shifted, 1 - 1.2 / shifted, 8)}});

    // Pareto of shape a, minimum 1: n! Gamma(1 - 1/a) / Gamma(n + 1 - 1/a), mean a / (a - 1)
    const double pareto = std::tgamma(9) * std::tgamma(0.75) / std::tgamma(8.75);
    cases.push_back({"Pareto",
                     {longRun("bsp", 8, {.kind = JitterKind::Pareto, .shape = 4}, 20'000),
                      rounds(pareto, 1 - 4.0 / 3 / pareto, 8)}});

    // two points: 1 + (f - 1) P(at least one slow)
    const double two = 1 + 9 * (1 - std::pow(0.95, 8));
    cases.push_back(
        {"two points",
         {longRun("bsp", 8, {.kind = JitterKind::Bimodal, .probability = 0.05, .factor = 10}, 20'000),
          rounds(two, 1 - 1.45 / two, 8)}});

    // A chain that enters slowness with a and leaves it with b is slow for a share a / (a + b) of its tasks; every
    // node steps it once per round, so that the expected round is that of independent tasks (strategies 4.7).
    const double share = 0.05 / 0.25;
    const double chained = 1 + 2 * (1 - std::pow(1 - share, 3));
    cases.push_back(
        {"Markov chain: two points of its long-run share",
         {longRun("bsp", 3, {.kind = JitterKind::Markov, .factor = 3, .enter = 0.05, .leave = 0.2}, 60'000),
          rounds(chained, 1 - (1 + 2 * share) / chained, 3)}});

    // Rates 1, 1, 1/2, 1/4: sum over the non-empty subsets of (-1)^(size + 1) / (sum of their rates)
    const std::vector<double> slowdowns{1, 1, 2, 4};
    double inclusion = 0;
    for (unsigned set = 1; set < 16; ++set) {
        double rate = 0;
        int size = 0;
        for (unsigned i = 0; i < 4; ++i) {
            if ((set >> i & 1U) != 0) {
                rate += 1 / slowdowns[i];
                ++size;
            }
        }
        inclusion += (size % 2 == 1 ? 1 : -1) / rate;
    }
    cases.push_back(
        {"unequal exponential: inclusion and exclusion",
         {longRun("bsp", slowdowns, k_exponential, 30'000), rounds(inclusion, 1 - 2 / inclusion, 4)}});

    // Constant times 4 x 1, 4 x 2, 4 x 4: 1 - mean / max
    cases.push_back({"constant: 1 - mean / max",
                     {longRun("bsp", {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4}, k_none, 200),
                      rounds(4, 1 - 7.0 / 3 / 4, 12), 1e-6}});
    return cases;
}

/// What messages and overhead add.
std::vector<Case> costs()
{
    std::vector<Case> cases;
    // 12 parameters of 4 bytes at 480 bytes/s: 0.1 s, and 0.05 s latency, each way
    test::Oracle network{longRun("bsp", 4, k_exponential, 20'000), {}};
    network.experiment.cluster.network = Network{.latency = 0.05, .bandwidth = 480, .server_bandwidth = {}};
    const double with_messages = harmonicSum(4) + 0.3;
    network.closed_form = rounds(with_messages, (harmonicSum(4) - 1) / with_messages, 4);
    cases.push_back({"messages on a link of their own add what they take", network});

    test::Oracle shared = network;
    shared.experiment.cluster.network->server_bandwidth = 4800;
    shared.experiment.stop.updates = 200;
    shared.closed_form = onlyFresh();
    cases.push_back({"nothing is said of messages that share a link", shared});

    // (overhead + batch) x slowdown x jitter
    test::Oracle overhead{
        longRun("bsp", {1, 3}, {.kind = JitterKind::Bimodal, .probability = 0.5, .factor = 2}, 20'000), {}};
    overhead.experiment.cluster.overhead_seconds = 0.5;
    // node 0: 1.5 or 3; node 1: 4.5 or 9, which is always more
    overhead.closed_form = rounds(6.75, 1 - (2.25 + 6.75) / 2 / 6.75, 2);
    cases.push_back({"overhead is slowed down like the rest", overhead});

    // Arrivals at 1, 1, 2, 4, each in line for 0.6: done at 1.6, 2.2, 2.8, 4.6
    test::Oracle server{longRun("bsp", {1, 1, 2, 4}, k_none, 200), rounds(4.6, 1 - 2 / 4.6, 4), 1e-6};
    server.experiment.cluster.server_seconds = 0.6;
    cases.push_back({"a server that takes constant messages one by one", server});

    test::Oracle busy{longRun("bsp", 4, k_exponential, 200), onlyFresh()};
    busy.experiment.cluster.server_seconds = 0.1;
    cases.push_back({"nothing is said of random times before a busy server", busy});
    return cases;
}

/// The K family and backup workers.
std::vector<Case> gathering()
{
    std::vector<Case> cases;
    // D + (H_n - H_(n - K)); idle: those who are done wait for the K-th, sum over j < K of X_(K) - X_(j)
    const auto ordered = [](std::size_t j) { return 1 + harmonicSum(8) - harmonicSum(8 - j); };
    double waiting = 0;
    for (std::size_t j = 1; j <= 4; ++j) {
        waiting += ordered(4) - ordered(j);
    }
    test::Oracle k_sync{longRun("k_sync", 8, {.kind = JitterKind::ShiftedExponential, .scale = 1}, 10'000),
                        rounds(ordered(4), waiting / (8 * ordered(4)), 4)};
    k_sync.experiment.strategy.values["k"] = std::int64_t{4};
    cases.push_back({"K-sync: D + H_n - H_(n - K)", k_sync});

    test::Oracle all = k_sync;
    all.experiment.strategy.values["k"] = std::int64_t{8};
    all.closed_form = rounds(1 + harmonicSum(8), 1 - 2 / (1 + harmonicSum(8)), 8);
    cases.push_back({"K-sync of all is BSP", all});

    test::Oracle lazy = k_sync;
    lazy.experiment.cluster.preemptive = false;
    lazy.experiment.stop.updates = 200;
    lazy.closed_form = onlyFresh();
    cases.push_back({"nothing is said of K-sync without preemption", lazy});

    // Memoryless tasks of any rates: gradients come as a Poisson process, K of them take K / (sum of the rates)
    test::Oracle batch{longRun("k_batch_sync", {1, 1, 2, 4}, k_exponential, 20'000), rounds(3 / 2.75, 0, 3)};
    batch.experiment.strategy.values["k"] = std::int64_t{3};
    cases.push_back({"K-batch-sync: K / sum of rates", batch});

    test::Oracle far = batch;
    far.experiment.cluster.network = Network{.latency = 0.25, .bandwidth = 1e12, .server_bandwidth = {}};
    far.closed_form = rounds(3 / 2.75 + 0.5, 0, 3);
    cases.push_back({"K-batch-sync at a distance", far});

    test::Oracle shifted = batch;
    shifted.experiment.cluster.jitter = {.kind = JitterKind::ShiftedExponential};
    shifted.experiment.stop.updates = 200;
    shifted.closed_form = onlyFresh();
    cases.push_back({"nothing is said of K-batch-sync but for exponential tasks", shifted});

    // Constant tasks of 1, 1, 1, 2, 3: the four fastest in 2 s; the fifth is late for ever but never waits
    test::Oracle backup{longRun("backup_workers", {1, 1, 1, 2, 3}, k_none, 300), rounds(2, 0.3, 4), 1e-2};
    cases.push_back({"backup workers: the K-th fastest", backup});

    test::Oracle no_backup{longRun("backup_workers", 4, k_exponential, 20'000),
                           rounds(harmonicSum(4), 1 - 1 / harmonicSum(4), 4)};
    no_backup.experiment.strategy.values["backups"] = std::int64_t{0};
    cases.push_back({"no backups is BSP", no_backup});

    test::Oracle random = no_backup;
    random.experiment.strategy.values["backups"] = std::int64_t{1};
    random.experiment.stop.updates = 200;
    random.closed_form = onlyFresh();
    cases.push_back({"nothing is said of backups with random tasks", random});
    return cases;
}

/// Steps between barriers, and batches by speed.
std::vector<Case> unequalWork()
{
    std::vector<Case> cases;
    // Two nodes of two exponential steps: E[max] = E[sum of both] - E[min] = 4 - integral of (e^-x (1 + x))^2 dx
    // = 4 - (1/2 + 1/2 + 1/4) = 2.75
    test::Oracle two{longRun("local_sgd", 2, k_exponential, 20'000), rounds(2.75, 1 - 2 / 2.75, 4)};
    two.experiment.strategy.values["steps"] = std::int64_t{2};
    cases.push_back({"local SGD: Erlang", two});

    // Two steps of 1 or 3, each half the time: 2, 4 or 6 with 1/4, 1/2, 1/4; of two nodes the larger is at most 2 with
    // 1/16, at most 4 with 9/16: E[max] = (2 + 32 + 42) / 16
    test::Oracle points{
        longRun("local_sgd", 2, {.kind = JitterKind::Bimodal, .probability = 0.5, .factor = 3}, 10'000),
        rounds(4.75, 1 - 4 / 4.75, 4)};
    points.experiment.strategy.values["steps"] = std::int64_t{2};
    cases.push_back({"local SGD: binomial", points});

    test::Oracle constant{longRun("local_sgd", {1, 2}, k_none, 300), rounds(6, 0.25, 6), 1e-6};
    constant.experiment.strategy.values["steps"] = std::int64_t{3};
    cases.push_back({"local SGD: constant", constant});

    test::Oracle tail{longRun("local_sgd", 2, {.kind = JitterKind::Pareto}, 200), onlyFresh()};
    cases.push_back({"nothing is said of sums of Pareto times", tail});

    // 64 rows at speeds 1, 1/2, 1/4, 1/4: 32, 16, 8, 8 rows in 2 s each, and nobody waits
    test::Oracle balanced{longRun("lb_bsp", {1, 2, 4, 4}, k_none, 2'000), rounds(2, 0, 64), 1e-2};
    balanced.experiment.training.batch = 16;
    cases.push_back({"LB-BSP: B / sum of speeds", balanced});

    test::Oracle jittered = balanced;
    jittered.experiment.cluster.jitter = {.kind = JitterKind::Lognormal};
    jittered.experiment.stop.updates = 100;
    jittered.closed_form = onlyFresh();
    cases.push_back({"nothing is said of LB-BSP with random speeds", jittered});
    return cases;
}

const std::vector<Case>& allCases()
{
    static const std::vector<Case> all = [] {
        std::vector<Case> list;
        for (auto part : {barriers(), costs(), gathering(), unequalWork()}) {
            list.insert(list.end(), part.begin(), part.end());
        }
        return list;
    }();
    return all;
}

} // namespace

class SynchronousOracles : public QObject {
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
};

QTEST_APPLESS_MAIN(SynchronousOracles)
#include "tst_oracles_sync.moc"
