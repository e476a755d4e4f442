#include "app/document_files.h"
#include "app/recovery.h"
#include "app/safe_file.h"
#include "app/window_settings.h"
#include "core/base/error.h"
#include "tests/gui/answer.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/small_disk.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLockFile>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QUrl>

using namespace lab;

namespace {

QString recoveryFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + QStringLiteral("/straggler-lab/recovery");
}

} // namespace

/// Nothing that a person made is ever lost without their consent.
class TestFiles final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aFullDiskLeavesTheOldFileAndNothingElse();
    void targetsThatAreNoFilesAreRefused_data();
    void targetsThatAreNoFilesAreRefused();
    void aSymbolicLinkStaysOne();
    void anyNameSavesAndOpens_data();
    void anyNameSavesAndOpens();
    void savingElsewhereKeepsTheWayToTheData();
    void aFailedSaveLeavesTheDocumentUnsaved();
    void unsavedEditsAreAskedAbout();
    void aFileDroppedOnTheWindowOpens();
    void recentFilesAreTenNewestFirstAndGreyWhenGone();
    void aCrashLeavesACopyAndACleanEndNone();
    void theCopyOfARunningProgramIsNotOffered();
    void settingsOfAnotherVersionOrGarbageAreIgnored_data();
    void settingsOfAnotherVersionOrGarbageAreIgnored();
};

void TestFiles::init()
{
    QDir(recoveryFolder()).removeRecursively();
    QDir(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
         + QStringLiteral("/straggler-lab"))
        .removeRecursively();
}

void TestFiles::aFullDiskLeavesTheOldFileAndNothingElse()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.json"));
    writeWhole(path, "good");

    {
        const test::SmallDisk disk(100'000);
        QVERIFY_EXCEPTION_THROWN(writeWhole(path, QByteArray(3 << 20, 'x')), Error);
    }

    QCOMPARE(readWhole(path), QByteArray("good"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden),
             QStringList{QStringLiteral("a.json")});
}

void TestFiles::targetsThatAreNoFilesAreRefused_data()
{
    QTest::addColumn<QString>("target");
    QTest::newRow("folder") << QStringLiteral(".");
    QTest::newRow("no parent") << QStringLiteral("none/a.json");
    QTest::newRow("a file as a folder") << QStringLiteral("file/a.json");
    QTest::newRow("device") << QStringLiteral("/dev/null");
}

void TestFiles::targetsThatAreNoFilesAreRefused()
{
    QFETCH(QString, target);
    const QTemporaryDir folder;
    writeWhole(folder.filePath(QStringLiteral("file")), "x");
    const QString path = QDir(folder.path()).absoluteFilePath(target);

    try {
        writeWhole(path, "y");
        QFAIL("it was written");
    } catch (const Error& error) {
        QVERIFY2(QString::fromStdString(error.what()).startsWith(path), error.what());
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("file")});
}

void TestFiles::aSymbolicLinkStaysOne()
{
    const QTemporaryDir folder;
    const QString target = folder.filePath(QStringLiteral("target.json"));
    const QString link = folder.filePath(QStringLiteral("link.json"));
    writeWhole(target, "old");
    QVERIFY(QFile::link(target, link));

    writeWhole(link, "new");

    QVERIFY(QFileInfo(link).isSymLink());
    QCOMPARE(readWhole(target), QByteArray("new"));
}

void TestFiles::anyNameSavesAndOpens_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("Chinese, umlaut, quote, space") << QStringLiteral("实验 ü'x\" #1.json");
    QTest::newRow("dash") << QStringLiteral("-rf.json");
    QTest::newRow("per cent") << QStringLiteral("50%20.json");
    QTest::newRow("long") << QString(245, QLatin1Char('a')) + QStringLiteral(".json");
}

