// Nodes that compute and push, with SimGrid's S4U: a line `name events_per_second`, two events a step.
//
//     peer_simgrid sleep|network NODES
//
// `sleep`: actors that only sleep; `network`: executions and messages through its flow model to one server.

#include <simgrid/s4u.hpp>

#include <cstdio>
#include <ctime>
#include <random>
#include <string>

namespace sg = simgrid::s4u;

namespace {

long done = 0;
int a_gradient = 0; // what is sent; only its address counts
int the_last = 0;   // sent by a node that ends

double seconds(int node, std::mt19937_64& chance)
{
    return 0.1 * (1 + node % 4 / 4.0) * (1 + 0.2 * std::exponential_distribution<double>(1)(chance));
}

void sleeper(int node, double until)
{
    std::mt19937_64 chance(static_cast<unsigned long>(node));
    while (sg::Engine::get_clock() < until) {
        sg::this_actor::sleep_for(seconds(node, chance));
        sg::this_actor::sleep_for(0.001);
        ++done;
    }
}

void worker(int node, double until)
{
    std::mt19937_64 chance(static_cast<unsigned long>(node));
    sg::Mailbox* server = sg::Mailbox::by_name("server");
    while (sg::Engine::get_clock() < until) {
        sg::this_actor::execute(1e9 * seconds(node, chance));
        server->put(&a_gradient, 1);
        ++done;
    }
    server->put(&the_last, 1);
}

void serve(int nodes)
{
    sg::Mailbox* mailbox = sg::Mailbox::by_name("server");
    while (nodes > 0) {
        nodes -= mailbox->get<int>() == &the_last ? 1 : 0;
    }
}

} // namespace

int main(int argc, char** argv)
{
    sg::Engine engine(&argc, argv);
    if (argc != 3) {
        std::fputs("peer_simgrid sleep|network NODES\n", stderr);
        return 2;
    }
    const std::string what = argv[1];
    const int nodes = std::stoi(argv[2]);
    const double until = (what == "sleep" ? 100'000.0 : 20'000.0) / nodes * 0.166;

    auto* zone = sg::create_full_zone("cluster");
    auto* center = zone->create_host("server", 1e9);
    for (int i = 0; i < nodes; ++i) {
        auto* host = zone->create_host("n" + std::to_string(i), 1e9);
        auto* link = zone->create_link("l" + std::to_string(i), 1.25e8)->set_latency(0.001)->seal();
        zone->add_route(host->get_netpoint(), center->get_netpoint(), nullptr, nullptr,
                        {sg::LinkInRoute(link)}, true);
        if (what == "sleep") {
            sg::Actor::create("node", host, sleeper, i, until);
        } else {
            sg::Actor::create("node", host, worker, i, until);
        }
    }
    zone->seal();
    if (what != "sleep") {
        sg::Actor::create("server", center, serve, nodes);
    }
    const std::clock_t start = std::clock();
    engine.run();
    const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("events-simgrid-%s/%d %f\n", what.c_str(), nodes, 2 * static_cast<double>(done) / took);
    return 0;
}
