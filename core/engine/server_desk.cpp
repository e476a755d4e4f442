#include "core/engine/server_desk.h"

#include <algorithm>

namespace lab {

ServerDesk::ServerDesk(const ClusterSpec& cluster, std::size_t bytes)
    : service_time_(fromSeconds(cluster.server_seconds))
{
    if (cluster.network) {
        const auto size = static_cast<double>(bytes);
        flight_ = fromSeconds(cluster.network->latency + size / cluster.network->bandwidth);
        if (cluster.network->server_bandwidth) {
            link_time_ = fromSeconds(size / *cluster.network->server_bandwidth);
        }
    }
}

TimePoint ServerDesk::takeLink(TimePoint now)
{
    link_free_ = std::max(link_free_, now) + link_time_;
    return link_free_;
}

TimePoint ServerDesk::takeService(TimePoint now)
{
    service_free_ = std::max(service_free_, now) + service_time_;
    service_booked_ += service_time_;
    return service_free_;
}

double ServerDesk::utilisation(TimePoint now) const
{
    if (now <= TimePoint{}) {
        return 0;
    }
    // What is booked beyond now is one unbroken stretch that ends at service_free_.
    const Duration ahead = std::max(service_free_ - now, Duration::zero());
    const Duration busy = service_booked_ - std::min(ahead, service_booked_);
    return toSeconds(busy) / toSeconds(now);
}

} // namespace lab
