#include "core/experiment/spelling.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace lab {
namespace {

constexpr std::size_t k_longest_word = 64;

/// Letters to insert, delete, replace or swap with their neighbour (Damerau and Levenshtein, restricted).
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    std::iota(best[0].begin(), best[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        best[i][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = best[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            best[i][j] = std::min({replaced, best[i - 1][j] + 1, best[i][j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best[i][j] = std::min(best[i][j], best[i - 2][j - 2] + 1);
            }
        }
    }
    return best[a.size()][b.size()];
}

} // namespace

std::string_view closest(std::string_view word, std::span<const std::string_view> candidates)
{
    std::string_view found;
    if (word.size() > k_longest_word) {
        return found;
    }
    std::size_t least = 1 + std::max<std::size_t>(1, word.size() / 3);
    for (const std::string_view candidate : candidates) {
        // A word is also taken for a longer one that it begins.
        const bool begins = word.size() >= 3 && candidate.starts_with(word);
        const std::size_t far = begins ? 1 : distance(word, candidate);
        if (far < least && far < candidate.size()) {
            least = far;
            found = candidate;
        }
    }
    return found;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> allowed)
{
    std::string text;
    if (const std::string_view near = closest(word, allowed); !near.empty()) {
        text += "; did you mean " + std::string(near) + "?";
    }
    return text + (text.empty() ? "; allowed: " : " Allowed: ") + joined(allowed);
}

std::string joined(std::span<const std::string_view> words)
{
    std::string text;
    for (const std::string_view word : words) {
        text += (text.empty() ? "" : ", ") + std::string(word);
    }
    return text;
}

} // namespace lab
