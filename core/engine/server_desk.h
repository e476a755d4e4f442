#pragma once

#include "core/base/time.h"
#include "core/cluster/node_spec.h"

#include <cstddef>
#include <optional>

namespace lab {

/// The two places where messages of all nodes queue up, both first-come-first-served: the server's network link, and
/// the server itself.
class ServerDesk {
public:
    /// `bytes`: size of one message, 4 x parameters.
    ServerDesk(const ClusterSpec& cluster, std::size_t bytes);

    /// What a message takes on the way between a node and the server's link: latency + bytes / bandwidth.
    [[nodiscard]] Duration flight() const { return flight_; }
    /// Whether transfers queue for the server's link at all.
    [[nodiscard]] bool isLinkShared() const { return link_time_ > Duration::zero(); }
    /// Takes the next turn on the link, asked for at `now`: when it will be over.
    [[nodiscard]] TimePoint takeLink(TimePoint now);
    /// Whether a message costs the server any time.
    [[nodiscard]] bool takesTime() const { return service_time_ > Duration::zero(); }
    /// Takes the next turn at the server: when the message will have been worked through.
    [[nodiscard]] TimePoint takeService(TimePoint now);
    /// Busy share of the server's time up to `now`.
    [[nodiscard]] double utilisation(TimePoint now) const;

private:
    Duration flight_{0};
    Duration link_time_{0};
    Duration service_time_;
    TimePoint link_free_;
    TimePoint service_free_;
    Duration service_booked_{0};
};

} // namespace lab
