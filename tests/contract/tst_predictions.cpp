// What strategies say of themselves is true: random clusters, for every strategy of the catalogue. A new one that
// predicts too much is found out here before it has an oracle of its own.

#include "core/base/rng.h"
#include "core/strategy/strategy_catalog.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/oracles.h"

#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace lab;

namespace {

constexpr std::uint64_t k_seed = 5;
constexpr int k_clusters = 8; // for each strategy

/// Draws everything that a prediction has to reckon with.
class Draw {
public:
    Draw(std::uint64_t strategy, std::uint64_t number) : rng_(k_seed, Purpose::Estimate, strategy, number) {}

    Experiment experiment(const StrategyInfo& info)
    {
        const std::size_t nodes = 1 + below(8);
        Experiment drawn = test::longRun(info.id, nodes, jitter(), 10'000);
        drawn.stop.seconds = 30'000.0;
        drawn.training.batch = 8;
        const std::size_t speeds = below(3); // equal, in classes, all different
        for (NodeSpec& node : drawn.cluster.nodes) {
            node.slowdown = speeds == 0 ? 1
                : speeds == 1           ? 1 + static_cast<double>(below(3))
                                        : 1 + 3 * rng_.uniform();
        }
        drawn.cluster.overhead_seconds = oneIn(4) ? 0.5 : 0;
        drawn.cluster.server_seconds = oneIn(5) ? 0.3 * rng_.uniform() : 0;
        drawn.cluster.preemptive = !oneIn(4);
        if (oneIn(3)) {
            drawn.cluster.network =
                Network{.latency = 0.3 * rng_.uniform(), .bandwidth = 480, .server_bandwidth = {}};
            if (oneIn(4)) {
                drawn.cluster.network->server_bandwidth = 960;
            }
        }
        const std::vector<std::vector<std::size_t>> groups = partition(nodes);
        test::setGroups(drawn, groups);
        for (const ParamSpec& spec : info.params) {
            setParam(drawn, spec, groups);
        }
        return drawn;
    }

private:
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(rng_.below(bound)); }
    bool oneIn(std::size_t count) { return below(count) == 0; }

    Jitter jitter()
    {
        constexpr JitterKind k_kinds[] = {JitterKind::None,        JitterKind::ShiftedExponential,
                                          JitterKind::Exponential, JitterKind::Pareto,
                                          JitterKind::Lognormal,   JitterKind::Bimodal,
                                          JitterKind::Markov};
        return {.kind = k_kinds[below(std::size(k_kinds))],
                .scale = 0.5,
                .shape = 4,
                .sigma = 0.4,
                .probability = 0.2,
                .factor = 4,
                .enter = 0.2,
                .leave = 0.4};
    }

    std::vector<std::vector<std::size_t>> partition(std::size_t nodes)
    {
        std::vector<std::vector<std::size_t>> groups(1 + below(nodes));
        for (std::size_t node = 0; node < nodes; ++node) { // none stays empty
            groups[node < groups.size() ? node : below(groups.size())].push_back(node);
        }
        return groups;
    }

    void setParam(Experiment& drawn, const ParamSpec& spec,
                  const std::vector<std::vector<std::size_t>>& groups)
    {
        const std::size_t nodes = drawn.cluster.nodes.size();
        auto& values = drawn.strategy.values;
        if (spec.name == "stragglers" && spec.type == ParamSpec::Type::WholesOrAuto) {
            std::vector<std::int64_t> tolerances;
            for (const auto& group : groups) {
                tolerances.push_back(static_cast<std::int64_t>(below(group.size())));
            }
            values[spec.name] = std::move(tolerances);
        } else if (spec.name == "stragglers" || spec.name == "backups") {
            values[spec.name] = static_cast<std::int64_t>(below(nodes));
        } else if (spec.type == ParamSpec::Type::Whole || spec.type == ParamSpec::Type::WholeOrAuto) {
            values[spec.name] =
                static_cast<std::int64_t>(std::max<double>(spec.least, 1) + static_cast<double>(below(6)));
        } else if (spec.name == "code") {
            values[spec.name] = spec.choices[below(spec.choices.size())];
        } else if (spec.name == "enough") {
            values[spec.name] = 0.3 + 0.7 * rng_.uniform();
        }
    }

    Rng rng_;
};

std::string wrongWith(const RunRecord& run)
{
    const Prediction& theory = run.last.theory;
    const Prediction measured = test::measured(run);
    std::string wrong;
    const auto compare = [&wrong](const char* name, std::optional<double> value, std::optional<double> said,
                                  double least) {
        if (said) {
            wrong += test::disagreement(name, value, said, 0.06 * std::max(*said, least));
        }
    };
    compare("seconds of a round", measured.round_seconds, theory.round_seconds, 0);
    compare("updates per second", measured.updates_per_second, theory.updates_per_second, 0);
    compare("samples per second", measured.samples_per_second, theory.samples_per_second, 0);
    compare("idle fraction", measured.idle_fraction, theory.idle_fraction, 0.1);
    compare("staleness", measured.mean_staleness, theory.mean_staleness, 0.1);
    return wrong.empty() && theory.basis.empty() ? "no basis" : wrong;
}

} // namespace

class Predictions : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunBearsOutWhatItsStrategySaid_data()
    {
        QTest::addColumn<std::size_t>("strategy");
        QTest::addColumn<int>("cluster");
        const auto catalog = strategyCatalog();
        for (std::size_t i = 0; i < catalog.size(); ++i) {
            for (int cluster = 0; cluster < k_clusters; ++cluster) {
                QTest::addRow("%s, seed %d, cluster %d", catalog[i].id.c_str(), static_cast<int>(k_seed),
                              cluster)
                    << i << cluster;
            }
        }
    }

    void aRunBearsOutWhatItsStrategySaid()
    {
        QFETCH(const std::size_t, strategy);
        QFETCH(const int, cluster);
        const Experiment experiment =
            Draw(strategy, static_cast<std::uint64_t>(cluster)).experiment(strategyCatalog()[strategy]);
        const RunRecord run = test::run(experiment);
        const std::string wrong = wrongWith(run);
        QVERIFY2(wrong.empty(), (wrong + run.last.theory.basis).c_str());
    }
};

QTEST_APPLESS_MAIN(Predictions)
#include "tst_predictions.moc"
