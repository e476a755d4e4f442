#include "app/command_line.h"

#include <QTest>

#include <string>
#include <variant>
#include <vector>

using namespace lab;

namespace {

Command parse(const std::vector<std::string>& arguments) { return parseCommandLine(arguments); }

} // namespace

class TestCommandLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nothingOpensTheWindow();
    void runHasItsOptions();
    void valuesMayFollowAnEqualsSign();
    void wordsAfterDashesAreNames();
    void listKnowsFourLists();
    void validateTakesFiles();
    void helpAndVersionWinEverywhere();
    void helpNamesEveryOption();
    void sweepHasItsOptions();
    void mergeTakesFolders();
    void exportHasItsOptions();
    void mistakesAreSaid_data();
    void mistakesAreSaid();
};

void TestCommandLine::nothingOpensTheWindow()
{
    QVERIFY(!std::get<WindowCommand>(parse({})).file);
    QCOMPARE(std::get<WindowCommand>(parse({"a.json"})).file.value(), std::string("a.json"));
    QVERIFY(!std::get<WindowCommand>(parse({"a.json"})).starts);
    QVERIFY(std::get<WindowCommand>(parse({"--start", "a.json"})).starts);
    QVERIFY(std::holds_alternative<UsageError>(parse({"run", "a.json", "--start"})));
    QVERIFY(std::holds_alternative<UsageError>(parse({"list", "data", "--start"})));
}

void TestCommandLine::runHasItsOptions()
{
    const auto command = std::get<RunCommand>(
        parse({"run", "--quiet", "a.json", "--seed", "18446744073709551615", "--set", "title=a=b", "--out",
               "d", "--force", "--threads", "2", "--isa", "baseline", "--set", "x=", "--clock", "virtual"}));

    QCOMPARE(command.experiment, std::string("a.json"));
    QCOMPARE(command.out.value(), std::string("d"));
    QCOMPARE(command.threads, 2);
    QCOMPARE(command.instruction_set, InstructionSet::Baseline);
    QVERIFY(command.may_replace);
    QVERIFY(command.is_quiet);
    QCOMPARE(command.overrides.size(), std::size_t{3});
    QCOMPARE(command.overrides[0].value, std::string("\"18446744073709551615\""));
    QCOMPARE(command.overrides[1].path, std::string("title"));
    QCOMPARE(command.overrides[1].value, std::string("a=b"));
    QCOMPARE(command.overrides[2].value, std::string());
}

void TestCommandLine::valuesMayFollowAnEqualsSign()
{
    const auto command = std::get<RunCommand>(parse({"run", "--out=a=b", "--set=a.b=1", "x"}));

    QCOMPARE(command.out.value(), std::string("a=b"));
    QCOMPARE(command.overrides.at(0).path, std::string("a.b"));
    QCOMPARE(command.overrides.at(0).value, std::string("1"));
}

void TestCommandLine::wordsAfterDashesAreNames()
{
    QCOMPARE(std::get<WindowCommand>(parse({"--", "run"})).file.value(), std::string("run"));
    QCOMPARE(std::get<RunCommand>(parse({"run", "--", "--quiet"})).experiment, std::string("--quiet"));
    QCOMPARE(std::get<ValidateCommand>(parse({"validate", "-", "--", "--", "-x"})).files,
             (std::vector<std::string>{"-", "--", "-x"}));
}

void TestCommandLine::listKnowsFourLists()
{
    QVERIFY(std::get<ListCommand>(parse({"list", "strategies"})).what == ListCommand::What::Strategies);
    QVERIFY(std::get<ListCommand>(parse({"list", "models"})).what == ListCommand::What::Models);
    QVERIFY(std::get<ListCommand>(parse({"list", "data"})).what == ListCommand::What::Data);
    QVERIFY(std::get<ListCommand>(parse({"list", "experiments"})).what == ListCommand::What::Experiments);
}

void TestCommandLine::validateTakesFiles()
{
    QCOMPARE(std::get<ValidateCommand>(parse({"validate", "a", "b"})).files,
             (std::vector<std::string>{"a", "b"}));
}

