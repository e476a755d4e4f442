#include "core/base/error.h"
#include "core/learn/dataset_catalog.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace lab;

namespace {

std::vector<std::int64_t> perClass(const Dataset& data)
{
    std::vector<std::int64_t> counts;
    for (int label = 0; label < data.classes; ++label) {
        counts.push_back(std::count(data.labels.begin(), data.labels.end(), label));
    }
    return counts;
}

Dataset load(const char* id, std::uint64_t seed = 1) { return loadDataset(std::string(id), {}, seed); }

} // namespace

class TestDatasetCatalog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySetIsWhole_data()
    {
        QTest::addColumn<QString>("id");
        for (const DatasetInfo& info : datasetCatalog()) {
            QTest::newRow(info.id.c_str()) << QString::fromStdString(info.id);
        }
    }
    void everySetIsWhole()
    {
        QFETCH(QString, id);
        const Dataset data = load(id.toUtf8().constData());

        QCOMPARE(data.name, id.toStdString());
        QVERIFY(!findDataset(data.name)->title.empty() && !findDataset(data.name)->explanation.empty());
        QVERIFY(data.rows() > 0 && data.features() > 0);
        QVERIFY(data.x.allFinite());
        QCOMPARE(data.labels.size(), data.rows());
        QCOMPARE(data.targets, std::vector<float>(data.labels.begin(), data.labels.end()));
        QVERIFY(data.class_names.empty()
                || data.class_names.size() == static_cast<std::size_t>(data.classes));
        QCOMPARE(std::set<std::int32_t>(data.labels.begin(), data.labels.end()).size(),
                 static_cast<std::size_t>(data.classes));
        QCOMPARE(*std::min_element(data.labels.begin(), data.labels.end()), 0);
    }

    void setsAreFunctionsOfTheSeed_data() { everySetIsWhole_data(); }
    void setsAreFunctionsOfTheSeed()
    {
        QFETCH(QString, id);
        const bool is_made =
            id == QLatin1String("blobs") || id == QLatin1String("moons") || id == QLatin1String("spirals");

        const Dataset data = load(id.toUtf8().constData(), 1);

        QCOMPARE(load(id.toUtf8().constData(), 1).x, data.x);
        QCOMPARE(load(id.toUtf8().constData(), 2).x == data.x, !is_made);
    }

    /// Counts as the authors give them.
    void realSetsHaveTheirKnownShape_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("features");
        QTest::addColumn<QList<qint64>>("per_class");
        QTest::newRow("digits") << "digits" << 64
                                << QList<qint64>{178, 182, 177, 183, 181, 182, 181, 179, 174, 180};
        QTest::newRow("breast_cancer") << "breast_cancer" << 30 << QList<qint64>{357, 212};
        QTest::newRow("iris") << "iris" << 4 << QList<qint64>{50, 50, 50};
        QTest::newRow("fashion") << "fashion" << 196 << QList<qint64>(10, 500);
    }
    void realSetsHaveTheirKnownShape()
    {
        QFETCH(QString, id);
        QFETCH(int, features);
        QFETCH(QList<qint64>, per_class);

        const Dataset data = load(id.toUtf8().constData());

        QCOMPARE(static_cast<int>(data.features()), features);
        QCOMPARE(perClass(data), std::vector<std::int64_t>(per_class.begin(), per_class.end()));
    }

    void digitsAreImages()
    {
        const Dataset data = load("digits");

        QCOMPARE(data.rows(), 1797U);
        // Centred, with unit variance.
        const double pixels = 1797.0 * 64.0;
        const double mean = data.x.cast<double>().sum() / pixels;
        QVERIFY(std::abs(mean) < 1e-3);
        QVERIFY(std::abs(data.x.cast<double>().squaredNorm() / pixels - mean * mean - 1) < 1e-3);
        // The first row of the published file: 0,0,5,13,9,1,0,0,… and a zero; pixels are 0 … 16.
        const float per_step = (data.x.maxCoeff() - data.x.minCoeff()) / 16;
        QVERIFY(std::abs((data.x(0, 3) - data.x(0, 0)) / per_step - 13) < 1e-5F);
        QCOMPARE(data.class_names[static_cast<std::size_t>(data.labels[0])], std::string("0"));
    }

    void irisMeansAreFishers()
    {
        const Eigen::RowVectorXf means = load("iris").x.colwise().mean();

        // As published: 5.84, 3.05 (3.057 in the corrected data), 3.76, 1.20.
        const float expected[] = {5.843F, 3.057F, 3.758F, 1.199F};
        for (Eigen::Index k = 0; k < 4; ++k) {
            QVERIFY(std::abs(means[k] - expected[k]) < 0.001F);
        }
    }

    void classesOfTextHaveTheirNames()
    {
        QCOMPARE(load("iris").class_names, (std::vector<std::string>{"setosa", "versicolor", "virginica"}));
        QCOMPARE(load("breast_cancer").class_names, (std::vector<std::string>{"benign", "malignant"}));
        QCOMPARE(load("fashion").class_names.front(), std::string("T-shirt/top"));
    }

    void unknownNamesAreRefusedWithTheKnownOnes()
    {
        QVERIFY(findDataset("mnist") == nullptr);
        try {
            (void)load("mnist");
            QFAIL("was accepted");
        } catch (const Error& error) {
            QVERIFY(std::string(error.what()).find("'mnist'; there are digits, fashion")
                    != std::string::npos);
        }
    }
};

QTEST_APPLESS_MAIN(TestDatasetCatalog)
#include "tst_dataset_catalog.moc"