void TestFiles::anyNameSavesAndOpens()
{
    QFETCH(QString, name);
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    ShownWindow shown;

    QVERIFY(shown.window.files().saveTo(path));
    QCOMPARE(shown.window.document().path(), path);
    shown.window.open(loadExperiment(LAB_SOURCE_DIR "/experiments/balanced.json"), {});
    QVERIFY(shown.window.files().open(path));

    QCOMPARE(shown.window.document().path(), path);
    QCOMPARE(shown.window.document().experiment().title, twoGroups().title);
    QVERIFY(!shown.window.document().isModified());
    QVERIFY(shown.window.windowTitle().contains(name));
}

void TestFiles::savingElsewhereKeepsTheWayToTheData()
{
    const QTemporaryDir folder;
    QDir(folder.path()).mkdir(QStringLiteral("data"));
    QDir(folder.path()).mkdir(QStringLiteral("other"));
    writeWhole(folder.filePath(QStringLiteral("data/rows.csv")),
               "a,b,c\n1,2,0\n3,4,1\n5,6,0\n7,8,1\n9,1,0\n2,2,1\n");
    Experiment experiment = twoGroups();
    experiment.folder = folder.path().toStdString();
    experiment.data.source = CsvSource{"data/rows.csv", "last"};
    experiment.data.validation = 0;
    ShownWindow shown(experiment);

    QVERIFY(shown.window.files().saveTo(folder.filePath(QStringLiteral("other/x.json"))));

    const Experiment again = loadExperiment(folder.filePath(QStringLiteral("other/x.json")).toStdString());
    QCOMPARE(std::get<CsvSource>(again.data.source).csv, std::string("../data/rows.csv"));
    QVERIFY(again == shown.window.document().experiment());
}

void TestFiles::aFailedSaveLeavesTheDocumentUnsaved()
{
    const QTemporaryDir folder;
    ShownWindow shown;
    shown.cluster()->select({NodeId{0}});
    shown.action("duplicate")->trigger();
    QVERIFY(shown.window.document().isModified());

    QVERIFY(!shown.window.files().saveTo(folder.filePath(QStringLiteral("none/x.json"))));

    QVERIFY(shown.window.document().isModified());
    QVERIFY(shown.window.document().path().isEmpty());
    const auto* message = shown.window.findChild<QLabel*>(QStringLiteral("message"));
    QVERIFY(message->isVisible() && message->text().contains(QStringLiteral("none/x.json")));
}

void TestFiles::unsavedEditsAreAskedAbout()
{
    ShownWindow shown;
    shown.cluster()->select({NodeId{0}});
    shown.action("duplicate")->trigger();
    const Experiment edited = shown.window.document().experiment();

    answer(QStringLiteral("Cancel"));
    shown.window.close();
    QVERIFY(shown.window.isVisible());
    answer(QStringLiteral("Cancel"));
    shown.action("new")->trigger();
    QVERIFY(shown.window.document().experiment() == edited);
    answer(QStringLiteral("Discard"));
    shown.action("new")->trigger();
    QVERIFY(shown.window.document().experiment() != edited);
    QVERIFY(!shown.window.document().isModified());
    QVERIFY(shown.window.close()); // and nobody asks
}

void TestFiles::aFileDroppedOnTheWindowOpens()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("实验 %41.json"));
    writeWhole(path, readWhole(QStringLiteral(LAB_SOURCE_DIR "/experiments/balanced.json")));
    ShownWindow shown;

    QVERIFY(dropFile(shown.window, path));

    QCOMPARE(shown.window.document().path(), path);
}

void TestFiles::recentFilesAreTenNewestFirstAndGreyWhenGone()
{
    const QTemporaryDir folder;
    ShownWindow shown;
    for (int i = 0; i < 12; ++i) {
        QVERIFY(shown.window.files().saveTo(folder.filePath(QStringLiteral("%1.json").arg(i))));
    }
    QFile::remove(folder.filePath(QStringLiteral("5.json")));
    QMenu menu;

    shown.window.files().fillRecent(menu);

    const QList<QAction*> actions = menu.actions();
    QCOMPARE(actions.size(), 12); // ten, a line, clear
    QVERIFY(actions[0]->text().startsWith(QStringLiteral("11.json")));
    QVERIFY(!actions[6]->isEnabled() && actions[6]->text().startsWith(QStringLiteral("5.json")));
    actions.back()->trigger();
    QVERIFY(shown.window.files().recent().isEmpty());
}

