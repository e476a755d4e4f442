"""Nodes that compute and push, with SimPy: a line `events-simpy/NODES events_per_second` for each, two
events a step."""

import random
import time

import simpy


def events_per_second(nodes, steps=200_000):
    random.seed(1)
    world = simpy.Environment()

    def node(i):
        while True:
            yield world.timeout(0.1 * (1 + i % 4 / 4) * (1 + 0.2 * random.expovariate(1)))
            yield world.timeout(0.001)

    for i in range(nodes):
        world.process(node(i))
    horizon = steps / nodes * 0.166
    start = time.process_time()
    world.run(until=horizon)
    # 0.166 s is what a step takes on average: (1 + 3/8) x 1.2 x 0.1 s, and the push.
    return 2 * steps / (time.process_time() - start)


for count in (16, 256, 4096):
    print(f"events-simpy/{count} {events_per_second(count)}", flush=True)
