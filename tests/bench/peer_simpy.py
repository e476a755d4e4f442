"""Nodes that compute and push, with SimPy: a line `steps-simpy/NODES steps_per_second` for each."""

import random
import time

import simpy


def steps_per_second(nodes, steps=200_000):
    random.seed(1)
    world = simpy.Environment()

    def node(i):
        while True:
            yield world.timeout(0.1 * (1 + i % 4 / 4) * (1 + 0.2 * random.expovariate(1)))
            yield world.timeout(0.001)

    for i in range(nodes):
        world.process(node(i))
    horizon = steps / nodes * 0.166
    start = time.perf_counter()
    world.run(until=horizon)
    # 0.166 s is what a step takes on average: (1 + 3/8) x 1.2 x 0.1 s, and the push.
    return steps / (time.perf_counter() - start)


for count in (16, 256, 4096):
    print(f"steps-simpy/{count} {steps_per_second(count)}", flush=True)
