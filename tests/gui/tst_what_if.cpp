// The What if dialog, driven like a person would.

#include "app/what_if_dialog.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/experiment_fixture.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>

using namespace lab;

namespace {

/// A slow node, and a run that is over in a moment.
Experiment unbalanced()
{
    Experiment experiment = test::smallExperiment(4);
    experiment.cluster.nodes[2].slowdown = 5;
    experiment.evaluate_every_updates = 1;
    experiment.stop = {.seconds = 20, .updates = {}, .samples = {}, .loss = {}};
    return experiment;
}

template <class Part> Part& in(WhatIfDialog& dialog, const char* name)
{
    auto* part = dialog.findChild<Part*>(QLatin1String(name));
    Q_ASSERT(part != nullptr);
    return *part;
}

} // namespace

class WhatIfTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSlowestNodeIsOfferedAndTheAnswerIsASentence()
    {
        WhatIfDialog dialog({unbalanced(), atSeconds(5), {}, {}});
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        QCOMPARE(in<QComboBox>(dialog, "whatIfObject").currentText(), QStringLiteral("n2"));
        QCOMPARE(in<QDoubleSpinBox>(dialog, "whatIfMoment").value(), 5.0);

        QTest::mouseClick(&in<QPushButton>(dialog, "whatIfStart"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.runner().isRunning(), 20'000);

        const QString answer = in<QLabel>(dialog, "whatIfAnswer").text();
        QVERIFY2(answer.startsWith(QStringLiteral("If n2 runs at normal speed from 5 s on, ")),
                 qPrintable(answer));
        QVERIFY2(answer.contains(QStringLiteral("wait 0 % of the time instead of 60 %")), qPrintable(answer));
        const auto& figures = in<QTableWidget>(dialog, "whatIfFigures");
        QCOMPARE(figures.item(2, 0)->text(), QStringLiteral("40"));          // 20 s in rounds of 0.5 s
        QCOMPARE(figures.item(2, 1)->text(), QStringLiteral("160"));         // 5 s of those, 15 s of 0.1 s
        QCOMPARE(figures.item(5, 1)->text(), QStringLiteral("n2 (12.0 s)")); // three waited 0.4 s ten times
    }

    void anotherStrategyTakesOver()
    {
        WhatIfDialog dialog({unbalanced(), atSeconds(2), {}, {}});
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        in<QComboBox>(dialog, "whatIfQuestion").setCurrentIndex(2);
        auto& object = in<QComboBox>(dialog, "whatIfObject");
        object.setCurrentIndex(object.findData(QStringLiteral("asp")));
        QVERIFY(object.findData(QStringLiteral("bsp")) < 0); // that is what runs already

        QTest::mouseClick(&in<QPushButton>(dialog, "whatIfStart"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.runner().isRunning(), 20'000);

        QVERIFY(in<QLabel>(dialog, "whatIfAnswer")
                    .text()
                    .startsWith(QStringLiteral("If ASP takes over from 2 s on")));
        QVERIFY(dialog.runner().branch().last.version > dialog.runner().asItWas().last.version);
    }

    void groupsAreOfferedWhereThereAreAny()
    {
        Experiment experiment = unbalanced();
        experiment.strategy.kind = "hybrid";
        const Partition groups{{NodeId{0}, NodeId{1}, NodeId{3}}, {NodeId{2}}};
        WhatIfDialog dialog({experiment, atSeconds(2), groups, {}});

        QCOMPARE(in<QComboBox>(dialog, "whatIfQuestion").count(), 4);
        in<QComboBox>(dialog, "whatIfQuestion").setCurrentIndex(3);
        QCOMPARE(in<QComboBox>(dialog, "whatIfObject").count(), 1); // a group of one cannot be split
    }

    void itCanBeStoppedAndClosedAtAnyMoment()
    {
        Experiment experiment = unbalanced();
        experiment.stop.seconds = 1e6;
        WhatIfDialog dialog({experiment, atSeconds(1), {}, {}});
        dialog.setAttribute(Qt::WA_DeleteOnClose, false);
        dialog.show();
        auto& start = in<QPushButton>(dialog, "whatIfStart");
        QTest::mouseClick(&start, Qt::LeftButton);
        QVERIFY(dialog.runner().isRunning());
        QTRY_VERIFY(dialog.runner().branch().last.version > 0);

        QTest::mouseClick(&start, Qt::LeftButton);
        QVERIFY(!dialog.runner().isRunning());
        QTest::mouseClick(&start, Qt::LeftButton); // again, and closed while both go on
        QTRY_VERIFY(dialog.runner().branch().last.version > 0);
    }

    void aBranchCanBeOpenedAsAnExperiment()
    {
        ShownWindow shown(unbalanced());
        shown.window.controller().setPace(std::nullopt);
        shown.action("run")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(shown.window.controller().state(), RunState::Finished, 20'000);

        shown.action("whatIf")->trigger();
        auto* dialog = shown.window.findChild<WhatIfDialog*>();
        QVERIFY(dialog != nullptr);
        QTest::mouseClick(&in<QPushButton>(*dialog, "openBranch"), Qt::LeftButton);

        const Experiment& opened = shown.window.document().experiment();
        QCOMPARE(opened.events.size(), std::size_t{1});
        QCOMPARE(opened.events[0].at, atSeconds(20));
        QVERIFY(shown.window.document().isModified());
    }
};

QTEST_MAIN(WhatIfTest)
#include "tst_what_if.moc"
