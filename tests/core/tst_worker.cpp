#include "core/strategy/worker.h"
#include "tests/support/experiment_fixture.h"
#include "tests/support/outbox_reading.h"

#include <QTest>

#include <vector>

using namespace lab;
using lab::test::all;
using lab::test::atMs;
using lab::test::ms;
using lab::test::number;
using lab::test::numberIn;

namespace {

constexpr NodeId k_self{2};
constexpr ActorId k_server{5};

Message questionOf(Version version, std::int64_t round, Order order, float at = 0)
{
    order.pieces = {{.stream = k_self, .first = 100 * round, .count = 8, .coefficient = 1}};
    return {.from = k_server,
            .version = version,
            .body = number(at),
            .order = std::move(order),
            .round = round,
            .task = 0,
            .took = {}};
}

Outbox receive(Worker& worker, Message message)
{
    Outbox out(atMs(0));
    worker.receive(std::move(message), out);
    return out;
}

Outbox computed(Worker& worker, float value, TaskId task, Duration took)
{
    Outbox out(atMs(0));
    worker.computed({.value = number(value), .task = task, .took = took}, out);
    return out;
}

} // namespace

class TestWorker final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOrderIsComputedAsItCame();
    void theAnswerCarriesWhatTheQuestionWas();
    void afterThePushItWaits();
    void aNewerOrderCancelsTheOneInHand();
    void aNewerOrderWaitsWhereNothingCanBePreempted();
    void onlyTheNewestOfTheWaitingOrdersIsDone();
    void goingOnTakesTheNextRowsAtTheSameParameters();
    void aGoingOnWorkerIsStoppedByANewerOrder();
    void localStepsMoveItsOwnCopyAndPushTheSum();
    void aNewerOrderForgetsTheLocalSteps();
};

void TestWorker::anOrderIsComputedAsItCame()
{
    Worker worker(k_self, k_server, true);

    Outbox out = receive(worker, questionOf(3, 1, {.pieces = {}, .work = 2.5}, 7));

    QCOMPARE(out.actions().size(), std::size_t{1});
    const auto compute = all<Outbox::Compute>(out).at(0);
    QCOMPARE(numberIn(compute.at), 7.0F);
    QCOMPARE(compute.order.work, 2.5);
    QCOMPARE(compute.order.pieces.at(0).first, std::int64_t{100});
    QVERIFY(!compute.part_of);
}

void TestWorker::theAnswerCarriesWhatTheQuestionWas()
{
    Worker worker(k_self, k_server, true);
    (void)receive(worker, questionOf(3, 1, {.pieces = {}, .work = 2.5}));

    Outbox out = computed(worker, 4, 17, ms(250));

    QCOMPARE(out.actions().size(), std::size_t{1});
    const auto send = all<Outbox::Send>(out).at(0);
    QVERIFY(send.to == k_server);
    QVERIFY(send.message.from == workerOf(k_self));
    QCOMPARE(send.message.version, Version{3});
    QCOMPARE(send.message.round, std::int64_t{1});
    QCOMPARE(send.message.task, TaskId{17});
    QVERIFY(send.message.took == ms(250));
    QCOMPARE(numberIn(send.message.body), 4.0F);
    QCOMPARE(send.message.order.work, 2.5);
    QCOMPARE(send.message.order.pieces.at(0).first, std::int64_t{100});
}

void TestWorker::afterThePushItWaits()
{
    Worker worker(k_self, k_server, true);
    (void)receive(worker, questionOf(0, 1, {}));
    (void)computed(worker, 1, 1, ms(10));

    Outbox out = receive(worker, questionOf(1, 2, {}));

    QCOMPARE(all<Outbox::Cancel>(out).size(), std::size_t{0});
    QCOMPARE(all<Outbox::Compute>(out).size(), std::size_t{1});
}

void TestWorker::aNewerOrderCancelsTheOneInHand()
{
    Worker worker(k_self, k_server, true);
    (void)receive(worker, questionOf(0, 1, {}));

    Outbox out = receive(worker, questionOf(1, 2, {}));

    QVERIFY(std::holds_alternative<Outbox::Cancel>(out.actions().at(0)));
    QCOMPARE(all<Outbox::Compute>(out).at(0).order.pieces.at(0).first, std::int64_t{200});
    Outbox push = computed(worker, 1, 9, ms(10));
    QCOMPARE(all<Outbox::Send>(push).at(0).message.round, std::int64_t{2});
}

void TestWorker::aNewerOrderWaitsWhereNothingCanBePreempted()
{
    Worker worker(k_self, k_server, false);
    (void)receive(worker, questionOf(0, 1, {}));

    Outbox nothing = receive(worker, questionOf(1, 2, {}));
    QVERIFY(nothing.actions().empty());

    Outbox out = computed(worker, 1, 8, ms(10)); // useless by now
    QCOMPARE(all<Outbox::Send>(out).size(), std::size_t{0});
    QCOMPARE(all<Outbox::Discard>(out).at(0).task, TaskId{8});
    QVERIFY(all<Outbox::Discard>(out).at(0).node == k_self);
    QCOMPARE(all<Outbox::Compute>(out).at(0).order.pieces.at(0).first, std::int64_t{200});

    Outbox push = computed(worker, 1, 9, ms(20));
    QCOMPARE(all<Outbox::Send>(push).at(0).message.round, std::int64_t{2});
    QVERIFY(all<Outbox::Send>(push).at(0).message.took
            == ms(20)); // the useless task's time is not part of it
}

