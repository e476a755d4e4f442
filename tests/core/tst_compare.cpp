#include "core/compare/differences.h"
#include "core/compare/statistics.h"
#include "core/experiment/experiment_json.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

#include <cmath>
#include <vector>

using namespace lab;

class Compare : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void studentsQuantilesAreThoseOfTheTables_data()
    {
        QTest::addColumn<int>("degrees");
        QTest::addColumn<double>("quantile");
        // 1 and 2 in closed form: tan(0.475 pi), and sqrt(2) q / sqrt(1 - q^2) with q = 0.95; the rest from tables.
        QTest::newRow("1") << 1 << 12.706204736432095;
        QTest::newRow("2") << 2 << 4.302652729911275;
        QTest::newRow("4") << 4 << 2.776445105;
        QTest::newRow("9") << 9 << 2.262157163;
        QTest::newRow("30") << 30 << 2.042272456;
        QTest::newRow("1000") << 1000 << 1.962339081;
    }
    void studentsQuantilesAreThoseOfTheTables()
    {
        QFETCH(const int, degrees);
        QFETCH(const double, quantile);
        QVERIFY(std::abs(studentQuantile(static_cast<std::size_t>(degrees)) / quantile - 1) < 1e-9);
    }

    void theIntervalOfThreeRuns()
    {
        const MeanInterval found = meanInterval(std::vector<double>{1, 2, 3});

        QCOMPARE(found.runs, std::size_t{3});
        QCOMPARE(found.mean, 2.0);
        QVERIFY(std::abs(*found.half_width - 4.302652729911275 / std::sqrt(3.0)) < 1e-9); // s = 1
    }

    void equalRunsAreCertain() { QCOMPARE(*meanInterval(std::vector<double>{4, 4, 4, 4}).half_width, 0.0); }

    void oneRunHasNoInterval()
    {
        QVERIFY(!meanInterval(std::vector<double>{5}).half_width);
        QCOMPARE(meanInterval(std::vector<double>{5}).mean, 5.0);
        QVERIFY(std::isnan(meanInterval({}).mean));
    }

    void aRunThatNeverGotThereIsNotAveragedAway()
    {
        const double never = std::numeric_limits<double>::infinity();
        QCOMPARE(meanInterval(std::vector<double>{1, never, 3}).mean, never);
        QVERIFY(!meanInterval(std::vector<double>{1, never, 3}).half_width);
    }

    void onlyWhatDecidesARunIsADifference()
    {
        const Experiment a = test::smallExperiment(3);
        Experiment b = a;
        b.title = "another";
        b.notes = "and other notes";
        QVERIFY(differencesOf(a, b).empty());

        b.cluster.nodes[2].slowdown = 4;
        b.training.learning_rate = 0.25;
        b.seed = 9;
        const std::vector<ParameterDifference> expected{
            {"seed", "1", "9"},
            {"training.learning_rate", numberOf(a.training.learning_rate), "0.25"},
            {"cluster.nodes[2].slowdown", "1", "4"}};
        const std::vector<ParameterDifference> found = differencesOf(a, b);
        QCOMPARE(found.size(), expected.size());
        for (const ParameterDifference& one : expected) {
            QVERIFY2(std::ranges::find(found, one) != found.end(), one.path.c_str());
        }
    }

    void aDefaultThatIsWrittenOutIsNoDifference()
    {
        Experiment a = test::smallExperiment(3);
        a.strategy.kind = "ssp";
        Experiment b = a;
        b.strategy.values["staleness"] = std::int64_t{3};
        Experiment c = a;
        c.strategy.values["staleness"] = std::int64_t{7};

        QVERIFY(differencesOf(a, b).empty());
        QCOMPARE(differencesOf(a, c), (std::vector<ParameterDifference>{{"strategy.staleness", "3", "7"}}));
    }

    void aNodeMoreIsOneDifference()
    {
        const Experiment a = test::smallExperiment(2);
        Experiment b = a;
        b.cluster.nodes.push_back({.name = "n2", .slowdown = 2, .jitter = {}});

        const std::vector<ParameterDifference> found = differencesOf(a, b);
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].path, std::string("cluster.nodes[2]"));
        QVERIFY(found[0].a.empty() && found[0].b.find("n2") != std::string::npos);
    }

private:
    static std::string numberOf(double value)
    {
        return QString::number(value, 'g', QLocale::FloatingPointShortest).toStdString();
    }
};

QTEST_APPLESS_MAIN(Compare)
#include "tst_compare.moc"
