#pragma once

#include "core/coding/gradient_code.h"

#include <deque>
#include <map>
#include <optional>

namespace lab {

/// A gradient code that remembers how it decoded: rounds with the same stragglers ask the same question.
///
/// Keeps the answers for the last `capacity` different patterns, "does not decode" included; oldest out first. Answers
/// are those of GradientCode::decode(), bit for bit. For one thread.
class Decoder {
public:
    /// Requires a code and capacity > 0.
    explicit Decoder(std::shared_ptr<const GradientCode> code, std::size_t capacity = 1024);

    [[nodiscard]] const GradientCode& code() const { return *code_; }
    /// `is_in` [workers]. The answer is valid until the next call.
    [[nodiscard]] const std::optional<Decoding>& decode(const std::vector<bool>& is_in);
    /// The answer where every message is in, which decodes with any code.
    [[nodiscard]] const Decoding& complete();
    /// How many patterns are remembered.
    [[nodiscard]] std::size_t remembered() const { return known_.size(); }

private:
    using Known = std::map<std::vector<bool>, std::optional<Decoding>>;

    std::shared_ptr<const GradientCode> code_;
    std::size_t capacity_;
    std::optional<Decoding> complete_;
    Known known_;
    std::deque<Known::const_iterator> by_age_; ///< oldest first
};

} // namespace lab