void TestWorker::onlyTheNewestOfTheWaitingOrdersIsDone()
{
    Worker worker(k_self, k_server, false);
    (void)receive(worker, questionOf(0, 1, {}));
    (void)receive(worker, questionOf(1, 2, {}));
    (void)receive(worker, questionOf(2, 3, {}));

    Outbox out = computed(worker, 1, 8, ms(10));
    QCOMPARE(all<Outbox::Compute>(out).at(0).order.pieces.at(0).first, std::int64_t{300});

    Outbox push = computed(worker, 1, 9, ms(10));
    QCOMPARE(all<Outbox::Send>(push).at(0).message.round, std::int64_t{3});
    QCOMPARE(all<Outbox::Compute>(push).size(), std::size_t{0}); // nothing else waits
}

void TestWorker::goingOnTakesTheNextRowsAtTheSameParameters()
{
    Worker worker(k_self, k_server, true);
    (void)receive(worker, questionOf(3, 1, {.pieces = {}, .goes_on = true}, 7));

    for (std::int64_t turn = 0; turn < 3; ++turn) {
        Outbox out = computed(worker, 1, turn + 1, ms(10));

        const auto push = all<Outbox::Send>(out).at(0).message;
        QCOMPARE(push.order.pieces.at(0).first, 100 + 8 * turn);
        QCOMPARE(push.version, Version{3});
        QVERIFY(push.took == ms(10));
        const auto again = all<Outbox::Compute>(out).at(0);
        QCOMPARE(again.order.pieces.at(0).first, 100 + 8 * (turn + 1));
        QCOMPARE(numberIn(again.at), 7.0F);
        QVERIFY(!again.part_of); // a task of its own
    }
}

void TestWorker::aGoingOnWorkerIsStoppedByANewerOrder()
{
    Worker worker(k_self, k_server, true);
    (void)receive(worker, questionOf(0, 1, {.pieces = {}, .goes_on = true}));
    (void)computed(worker, 1, 1, ms(10));

    Outbox out = receive(worker, questionOf(1, 2, {}));

    QCOMPARE(all<Outbox::Cancel>(out).size(), std::size_t{1});
    Outbox push = computed(worker, 1, 3, ms(10));
    QCOMPARE(all<Outbox::Compute>(push).size(), std::size_t{0});
}

void TestWorker::localStepsMoveItsOwnCopyAndPushTheSum()
{
    // w <- w - 0.5 g after each of the first two steps; g = 2, 4, 8: at 10, 9, 7; the push is 14.
    Worker worker(k_self, k_server, true);
    Outbox first = receive(worker, questionOf(3, 1, {.pieces = {}, .local_steps = 3, .local_rate = 0.5}, 10));
    QCOMPARE(numberIn(all<Outbox::Compute>(first).at(0).at), 10.0F);

    Outbox second = computed(worker, 2, 21, ms(10));
    QCOMPARE(all<Outbox::Send>(second).size(), std::size_t{0});
    QCOMPARE(numberIn(all<Outbox::Compute>(second).at(0).at), 9.0F);
    QCOMPARE(all<Outbox::Compute>(second).at(0).order.pieces.at(0).first, std::int64_t{108});
    QCOMPARE(all<Outbox::Compute>(second).at(0).part_of.value(), TaskId{21});

    Outbox third = computed(worker, 4, 21, ms(20));
    QCOMPARE(numberIn(all<Outbox::Compute>(third).at(0).at), 7.0F);
    QCOMPARE(all<Outbox::Compute>(third).at(0).order.pieces.at(0).first, std::int64_t{116});

    Outbox last = computed(worker, 8, 21, ms(40));
    QCOMPARE(all<Outbox::Compute>(last).size(), std::size_t{0});
    const auto push = all<Outbox::Send>(last).at(0).message;
    QCOMPARE(numberIn(push.body), 14.0F);
    QCOMPARE(push.version, Version{3});
    QCOMPARE(push.task, TaskId{21});
    QVERIFY(push.took == ms(70));
}

void TestWorker::aNewerOrderForgetsTheLocalSteps()
{
    Worker worker(k_self, k_server, true);
    (void)receive(worker, questionOf(0, 1, {.pieces = {}, .local_steps = 2, .local_rate = 1}));
    (void)computed(worker, 100, 1, ms(10));
    (void)receive(worker, questionOf(1, 2, {.pieces = {}, .local_steps = 2, .local_rate = 1}));

    (void)computed(worker, 2, 2, ms(10));
    Outbox out = computed(worker, 3, 2, ms(10));

    QCOMPARE(numberIn(all<Outbox::Send>(out).at(0).message.body), 5.0F);
    QVERIFY(all<Outbox::Send>(out).at(0).message.took == ms(20));
}

QTEST_APPLESS_MAIN(TestWorker)
#include "tst_worker.moc"
