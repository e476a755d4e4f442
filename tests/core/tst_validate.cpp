#include "core/experiment/checks.h"
#include "core/experiment/experiment.h"
#include "core/experiment/spelling.h"

#include <QTest>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

using namespace lab;

namespace {

constexpr double k_no_number = std::numeric_limits<double>::quiet_NaN();

Experiment goodExperiment()
{
    Experiment one;
    one.cluster.nodes = {NodeSpec{"a", 1, {}}, NodeSpec{"b", 4, {}}};
    return one;
}

using Spoil = std::function<void(Experiment&)>;

struct Case {
    const char* where;
    Spoil spoil;
};

const std::vector<Case>& cases()
{
    static const std::vector<Case> all{
        {"cluster.nodes", [](Experiment& e) { e.cluster.nodes.clear(); }},
        {"cluster.nodes[1].slowdown", [](Experiment& e) { e.cluster.nodes[1].slowdown = k_no_number; }},
        {"cluster.batch_seconds", [](Experiment& e) { e.cluster.batch_seconds = 0; }},
        {"cluster.server_seconds", [](Experiment& e) { e.cluster.server_seconds = -1; }},
        {"cluster.jitter.shape",
         [](Experiment& e) { e.cluster.jitter = {.kind = JitterKind::Pareto, .shape = 1}; }},
        {"cluster.nodes[0].jitter.leave",
         [](Experiment& e) { e.cluster.nodes[0].jitter = Jitter{.kind = JitterKind::Markov, .leave = 1.1}; }},
        {"training.learning_rate",
         [](Experiment& e) { e.training.learning_rate = std::numeric_limits<double>::infinity(); }},
        {"training.momentum", [](Experiment& e) { e.training.momentum = -0.1; }},
        {"evaluate.every_updates", [](Experiment& e) { e.evaluate_every_updates = 0; }},
        {"data.validation", [](Experiment& e) { e.data.validation = 1; }},
        {"stop", [](Experiment& e) { e.stop = {}; }},
        {"groups.count", [](Experiment& e) { e.groups.count = 3; }},
        {"groups.members[0][0]",
         [](Experiment& e) {
             e.groups = {Grouping::By::Members, {}, {{NodeId{}, NodeId{0}, NodeId{1}}}};
         }},
        {"groups.members[0]",
         [](Experiment& e) {
             e.groups = {Grouping::By::Members, {}, {{NodeId{1}, NodeId{0}}}};
         }},
        {"groups.members[1]",
         [](Experiment& e) {
             e.groups = {Grouping::By::Members, {}, {{NodeId{0}, NodeId{1}}, {}}};
         }},
        {"strategy.kind", [](Experiment& e) { e.strategy.kind = "x"; }},
        {"strategy.k", [](Experiment& e) { e.strategy.values["k"] = std::int64_t{1}; }},
        {"events[0].node",
         [](Experiment& e) {
             e.events = {{atSeconds(1), Fail{NodeId{2}, {}}}};
         }},
        {"events[0].for",
         [](Experiment& e) {
             e.events = {{atSeconds(1), Fail{NodeId{1}, Duration{0}}}};
         }},
        {"events[0].factor",
         [](Experiment& e) {
             e.events = {{atSeconds(1), Slow{NodeId{1}, 0, {}}}};
         }},
        {"events[0].do",
         [](Experiment& e) {
             e.events = {{atSeconds(1), Move{NodeId{1}, GroupId{0}}}};
         }},
        {"events[1].at",
         [](Experiment& e) {
             e.events = {{atSeconds(2), Recover{NodeId{1}}}, {atSeconds(1), Recover{NodeId{1}}}};
         }},
    };
    return all;
}

} // namespace

class TestValidate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aGoodExperimentHasNoProblems() { QVERIFY(validate(goodExperiment()).empty()); }
    void eachFaultIsFoundAtItsPath_data();
    void eachFaultIsFoundAtItsPath();
    void allFaultsAreFoundAtOnce();
    void parametersAreCheckedAgainstTheirTable();
    void misspellingsAreRecognised();
};

void TestValidate::eachFaultIsFoundAtItsPath_data()
{
    QTest::addColumn<int>("number");
    for (std::size_t i = 0; i < cases().size(); ++i) {
        QTest::addRow("%s", cases()[i].where) << static_cast<int>(i);
    }
}

void TestValidate::eachFaultIsFoundAtItsPath()
{
    QFETCH(int, number);
    const Case& one = cases()[static_cast<std::size_t>(number)];
    Experiment experiment = goodExperiment();
    one.spoil(experiment);

    const std::vector<Problem> problems = validate(experiment);

    QVERIFY(!problems.empty());
    QCOMPARE(problems.front().where, std::string(one.where));
    QVERIFY(!problems.front().what.empty());
}

void TestValidate::allFaultsAreFoundAtOnce()
{
    Experiment experiment = goodExperiment();
    experiment.training.batch = 0;
    experiment.model.l2 = -1;
    experiment.cluster.nodes[0].name = "b";

    QCOMPARE(validate(experiment).size(), std::size_t{3});
}

void TestValidate::parametersAreCheckedAgainstTheirTable()
{
    const auto spec = [](const char* name, ParamSpec::Type type) {
        return ParamSpec{name, {}, {}, type, {}, 1, 8, {"cyclic", "fractional"}};
    };
    const ParamSpec whole = spec("stragglers", ParamSpec::Type::Whole);
    const ParamSpec wholes = spec("stragglers", ParamSpec::Type::WholesOrAuto);
    const ParamSpec real = spec("rate", ParamSpec::Type::Real);
    const ParamSpec choice = spec("code", ParamSpec::Type::Choice);
    const std::string automatic = "auto";

    QVERIFY(!checkParam(whole, std::int64_t{3}, 4));
    QCOMPARE(checkParam(whole, std::int64_t{0}, 4).value(),
             std::string("must be a whole number from 1 to 8"));
    QCOMPARE(checkParam(whole, std::int64_t{4}, 4).value(),
             std::string("must be below the number of nodes, 4"));
    QVERIFY(checkParam(whole, automatic, 4).has_value());
    QVERIFY(checkParam(whole, 2.0, 4).has_value());
    QVERIFY(!checkParam(wholes, automatic, 4));
    QVERIFY(!checkParam(wholes, std::vector<std::int64_t>{1, 2}, 4));
    QVERIFY(checkParam(wholes, std::vector<std::int64_t>{1, 9}, 4).has_value());
    QVERIFY(checkParam(wholes, std::vector<std::int64_t>{}, 4).has_value());
    QVERIFY(!checkParam(real, 1.5, 4));
    QVERIFY(checkParam(real, k_no_number, 4).has_value());
    QVERIFY(!checkParam(choice, std::string("cyclic"), 4));
    QCOMPARE(checkParam(choice, automatic, 4).value(), std::string("must be one of cyclic, fractional"));
}

void TestValidate::misspellingsAreRecognised()
{
    constexpr std::array<std::string_view, 3> k_words{"slowdown", "jitter", "name"};

    QCOMPARE(std::string(closest("slwodown", k_words)), std::string("slowdown"));
    QCOMPARE(std::string(closest("nam", k_words)), std::string("name"));
    QCOMPARE(std::string(closest("speed", k_words)), std::string());
    QCOMPARE(std::string(closest(std::string(1'000'000, 'x'), k_words)), std::string());
}

QTEST_APPLESS_MAIN(TestValidate)
#include "tst_validate.moc"
