// What a step size does under staleness and noise (strategies 4.8): the servers themselves, driven with the gradient of
// f(w) = h/2 w^2, so that nothing but their own arithmetic is tested.

#include "core/base/rng.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/outbox_reading.h"

#include <QTest>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

using namespace lab;

namespace {

constexpr std::uint64_t k_seed = 7; // of every random number here
constexpr int k_batch = 4;

/// A server whose nodes compute h w, plus noise where there is any, in an order that the test decides.
class Quadratic {
public:
    Quadratic(const std::string& kind, std::size_t nodes, double rate, double momentum, double start)
    {
        StrategySetup setup;
        setup.nodes = nodes;
        setup.names.assign(nodes, "n");
        setup.batch = k_batch;
        setup.learning_rate = rate;
        setup.momentum = momentum;
        setup.weigh_by_samples = false; // each update takes the full step
        setup.choice.kind = kind;
        setup.start_at = test::number(static_cast<float>(start));
        server_ = findStrategy(kind)->make_server(setup);
        asked_.resize(nodes);
        Outbox out{TimePoint{}};
        server_->start(out);
        note(out);
        w_ = start;
    }

    /// The node's gradient at what it read last; `noise` is that of its batch's mean.
    void push(std::size_t node, double noise = 0)
    {
        const Message& question = asked_[node];
        Message answer;
        answer.from = ActorId{node};
        answer.version = question.version;
        answer.body = test::number(static_cast<float>(k_batch * (test::numberIn(question.body) + noise)));
        answer.order = question.order;
        answer.round = question.round;
        answer.task = ++tasks_;
        answer.took = fromSeconds(0.1);
        Outbox out{TimePoint{}};
        server_->receive(std::move(answer), out);
        note(out);
    }

    [[nodiscard]] double w() const { return w_; }

private:
    void note(Outbox& out)
    {
        for (auto& send : test::all<Outbox::Send>(out)) {
            asked_[send.to.index()] = std::move(send.message);
        }
        for (const auto& update : test::all<Applied>(out)) {
            w_ = static_cast<double>(test::numberIn(update.params));
        }
    }

    std::unique_ptr<Actor> server_;
    std::vector<Message> asked_;
    TaskId tasks_ = 0;
    double w_ = 0;
};

/// The greatest |w| among so many updates.
double greatest(Quadratic& run, int updates, const std::function<void(int)>& update)
{
    double most = 0;
    for (int step = 0; step < updates; ++step) {
        update(step);
        most = std::max(most, std::abs(run.w()));
    }
    return most;
}

} // namespace