void TestCommandLine::helpAndVersionWinEverywhere()
{
    QVERIFY(std::holds_alternative<HelpCommand>(parse({"--help"})));
    QVERIFY(std::holds_alternative<HelpCommand>(parse({"run", "--help"})));
    QVERIFY(std::holds_alternative<VersionCommand>(parse({"--version"})));
    QVERIFY(std::holds_alternative<WindowCommand>(parse({"--", "--help"})));
}

void TestCommandLine::helpNamesEveryOption()
{
    const std::string help = helpText();

    for (const char* part :
         {"--out DIR", "--isa baseline|v3|v4", "--seed N", "--set PATH=VALUE", "--clock", "--threads N",
          "--quiet", "--force", "--help", "--version", "run EXPERIMENT",
          "list strategies|models|data|experiments", "validate FILE...", "sweep SWEEP --out DIR",
          "--slice I/N", "merge DIR... --out DIR", "export SESSION --out DIR", "--formats LIST", "--run N"}) {
        QVERIFY2(help.find(part) != std::string::npos, part);
    }
    QVERIFY(help.ends_with('\n'));
}

void TestCommandLine::sweepHasItsOptions()
{
    const auto command = std::get<SweepCommand>(parse({"sweep", "s.json", "--out", "d", "--slice", "3/8",
                                                       "--threads", "2", "--quiet", "--isa", "baseline"}));
    const auto plain = std::get<SweepCommand>(parse({"sweep", "s.json", "--out", "d"}));

    QCOMPARE(command.file, std::string("s.json"));
    QCOMPARE(command.out, std::string("d"));
    QCOMPARE(command.slice.part, std::size_t{3});
    QCOMPARE(command.slice.of, std::size_t{8});
    QCOMPARE(command.threads, 2);
    QVERIFY(command.is_quiet);
    QCOMPARE(command.instruction_set, InstructionSet::Baseline);
    QCOMPARE(plain.instruction_set, bestInstructionSet());
    QVERIFY(plain.slice.holds(0) && plain.slice.holds(1));
}

void TestCommandLine::mergeTakesFolders()
{
    const auto command = std::get<MergeCommand>(parse({"merge", "a", "b", "--out", "d"}));

    QCOMPARE(command.parts, (std::vector<std::string>{"a", "b"}));
    QCOMPARE(command.out, std::string("d"));
}

void TestCommandLine::exportHasItsOptions()
{
    const auto command = std::get<ExportCommand>(
        parse({"export", "s.slab", "--out", "d", "--formats", "svg,csv,svg", "--run", "3", "--force"}));
    const auto plain = std::get<ExportCommand>(parse({"export", "s.slab", "--out", "d"}));

    QCOMPARE(command.session, std::string("s.slab"));
    QCOMPARE(command.out, std::string("d"));
    QCOMPARE(command.formats, (std::vector<std::string>{"svg", "csv"}));
    QCOMPARE(command.run.value(), std::int64_t{3});
    QVERIFY(command.may_replace);
    QCOMPARE(plain.formats.size(), k_export_formats.size());
    QVERIFY(!plain.run && !plain.may_replace);
}

