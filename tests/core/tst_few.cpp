#include "core/base/few.h"

#include <QTest>

#include <algorithm>
#include <vector>

using namespace lab;

class TestFew : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void holdsWhatAVectorHolds()
    {
        Few<int, 2> few;
        std::vector<int> list;
        for (int i = 0; i < 7; ++i) {
            few.push_back(i);
            list.push_back(i);
            QCOMPARE(few.size(), list.size());
            QVERIFY(std::equal(few.begin(), few.end(), list.begin(), list.end()));
        }
        few.clear();
        QVERIFY(few.empty());
        few.push_back(9);
        QCOMPARE(few.at(0), 9);
    }

    void copiesAndMovesAreTheirOwn()
    {
        for (const std::vector<int>& values : {std::vector<int>{}, {1}, {1, 2, 3}}) {
            Few<int> few = values;
            Few<int> copy = few;
            copy.push_back(5);
            QVERIFY(std::equal(few.begin(), few.end(), values.begin(), values.end()));
            const Few<int> moved = std::move(few);
            QVERIFY(std::equal(moved.begin(), moved.end(), values.begin(), values.end()));
            few = {7};
            QCOMPARE(few.size(), std::size_t{1});
            QCOMPARE(few[0], 7);
        }
    }
};

QTEST_APPLESS_MAIN(TestFew)
#include "tst_few.moc"
