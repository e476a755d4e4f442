#include "app/progress_line.h"

#include "core/base/text.h"

#include <algorithm>
#include <ostream>
#include <utility>

namespace lab {

std::string timeLeft(double seconds)
{
    if (seconds < 120) {
        return std::to_string(static_cast<int>(seconds + 0.5)) + " s left";
    }
    return seconds < 7200 ? shortNumber(seconds / 60, 3) + " min left"
                          : shortNumber(seconds / 3600, 3) + " h left";
}

std::optional<double> shareDone(const StopSpec& stop, const Frame& frame)
{
    std::optional<double> share;
    const auto consider = [&](double done, double wanted) {
        share = std::max(share.value_or(0), done / wanted);
    };
    if (stop.seconds) {
        consider(toSeconds(frame.now), *stop.seconds);
    }
    if (stop.updates) {
        consider(static_cast<double>(frame.version), static_cast<double>(*stop.updates));
    }
    if (stop.samples) {
        consider(static_cast<double>(frame.samples), static_cast<double>(*stop.samples));
    }
    return share ? std::optional(std::min(*share, 1.0)) : std::nullopt;
}

void TerminalLine::show(std::string text)
{
    if (terminal_ == nullptr) {
        return;
    }
    const std::size_t length = text.size();
    text.resize(std::max(width_, length), ' ');
    width_ = length;
    *terminal_ << '\r' << text << std::flush;
}

void TerminalLine::clear()
{
    if (terminal_ != nullptr && width_ > 0) {
        *terminal_ << '\r' << std::string(width_, ' ') << '\r' << std::flush;
        width_ = 0;
    }
}

void ProgressLine::show(const Frame& frame, double elapsed)
{
    if (!line_.isShown()) {
        return;
    }
    if (!frame.evaluations.empty()) {
        loss_ = shortNumber(frame.evaluations.back().train_loss, 4);
    }
    std::string line = shortNumber(toSeconds(frame.now), 4) + " s, " + std::to_string(frame.version)
        + (frame.version == 1 ? " update, loss " : " updates, loss ") + loss_;
    if (const std::optional<double> share = shareDone(stop_, frame); share && *share > 0) {
        line += ", " + timeLeft(elapsed * (1 - *share) / *share);
    }
    line_.show(std::move(line));
}

} // namespace lab
