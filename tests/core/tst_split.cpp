#include "core/base/error.h"
#include "core/learn/dataset_catalog.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace lab;

namespace {

/// Row i has the features i, i / 1000 and 7.
/// `per_class` rows of each class, class after class; no classes: a regression.
Dataset numberedRows(const std::vector<int>& per_class, std::size_t regression_rows = 0)
{
    Dataset data;
    data.name = "numbered";
    data.classes = static_cast<int>(per_class.size());
    for (std::size_t label = 0; label < per_class.size(); ++label) {
        data.labels.insert(data.labels.end(), static_cast<std::size_t>(per_class[label]),
                           static_cast<int>(label));
    }
    const std::size_t rows = per_class.empty() ? regression_rows : data.labels.size();
    data.x.resize(static_cast<Eigen::Index>(rows), 3);
    for (std::size_t row = 0; row < rows; ++row) {
        const auto number = static_cast<float>(row);
        data.x.row(static_cast<Eigen::Index>(row)) << number, number / 1000.0F, 7.0F;
        data.targets.push_back(number);
    }
    return data;
}

/// The number of a row, told from its target, which nothing scales.
int numberOf(const Dataset& part, std::size_t row)
{
    return static_cast<int>(std::lround(part.targets[row]));
}

std::vector<int> numbers(const Dataset& part)
{
    std::vector<int> list;
    for (std::size_t row = 0; row < part.rows(); ++row) {
        list.push_back(numberOf(part, row));
    }
    return list;
}

std::vector<std::int64_t> perClass(const Dataset& part)
{
    std::vector<std::int64_t> counts;
    for (int label = 0; label < part.classes; ++label) {
        counts.push_back(std::count(part.labels.begin(), part.labels.end(), label));
    }
    return counts;
}

bool isRefused(const Dataset& data, double validation)
{
    try {
        (void)splitDataset(data, validation, 1);
        return false;
    } catch (const Error& error) {
        return std::string(error.what()).find("data 'numbered': no rows") == 0;
    }
}

} // namespace

