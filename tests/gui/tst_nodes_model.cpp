#include "widgets/nodes_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace lab;

namespace {

RunHistory threeNodes()
{
    RunHistory history;
    history.begin({QStringLiteral("n1"), QStringLiteral("n2"), QStringLiteral("n3")});
    Frame frame;
    frame.nodes.resize(3);
    frame.groups = {{{NodeId{0}, NodeId{1}}, 0, 0, {}}, {{NodeId{2}}, 0, 0, {}}};
    frame.nodes[2].activity = Activity::Down;
    frame.nodes[1].slowdown = 4;
    history.append(frame);
    return history;
}

} // namespace

class TestNodesModel final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void obeysTheRulesOfModels();
    void showsWhatTheCanvasShows();
    void asksForWhatIsTypedAndRefusesTheRest();
};

void TestNodesModel::obeysTheRulesOfModels()
{
    NodesModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const RunHistory history = threeNodes();

    model.begin(history);
    model.refresh();
    RunHistory smaller;
    smaller.begin({QStringLiteral("alone")});
    model.begin(smaller);
    model.refresh();

    QCOMPARE(model.rowCount(), 1);
}

void TestNodesModel::showsWhatTheCanvasShows()
{
    NodesModel model;
    const RunHistory history = threeNodes();
    model.begin(history);

    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };

    QCOMPARE(text(0, NodesModel::Name), QStringLiteral("n1"));
    QCOMPARE(text(2, NodesModel::Group), QStringLiteral("B"));
    QCOMPARE(text(2, NodesModel::State), QStringLiteral("failed"));
    QCOMPARE(text(1, NodesModel::Slowdown), QStringLiteral("4×"));
}

void TestNodesModel::asksForWhatIsTypedAndRefusesTheRest()
{
    NodesModel model;
    const RunHistory history = threeNodes();
    model.begin(history);
    QSignalSpy moves(&model, &NodesModel::moveRequested);
    QSignalSpy slowdowns(&model, &NodesModel::slowdownRequested);

    QVERIFY(model.setData(model.index(0, NodesModel::Group), QStringLiteral("b"), Qt::EditRole));
    QVERIFY(model.setData(model.index(0, NodesModel::Group), QStringLiteral("C"), Qt::EditRole)); // a new one
    QVERIFY(!model.setData(model.index(0, NodesModel::Group), QStringLiteral("D"), Qt::EditRole));
    QVERIFY(!model.setData(model.index(0, NodesModel::Group), QStringLiteral("?"), Qt::EditRole));
    QVERIFY(model.setData(model.index(1, NodesModel::Slowdown), 2.5, Qt::EditRole));
    QVERIFY(!model.setData(model.index(1, NodesModel::Slowdown), -1.0, Qt::EditRole));
    QVERIFY(!model.setData(model.index(1, NodesModel::Name), QStringLiteral("x"), Qt::EditRole));

    QCOMPARE(moves.size(), 2);
    QCOMPARE(slowdowns.size(), 1);
    QCOMPARE(slowdowns.at(0).at(1).toDouble(), 2.5);
}

QTEST_APPLESS_MAIN(TestNodesModel)
#include "tst_nodes_model.moc"
