#include "widgets/cluster_layout.h"

#include <QTest>

using namespace lab;

namespace {

Partition groupsOf(const QList<int>& sizes)
{
    Partition groups;
    std::size_t next = 0;
    for (const int size : sizes) {
        groups.emplace_back();
        for (int i = 0; i < size; ++i) {
            groups.back().push_back(NodeId{next++});
        }
    }
    return groups;
}

} // namespace

/// Nothing on the canvas may overlap or leave it, however many nodes there are.
class TestClusterLayout final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cardsStayInTheirBoxesAndBoxesApart_data();
    void cardsStayInTheirBoxesAndBoxesApart();
    void aFewNodesGetFullCards();
    void aGroupWithoutNodesTakesNoRoom();
};

void TestClusterLayout::cardsStayInTheirBoxesAndBoxesApart_data()
{
    QTest::addColumn<QList<int>>("sizes");
    QTest::addColumn<QSizeF>("room");
    QTest::newRow("picture") << QList<int>{4, 3, 2} << QSizeF(702, 360);
    QTest::newRow("one node") << QList<int>{1} << QSizeF(702, 360);
    QTest::newRow("asynchronous") << QList<int>(12, 1) << QSizeF(702, 360);
    QTest::newRow("64 in one") << QList<int>{64} << QSizeF(702, 360);
    QTest::newRow("64 alone") << QList<int>(64, 1) << QSizeF(702, 360);
    QTest::newRow("500") << QList<int>{200, 200, 100} << QSizeF(702, 360);
    QTest::newRow("500 alone in little room") << QList<int>(500, 1) << QSizeF(300, 200);
    QTest::newRow("uneven") << QList<int>{1, 30, 2, 0, 5} << QSizeF(500, 260);
}

void TestClusterLayout::cardsStayInTheirBoxesAndBoxesApart()
{
    QFETCH(QList<int>, sizes);
    QFETCH(QSizeF, room);
    const Partition groups = groupsOf(sizes);
    std::size_t nodes = 0;
    for (const auto& members : groups) {
        nodes += members.size();
    }

    const ClusterLayout layout = layOutCluster(groups, nodes, room);

    const QRectF canvas(QPointF(0, 0), layout.extent);
    QVERIFY(canvas.contains(layout.server));
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (groups[g].empty()) {
            continue;
        }
        QVERIFY(canvas.contains(layout.groups[g]));
        QVERIFY(!layout.groups[g].intersects(layout.server));
        for (std::size_t other = 0; other < g; ++other) {
            QVERIFY(!layout.groups[g].intersects(layout.groups[other]));
        }
        for (const NodeId node : groups[g]) {
            QVERIFY(layout.groups[g].contains(layout.nodes[node.index()]));
            for (const NodeId neighbour : groups[g]) {
                QVERIFY(neighbour == node
                        || !layout.nodes[node.index()].intersects(layout.nodes[neighbour.index()]));
            }
        }
    }
}

void TestClusterLayout::aFewNodesGetFullCards()
{
    QCOMPARE(layOutCluster(groupsOf({4, 3, 2}), 9, {702, 360}).size, CardSize::Full);
    QCOMPARE(layOutCluster(groupsOf({4, 4, 4}), 12, {702, 360}).size, CardSize::Full);
}

void TestClusterLayout::aGroupWithoutNodesTakesNoRoom()
{
    const ClusterLayout layout = layOutCluster(groupsOf({2, 0, 2}), 4, {702, 360});

    QVERIFY(layout.groups[1].isNull());
}

QTEST_APPLESS_MAIN(TestClusterLayout)
#include "tst_cluster_layout.moc"
