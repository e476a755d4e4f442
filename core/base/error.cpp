#include "core/base/error.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace lab {
namespace {

std::string asLines(const std::string& file, const std::vector<Problem>& problems)
{
    std::string lines;
    for (const Problem& problem : problems) {
        if (!lines.empty()) {
            lines += '\n';
        }
        lines += file;
        if (problem.line > 0) {
            lines += ':' + std::to_string(problem.line);
        }
        lines += ": ";
        if (!problem.where.empty()) {
            lines += problem.where + ": ";
        }
        lines += problem.what;
    }
    return lines;
}

} // namespace

ExperimentError::ExperimentError(std::string file, std::vector<Problem> problems)
    : Error(asLines(file, problems)),
      problems_(std::move(problems))
{
}

void detail::expectationFailed(const char* condition, const char* file, int line) noexcept
{
    std::fprintf(stderr, "%s:%d: broken expectation: %s\n", file, line, condition);
    std::abort();
}

} // namespace lab