class TestSplit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyRowIsDealtOnceWithItsLabel()
    {
        const Dataset all = numberedRows({60, 30, 10});
        const Split split = splitDataset(all, 0.2, 5);

        std::multiset<int> seen;
        for (const Dataset* part : {&split.training, &split.validation}) {
            QCOMPARE(part->labels.size(), part->rows());
            QCOMPARE(part->targets.size(), part->rows());
            QCOMPARE(part->classes, 3);
            QCOMPARE(part->name, all.name);
            for (std::size_t row = 0; row < part->rows(); ++row) {
                seen.insert(numberOf(*part, row));
                QCOMPARE(part->labels[row], all.labels[static_cast<std::size_t>(numberOf(*part, row))]);
            }
        }
        QCOMPARE(seen.size(), 100U);
        QCOMPARE(std::set<int>(seen.begin(), seen.end()).size(), 100U);
    }

    void everyClassKeepsItsShare()
    {
        const Split split = splitDataset(numberedRows({60, 30, 10}), 0.2, 5);

        QCOMPARE(perClass(split.validation), (std::vector<std::int64_t>{12, 6, 2}));
        QCOMPARE(perClass(split.training), (std::vector<std::int64_t>{48, 24, 8}));
    }

    void sharesThatDoNotDivideStillAddUp()
    {
        // A fifth of 7 is 1.4: rounded class by class it would be 1 each, 10 of 70 instead of 14.
        const Split split = splitDataset(numberedRows(std::vector<int>(10, 7)), 0.2, 5);

        QCOMPARE(split.validation.rows(), 14U);
        for (const std::int64_t count : perClass(split.validation)) {
            QVERIFY(count == 1 || count == 2);
        }
    }

    void everyClassStaysInTraining()
    {
        const Split split = splitDataset(numberedRows({1, 1, 50}), 0.9, 5);

        for (const std::int64_t count : perClass(split.training)) {
            QVERIFY(count >= 1);
        }
    }

    void seedAloneDecides()
    {
        const Dataset all = numberedRows({60, 30, 10});

        QCOMPARE(numbers(splitDataset(all, 0.2, 5).validation),
                 numbers(splitDataset(all, 0.2, 5).validation));
        QVERIFY(numbers(splitDataset(all, 0.2, 5).validation)
                != numbers(splitDataset(all, 0.2, 6).validation));
    }

    void anyRunOfTrainingRowsIsMixed()
    {
        const Split split = splitDataset(numberedRows({300, 300}), 0.2, 5);
        const auto ones = std::count(split.training.labels.begin(), split.training.labels.begin() + 100, 1);

        QVERIFY(ones > 30 && ones < 70);
    }

    void regressionsAreSplitToo()
    {
        const Split split = splitDataset(numberedRows({}, 50), 0.3, 5);

        QCOMPARE(split.validation.rows(), 15U);
        QCOMPARE(split.training.rows(), 35U);
        QVERIFY(split.training.labels.empty());
    }

    void noValidationLeavesAllForTraining()
    {
        const Split split = splitDataset(numberedRows({5, 5}), 0.0, 5);

        QCOMPARE(split.training.rows(), 10U);
        QCOMPARE(split.validation.rows(), 0U);
        QCOMPARE(split.validation.features(), 3U);
    }

    void featuresOutsideTheUnitIntervalAreStandardised()
    {
        const Split split = splitDataset(numberedRows({60, 40}), 0.2, 5);
        const Eigen::VectorXd scaled = split.training.x.col(0).cast<double>();

        QVERIFY(std::abs(scaled.mean()) < 1e-6);
        QVERIFY(std::abs((scaled.array() - scaled.mean()).square().mean() - 1) < 1e-5);
    }

    void validationIsScaledByTheTrainingRows()
    {
        const Split split = splitDataset(numberedRows({60, 40}), 0.2, 5);

        // Two training rows give the line from number to scaled value; every validation row has to lie on it.
        const double n0 = numberOf(split.training, 0);
        const double n1 = numberOf(split.training, 1);
        const auto y0 = static_cast<double>(split.training.x(0, 0));
        const double slope = (static_cast<double>(split.training.x(1, 0)) - y0) / (n1 - n0);
        for (std::size_t row = 0; row < split.validation.rows(); ++row) {
            const double expected = y0 + slope * (numberOf(split.validation, row) - n0);
            QVERIFY(std::abs(static_cast<double>(split.validation.x(static_cast<Eigen::Index>(row), 0))
                             - expected)
                    < 1e-4);
        }
    }

    void narrowFeaturesBesideWideOnesAreStandardisedToo()
    {
        const Split split = splitDataset(numberedRows({60, 40}), 0.2, 5);

        QVERIFY((split.training.x.col(1) - split.training.x.col(0)).cwiseAbs().maxCoeff() < 1e-5F);
    }

    void dataWithinTheUnitIntervalStayAsTheyAre()
    {
        Dataset all = numberedRows({60, 40});
        all.x /= 100.0F;
        const Split split = splitDataset(all, 0.2, 5);

        for (std::size_t row = 0; row < split.training.rows(); ++row) {
            QCOMPARE(split.training.x.row(static_cast<Eigen::Index>(row)),
                     all.x.row(numberOf(split.training, row)));
        }
    }

    void constantFeaturesBecomeZero()
    {
        Dataset all = numberedRows({60, 40});
        all.x.col(2).setConstant(0.1F); // its mean is not exactly representable
        const Split split = splitDataset(all, 0.2, 5);

        QVERIFY(split.training.x.col(2).isZero(0));
        QVERIFY(split.validation.x.col(2).isZero(0));
    }

    void partsWithoutRowsAreRefused()
    {
        QVERIFY(isRefused(numberedRows({}, 0), 0.2));
        QVERIFY(isRefused(numberedRows({1, 1}), 0.5));
        QVERIFY(isRefused(numberedRows({10, 10}), 0.001));
        QVERIFY(!isRefused(numberedRows({1, 1}), 0.0));
    }
};

QTEST_APPLESS_MAIN(TestSplit)
#include "tst_split.moc"