void TestFiles::aCrashLeavesACopyAndACleanEndNone()
{
    const auto copies = [] {
        return QDir(recoveryFolder()).entryList({QStringLiteral("*.json")}, QDir::Files);
    };
    Experiment lost = twoGroups();
    {
        Document document;
        document.open(twoGroups(), QStringLiteral("/somewhere/实验.json"));
        Recovery recovery(document);
        QVERIFY(recovery.keepUp());
        QVERIFY(copies().isEmpty()); // nothing to lose yet
        lost.seed = 99;
        document.edit(QStringLiteral("edit"), lost, {}, 0);
        QVERIFY(recovery.keepUp());
        QCOMPARE(copies().size(), 1);
        QFile::copy(QDir(recoveryFolder()).filePath(copies().front()),
                    QDir(recoveryFolder())
                        .filePath(QStringLiteral("crashed.json"))); // as a process that died leaves it
    }
    QCOMPARE(copies(), QStringList{QStringLiteral("crashed.json")});
    writeWhole(QDir(recoveryFolder()).filePath(QStringLiteral("crashed.origin")), "/somewhere/实验.json");

    ShownWindow shown;
    answer(QStringLiteral("Keep it for later"));
    shown.window.offerRecovery();
    QCOMPARE(copies().size(), 1);
    answer(QStringLiteral("Recover"));
    shown.window.offerRecovery();

    QCOMPARE(shown.window.document().experiment().seed, std::uint64_t{99});
    QCOMPARE(shown.window.document().path(), QStringLiteral("/somewhere/实验.json"));
    QVERIFY(shown.window.document().isModified());
    QVERIFY(copies().isEmpty());
}

void TestFiles::theCopyOfARunningProgramIsNotOffered()
{
    Document document;
    document.open(twoGroups(), {});
    Recovery recovery(document);
    Experiment edited = twoGroups();
    edited.seed = 5;
    document.edit(QStringLiteral("edit"), edited, {}, 0);
    QVERIFY(recovery.keepUp());

    QVERIFY(Recovery::leftovers().empty());
}

void TestFiles::settingsOfAnotherVersionOrGarbageAreIgnored_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("none") << QByteArray();
    QTest::newRow("the future") << QByteArray("[General]\nversion=99\n[look]\ntheme=2\n");
    QTest::newRow("binary") << QByteArray("\x00\x01\xff\xfe\x00garbage\n[[[", 16);
    QTest::newRow("wrong types") << QByteArray(
        "[General]\nversion=1\n[window]\ngeometry=@ByteArray(rubbish)\ndocks=@ByteArray(x)\n[look]\ntheme="
        "many\ntext_size=-3\n[files]\nrecent=@Invalid()\n");
}

void TestFiles::settingsOfAnotherVersionOrGarbageAreIgnored()
{
    QFETCH(QByteArray, bytes);
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)
        + QStringLiteral("/straggler-lab");
    QDir().mkpath(folder);
    if (!bytes.isEmpty()) {
        writeWhole(folder + QStringLiteral("/straggler-lab.ini"), bytes);
    }

    MainWindow window;
    window.open(twoGroups(), {});
    window.remember();
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));

    QCOMPARE(window.appearance().textSize(), 100);
    QVERIFY(window.appearance().theme() == ThemeChoice::System);
    QVERIFY(window.findChild<QWidget*>(QStringLiteral("runButton"))->isVisible());
    QVERIFY(QApplication::activeModalWidget() == nullptr);
    window.close();
    QVERIFY(QFileInfo::exists(folder + QStringLiteral("/straggler-lab.ini")));
}

QTEST_MAIN(TestFiles)
#include "tst_files.moc"
