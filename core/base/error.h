#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace lab {

/// One thing wrong with what the user gave.
struct Problem {
    std::string where; ///< a JSON path such as `cluster.nodes[3].slowdown`, or empty for the whole file
    std::string what;  ///< what is wrong and what is allowed, one line
    int line = 0;      ///< line in the file, counted from 1; 0 where there is no file

    friend bool operator==(const Problem&, const Problem&) = default;
};

/// Something outside the program prevents a run: an unreadable data file, a full disk. Exit status 1.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// An experiment that cannot be run as written. Exit status 2.
class ExperimentError : public Error {
public:
    /// `file` is how the user named it; what() holds one line per problem: `file:line: path: what`.
    ExperimentError(std::string file, std::vector<Problem> problems);
    [[nodiscard]] const std::vector<Problem>& problems() const noexcept { return problems_; }

private:
    std::vector<Problem> problems_;
};

namespace detail {
[[noreturn]] void expectationFailed(const char* condition, const char* file, int line) noexcept;
}

} // namespace lab

/// States what the caller owes; prints and aborts where it does not hold, in every build.
#define LAB_EXPECTS(condition)                                                                               \
    (static_cast<bool>(condition) ? static_cast<void>(0)                                                     \
                                  : ::lab::detail::expectationFailed(#condition, __FILE__, __LINE__))