void TestCommandLine::mistakesAreSaid_data()
{
    QTest::addColumn<QByteArrayList>("arguments");
    QTest::addColumn<QByteArray>("said");
    const auto row = [](const QByteArrayList& arguments, const char* said) {
        QTest::newRow(arguments.join(' ')) << arguments << QByteArray(said);
    };
    row({"run"}, "run: needs the name of an experiment");
    row({"run", "a", "b"}, "run: takes one experiment, not also \"b\"");
    row({"run", "a", "--sed", "1"}, "--sed: there is no such option; did you mean --seed?");
    row({"run", "a", "-x"}, "-x: there is no such option; see --help");
    row({"run", "a", "--out"}, "--out: needs a value: --out DIR");
    row({"run", "a", "--out="}, "--out: needs the name of a folder");
    row({"run", "a", "--quiet=1"}, "--quiet: takes no value");
    row({"run", "a", "--seed", "-1"},
        "--seed: must be a whole number from 0 to 18446744073709551615, not \"-1\"");
    row({"run", "a", "--seed", "18446744073709551616"},
        "--seed: must be a whole number from 0 to 18446744073709551615, not \"18446744073709551616\"");
    row({"run", "a", "--seed="}, "--seed: must be a whole number from 0 to 18446744073709551615, not \"\"");
    row({"run", "a", "--threads", "1.5"}, "--threads: must be a whole number from 0 to 1024, not \"1.5\"");
    row({"run", "a", "--threads", "1025"}, "--threads: must be a whole number from 0 to 1024, not \"1025\"");
    row({"run", "a", "--set", "seed"}, "--set: must be PATH=VALUE, as in strategy.kind=bsp, not \"seed\"");
    row({"run", "a", "--set", "=1"}, "--set: must be PATH=VALUE, as in strategy.kind=bsp, not \"=1\"");
    row({"run", "a", "--isa", "avx"}, "--isa: must be baseline, v3 or v4, not \"avx\"");
    row({"sweep", "a", "--isa", ""}, "--isa: must be baseline, v3 or v4, not \"\"");
    row({"run", "a", "--clock", "live", "--threads", "2"},
        "--threads: not with --clock live, where each node has a thread of its own");
    row({"run", "a", "--clock", "wall"}, "--clock: must be virtual or live, not \"wall\"");
    row({"run", "a", "--force"}, "--force: goes only with --out");
    row({"sweep"}, "sweep: needs the name of a sweep's file");
    row({"sweep", "a"}, "sweep: needs a folder for its runs: --out DIR");
    row({"sweep", "a", "--out="}, "sweep: needs a folder for its runs: --out DIR");
    row({"sweep", "a", "b", "--out", "d"}, "sweep: takes one file, not also \"b\"");
    row({"sweep", "a", "--out", "d", "--seed", "1"}, "--seed: goes only with run");
    row({"sweep", "a", "--slice", "0/4"}, "--slice: must be I/N with I from 1 to N, as in 3/8, not \"0/4\"");
    row({"sweep", "a", "--slice", "5/4"}, "--slice: must be I/N with I from 1 to N, as in 3/8, not \"5/4\"");
    row({"sweep", "a", "--slice", "3"}, "--slice: must be I/N with I from 1 to N, as in 3/8, not \"3\"");
    row({"sweep", "a", "--threads", "x"}, "--threads: must be a whole number from 0 to 1024, not \"x\"");
    row({"merge"}, "merge: needs the folders of the parts");
    row({"merge", "a"}, "merge: needs a folder for the whole: --out DIR");
    row({"merge", "a", "--quiet", "--out", "d"}, "--quiet: goes only with run, sweep");
    row({"list"}, "list: needs one of strategies, models, data, experiments");
    row({"list", "model"},
        "list: there is no list of \"model\"; did you mean models? Allowed: strategies, models, data, "
        "experiments");
    row({"list", "models", "x"}, "list: needs one of strategies, models, data, experiments");
    row({"validate"}, "validate: needs the name of a file");
    row({"validate", "a", "--quiet"}, "--quiet: goes only with run, sweep");
    row({"a.json", "--out", "d"}, "--out: goes only with run, sweep, merge, export");
    row({"rnu", "a.json"}, "rnu: there is no such command; did you mean run?");
    row({"a.json", "b.json"}, "a.json: there is no such command; see --help");
    row({"export", "a.slab"}, "export: needs a folder for the files: --out DIR");
    row({"export", "--out", "d"}, "export: needs the name of a session");
    row({"export", "a", "b", "--out", "d"}, "export: takes one session, not also \"b\"");
    row({"export", "a", "--out", "d", "--formats", "csv,bmp"},
        "--formats: must name some of csv, json, png, svg, pdf, trace, html with commas between them, not "
        "\"bmp\"");
    row({"export", "a", "--out", "d", "--formats", ""},
        "--formats: must name some of csv, json, png, svg, pdf, trace, html with commas between them, not "
        "\"\"");
    row({"export", "a", "--out", "d", "--run", "0"}, "--run: must be a whole number from 1 on, not \"0\"");
    row({"run", "a", "--run", "1"}, "--run: goes only with export");
}

void TestCommandLine::mistakesAreSaid()
{
    QFETCH(QByteArrayList, arguments);
    QFETCH(QByteArray, said);
    std::vector<std::string> words;
    for (const QByteArray& argument : arguments) {
        words.push_back(argument.toStdString());
    }

    const Command command = parse(words);

    QVERIFY(std::holds_alternative<UsageError>(command));
    QCOMPARE(std::get<UsageError>(command).text, said.toStdString());
}

QTEST_APPLESS_MAIN(TestCommandLine)
#include "tst_command_line.moc"
