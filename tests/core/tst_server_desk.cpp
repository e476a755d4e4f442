#include "core/engine/server_desk.h"
#include "tests/support/experiment_fixture.h"

#include <QTest>

using namespace lab;
using lab::test::atMs;
using lab::test::ms;

class TestServerDesk final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void withoutANetworkNothingTakesTime();
    void aFlightTakesLatencyAndBytesOverBandwidth();
    void theLinkServesFirstComeFirstServed();
    void theServerServesFirstComeFirstServed();
    void utilisationIsTheBusyShareSoFar();
};

void TestServerDesk::withoutANetworkNothingTakesTime()
{
    const ServerDesk desk(ClusterSpec{}, 1'000'000);

    QVERIFY(desk.flight() == ms(0));
    QVERIFY(!desk.isLinkShared());
    QVERIFY(!desk.takesTime());
    QCOMPARE(desk.utilisation(atMs(100)), 0.0);
}

void TestServerDesk::aFlightTakesLatencyAndBytesOverBandwidth()
{
    ClusterSpec cluster;
    cluster.network = Network{.latency = 0.003, .bandwidth = 2e6, .server_bandwidth = std::nullopt};
    const ServerDesk desk(cluster, 14'000);

    QVERIFY(desk.flight() == ms(3 + 7)); // 14,000 bytes at 2 MB/s
    QVERIFY(!desk.isLinkShared());
}

void TestServerDesk::theLinkServesFirstComeFirstServed()
{
    ClusterSpec cluster;
    cluster.network = Network{.latency = 0, .bandwidth = 1e18, .server_bandwidth = 1e6};
    ServerDesk desk(cluster, 20'000); // 20 ms each

    QVERIFY(desk.isLinkShared());
    QVERIFY(desk.takeLink(atMs(100)) == atMs(120)); // free
    QVERIFY(desk.takeLink(atMs(100)) == atMs(140)); // behind the first
    QVERIFY(desk.takeLink(atMs(135)) == atMs(160)); // behind the second
    QVERIFY(desk.takeLink(atMs(200)) == atMs(220)); // free again
    QCOMPARE(desk.utilisation(atMs(220)), 0.0);     // the link is not the server
}

void TestServerDesk::theServerServesFirstComeFirstServed()
{
    ClusterSpec cluster;
    cluster.server_seconds = 0.01;
    ServerDesk desk(cluster, 0);

    QVERIFY(desk.takesTime());
    QVERIFY(desk.takeService(atMs(0)) == atMs(10));
    QVERIFY(desk.takeService(atMs(0)) == atMs(20));
    QVERIFY(desk.takeService(atMs(50)) == atMs(60));
}

void TestServerDesk::utilisationIsTheBusyShareSoFar()
{
    ClusterSpec cluster;
    cluster.server_seconds = 0.01;
    ServerDesk desk(cluster, 0);
    (void)desk.takeService(atMs(10));
    (void)desk.takeService(atMs(10));
    (void)desk.takeService(atMs(10)); // busy from 10 to 40, of which only what is past counts

    QCOMPARE(desk.utilisation(atMs(0)), 0.0);
    QCOMPARE(desk.utilisation(atMs(10)), 0.0);
    QCOMPARE(desk.utilisation(atMs(20)), 0.5);
    QCOMPARE(desk.utilisation(atMs(40)), 0.75);
    QCOMPARE(desk.utilisation(atMs(60)), 0.5);
}

QTEST_APPLESS_MAIN(TestServerDesk)
#include "tst_server_desk.moc"