class OptimisationOracles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // w(t + 1) = w(t) - eta h w(t - tau) is stable iff eta h < 2 sin(pi / (2 (2 tau + 1))): the roots of
    // z^(tau + 1) - z^tau + eta h leave the unit circle there. tau + 1 nodes that take turns have staleness tau.
    void delayedStepsAreStableBelowTheBound_data()
    {
        QTest::addColumn<int>("delay");
        QTest::addColumn<double>("printed");
        QTest::newRow("0") << 0 << 2.0;
        QTest::newRow("1") << 1 << 1.0;
        QTest::newRow("2") << 2 << 0.618;
        QTest::newRow("10") << 10 << 0.1495;
    }

    void delayedStepsAreStableBelowTheBound()
    {
        QFETCH(const int, delay);
        QFETCH(const double, printed);
        const double bound = 2 * std::sin(std::numbers::pi / (2.0 * (2 * delay + 1)));
        QVERIFY(std::abs(bound - printed) < 5e-5 + 5e-4 * (delay == 2));
        for (const double share : {0.98, 1.02}) {
            Quadratic run("asp", static_cast<std::size_t>(delay) + 1, share * bound, 0, 1);
            const auto inTurn = [&](int step) { run.push(static_cast<std::size_t>(step % (delay + 1))); };
            greatest(run, 100 * (delay + 1), inTurn); // let what decays fast decay
            const double early = greatest(run, 4 * (delay + 1), inTurn);
            greatest(run, 400 * (delay + 1), inTurn);
            const double late = greatest(run, 4 * (delay + 1), inTurn);
            QVERIFY2(
                share < 1 ? late < early / 2 : late > early * 2,
                qPrintable(QStringLiteral("%1 of the bound: %2, then %3").arg(share).arg(early).arg(late)));
        }
    }

    // Heavy ball: stable iff eta h < 2 (1 + mu), the root of z^2 - (1 + mu - eta h) z + mu at -1.
    void momentumWidensTheBound()
    {
        for (const double share : {0.98, 1.02}) {
            Quadratic run("bsp", 1, share * 2 * 1.6, 0.6, 1);
            const auto step = [&](int) { run.push(0); };
            greatest(run, 100, step);
            const double early = greatest(run, 10, step);
            const double late = greatest(run, 100, step);
            // `late` starts where `early` ended: a decaying run is greatest at its first step
            QVERIFY(share < 1 ? late <= early : late > 2 * early);
        }
    }

    // w(t + 1) = (1 - eta h) w(t) - eta noise, noise of variance S / B for a mean over B samples:
    // E[w^2] = eta^2 S / B / (1 - (1 - eta h)^2) = eta S / (B h (2 - eta h)).
    void noiseFloorOfBsp()
    {
        constexpr std::size_t k_nodes = 4;
        constexpr double k_rate = 0.5;
        constexpr double k_variance = 3;
        constexpr int k_rounds = 60'000;
        Quadratic run("bsp", k_nodes, k_rate, 0, 0);
        double squares = 0;
        for (int round = 0; round < k_rounds; ++round) {
            for (std::size_t node = 0; node < k_nodes; ++node) {
                Rng rng(k_seed, Purpose::Estimate, node, static_cast<std::uint64_t>(round));
                run.push(node, std::sqrt(k_variance / k_batch) * rng.normal());
            }
            squares += run.w() * run.w();
        }
        const double expected = k_rate * k_variance / (k_nodes * k_batch * (2 - k_rate));
        QVERIFY2(std::abs(squares / k_rounds - expected) < 0.02 * expected,
                 qPrintable(QStringLiteral("%1 instead of %2").arg(squares / k_rounds).arg(expected)));
    }

    // Memoryless nodes: each push is anybody's. With W(t) = E[w(t)] and V(t) the mean of what the nodes hold,
    // W(t + 1) = W(t) - eta h V(t) and V(t + 1) = (1 - 1/n) V(t) + W(t + 1) / n, hence
    // W(t + 1) - W(t) = (1 - 1/n) (W(t) - W(t - 1)) - eta h / n W(t): momentum 1 - 1/n, rate eta / n (Mitliagkas et al.,
    // "Asynchrony begets momentum", 2016), exactly for a quadratic.
    void asynchronyOfMemorylessNodesIsMomentumInExpectation()
    {
        constexpr std::size_t k_nodes = 4;
        constexpr double k_rate = 0.2;
        constexpr int k_runs = 4'000;
        constexpr std::size_t k_updates = 30;
        std::vector<double> sums(k_updates + 1, 0);
        std::vector<double> squares(k_updates + 1, 0);
        for (int number = 0; number < k_runs; ++number) {
            Quadratic run("asp", k_nodes, k_rate, 0, 1);
            Rng rng(k_seed, Purpose::Estimate, 99, static_cast<std::uint64_t>(number));
            for (std::size_t t = 1; t <= k_updates; ++t) {
                run.push(rng.below(k_nodes));
                sums[t] += run.w();
                squares[t] += run.w() * run.w();
            }
        }
        double before = 1;
        double now = 1 - k_rate; // the first gradient is fresh
        for (std::size_t t = 1; t <= k_updates; ++t) {
            const double mean = sums[t] / k_runs;
            const double error = std::sqrt(std::max(squares[t] / k_runs - mean * mean, 0.0) / k_runs);
            QVERIFY2(std::abs(mean - now) < 4 * error + 1e-6,
                     qPrintable(QStringLiteral("update %1: %2 instead of %3").arg(t).arg(mean).arg(now)));
            const double next = now + (1 - 1.0 / k_nodes) * (now - before) - k_rate / k_nodes * now;
            before = std::exchange(now, next);
        }
    }
};

QTEST_APPLESS_MAIN(OptimisationOracles)
#include "tst_oracles_optimisation.moc"
