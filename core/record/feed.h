#pragma once

#include "core/record/frame.h"

#include <mutex>

namespace lab {

/// Engine-to-window mailbox: publish() from the engine thread, take() from the window's; neither blocks for longer
/// than a move. State is latest-wins; fresh entries gather until taken, in time order, and are never lost.
class Feed {
public:
    void publish(Frame&& frame);
    [[nodiscard]] Frame take(); ///< the newest state, and what is fresh since the previous take()

private:
    std::mutex mutex_;
    Frame frame_;
};

} // namespace lab
