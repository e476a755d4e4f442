#include "core/coding/decoder.h"

#include "core/base/error.h"

namespace lab {

Decoder::Decoder(std::shared_ptr<const GradientCode> code, std::size_t capacity)
    : code_(std::move(code)),
      capacity_(capacity)
{
    LAB_EXPECTS(code_ != nullptr && capacity_ > 0);
}

const std::optional<Decoding>& Decoder::decode(const std::vector<bool>& is_in)
{
    const auto known = known_.find(is_in);
    if (known != known_.end()) {
        return known->second;
    }
    if (known_.size() == capacity_) {
        known_.erase(by_age_.front());
        by_age_.pop_front();
    }
    const auto added = known_.emplace(is_in, code_->decode(is_in)).first;
    by_age_.emplace_back(added);
    return added->second;
}

const Decoding& Decoder::complete()
{
    if (!complete_) {
        complete_ = code_->decode(std::vector<bool>(code_->workers(), true));
        LAB_EXPECTS(complete_.has_value());
    }
    return *complete_;
}

} // namespace lab
