#include "app/command_line.h"
#include "app/graphics.h"
#include "app/headless.h"
#include "core/experiment/summary.h"
#include "core/learn/kernels.h"

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <variant>
#include <vector>

#include <unistd.h>

namespace {

using namespace lab;

volatile std::sig_atomic_t g_is_interrupted = 0;

/// The first Ctrl-C ends the run at its next event; a second one ends the program as usual.
void listenForInterrupts()
{
    struct sigaction action {};
    action.sa_handler = [](int /*signal*/) { g_is_interrupted = 1; };
    action.sa_flags = SA_RESETHAND;
    for (const int signal : {SIGINT, SIGTERM}) {
        ::sigaction(signal, &action, nullptr);
    }
}

bool hasDisplay()
{
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        const char* value = std::getenv(variable);
        if (value != nullptr && *value != '\0') {
            return true;
        }
    }
    return false;
}

struct Dispatch {
    int& argc;
    char** argv;
    Console console{std::cout, std::cerr, ::isatty(STDERR_FILENO) == 1, [] { return g_is_interrupted != 0; }};

    int operator()(const RunCommand& command) const
    {
        listenForInterrupts();
        return carryOut(command, console, drawCharts);
    }
    int operator()(const SweepCommand& command) const
    {
        listenForInterrupts();
        return carryOut(command, console);
    }
    int operator()(const MergeCommand& command) const { return carryOut(command, console); }
    int operator()(const ExportCommand& command) const { return carryOut(command, console, drawPictures); }
    int operator()(const ListCommand& command) const { return carryOut(command, console); }
    int operator()(const ValidateCommand& command) const { return carryOut(command, console); }
    int operator()(const WindowCommand& command) const
    {
        if (!hasDisplay()) {
            std::cerr
                << "straggler-lab: there is no display to open a window on; `straggler-lab run EXPERIMENT` "
                   "needs none\n";
            return k_not_carried_out;
        }
        return showWindow(argc, argv, command);
    }
    int operator()(const HelpCommand& /*command*/) const { return print(helpText()); }
    int operator()(const VersionCommand& /*command*/) const
    {
        return print(std::string("straggler-lab ") + programVersion() + '\n');
    }
    int operator()(const UsageError& error) const
    {
        std::cerr << "straggler-lab: " << error.text << '\n';
        return k_wrong_input;
    }

private:
    static int print(const std::string& text)
    {
        return std::cout << text << std::flush ? k_ended : k_not_carried_out;
    }
};

} // namespace

int main(int argc, char** argv)
{
    lab::pinKernels();             // before any arithmetic: results must not depend on this machine's caches
    std::signal(SIGXFSZ, SIG_IGN); // a limit on file sizes is an error like a full disk, not a death
    try {
        const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
        return std::visit(Dispatch{argc, argv}, parseCommandLine(arguments));
    } catch (const std::exception& error) {
        std::cerr << "straggler-lab: " << error.what() << '\n';
        return k_not_carried_out;
    }
}
