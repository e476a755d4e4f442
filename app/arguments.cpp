#include "app/arguments.h"

#include "core/experiment/spelling.h"

#include <array>
#include <utility>

namespace lab {
namespace {

constexpr unsigned operator|(Taker a, Taker b) { return static_cast<unsigned>(a) | static_cast<unsigned>(b); }
constexpr unsigned operator|(unsigned a, Taker b) { return a | static_cast<unsigned>(b); }
constexpr unsigned only(Taker taker) { return static_cast<unsigned>(taker); }

constexpr std::array k_options{
    OptionSpec{Option::Out, "--out", "DIR", Taker::Run | Taker::Sweep | Taker::Merge | Taker::Export,
               "write the results into the folder DIR; of sweep: run by run; else whole or not at all"},
    OptionSpec{Option::Force, "--force", "", Taker::Run | Taker::Export, "replace a run that DIR holds"},
    OptionSpec{Option::Seed, "--seed", "N", only(Taker::Run),
               "use this seed: a whole number from 0 to 18446744073709551615"},
    OptionSpec{Option::Set, "--set", "PATH=VALUE", only(Taker::Run),
               "replace one value of the experiment, as in strategy.kind=bsp; may be given again"},
    OptionSpec{Option::Clock, "--clock", "virtual|live", only(Taker::Run),
               "what a second of the run is: counted, the default, or one on the wall, each node a thread"},
    OptionSpec{Option::Slice, "--slice", "I/N", only(Taker::Sweep),
               "do only the I-th of N parts of the sweep, as in 3/8"},
    OptionSpec{Option::Threads, "--threads", "N", Taker::Run | Taker::Sweep,
               "compute on N threads; 0, the default, is one for each core; the results are the same"},
    OptionSpec{
        Option::Isa, "--isa", "baseline|v3|v4", Taker::Run | Taker::Sweep,
        "compute gradients with the instructions of this x86-64 level; the default is the best there is"},
    OptionSpec{Option::Formats, "--formats", "LIST", only(Taker::Export),
               "write only these: csv, json, png, svg, pdf, trace, html, with commas between them; the "
               "default is all"},
    OptionSpec{Option::RunNumber, "--run", "N", only(Taker::Export),
               "export the N-th run of a session that holds several"},
    OptionSpec{Option::Quiet, "--quiet", "", Taker::Run | Taker::Sweep, "show no progress"},
    OptionSpec{Option::Start, "--start", "", only(Taker::Window), "start the run when the window opens"},
    OptionSpec{Option::Help, "--help", "", only(Taker::Program), "show this text"},
    OptionSpec{Option::ShowVersion, "--version", "", only(Taker::Program), "show the version"},
};

/// Reads the option that stands at a place, and its value; what is wrong with it.
std::optional<std::string> readOption(std::span<const std::string> arguments, std::size_t& at,
                                      Arguments& sorted)
{
    const std::string_view argument = arguments[at];
    const std::size_t equals = argument.find('=');
    const std::string name(argument.substr(0, equals));
    const auto spec = std::ranges::find(k_options, name, &OptionSpec::name);
    if (spec == k_options.end()) {
        std::vector<std::string_view> names;
        for (const OptionSpec& one : k_options) {
            names.push_back(one.name);
        }
        const std::string_view near = closest(name, names);
        return name + ": there is no such option"
            + (near.empty() ? "; see --help" : "; did you mean " + std::string(near) + "?");
    }
    if (spec->value.empty()) {
        if (equals != std::string_view::npos) {
            return name + ": takes no value";
        }
        sorted.options.push_back({spec, {}});
        return {};
    }
    if (equals != std::string_view::npos) {
        sorted.options.push_back({spec, std::string(argument.substr(equals + 1))});
        return {};
    }
    if (at + 1 == arguments.size()) {
        return name + ": needs a value: " + name + ' ' + std::string(spec->value);
    }
    sorted.options.push_back({spec, arguments[++at]});
    return {};
}

} // namespace

std::span<const OptionSpec> allOptions() { return k_options; }

std::string withQuotes(std::string_view text) { return '"' + std::string(text) + '"'; }

std::variant<Arguments, std::string> sortArguments(std::span<const std::string> arguments)
{
    Arguments sorted;
    bool are_all_words = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (are_all_words || argument.size() < 2 || argument.front() != '-') {
            sorted.is_after_dashes = sorted.is_after_dashes || (are_all_words && sorted.words.empty());
            sorted.words.push_back(argument);
        } else if (argument == "--") {
            are_all_words = true;
        } else if (auto wrong = readOption(arguments, i, sorted)) {
            return std::move(*wrong);
        }
    }
    return sorted;
}

} // namespace lab
