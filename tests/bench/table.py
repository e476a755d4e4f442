"""Runs what measures, in turns, and prints one table: measure, ours, peer, ratio, goal, reached.

    table.py BENCH_FOLDER SOURCE_FOLDER [--peers] [--plot FILE.svg] [--turns N]
"""

import json
import math
import os
import statistics
import subprocess
import sys
from collections import defaultdict

OURS = "gradient/[a-z0-9-]*/(32|128)$|run/|code/|events/asp/(256|65536)/|network-events/256/"
SIZES = (16, 64, 256, 1024, 4096, 16384, 65536)


def run(command):
    # One thread, and the best kernels that a peer's library has on this machine.
    environment = {k: v for k, v in os.environ.items() if k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
    environment.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return done.stdout if done.returncode == 0 else ""


def ours(folder, pattern, seconds, into):
    text = run([f"{folder}/bench_core", f"--benchmark_filter={pattern}", f"--benchmark_min_time={seconds}",
                "--benchmark_format=json"])
    for one in json.loads(text or '{"benchmarks": []}')["benchmarks"]:
        name = one["name"].replace("/real_time", "").split("/iterations:")[0]
        into[name].append(one["items_per_second"])
        if "bytes_per_node" in one:
            into[name + "/bytes"].append(one["bytes_per_node"])


def peer(command, prefix, into):
    for line in run(command).splitlines():
        name, _, value = line.partition(" ")
        if name.count("/") > 0 or name.startswith("events"):
            into[prefix + name].append(float(value))


def measure(folder, source, with_peers, turns):
    found = defaultdict(list)
    digits = f"{source}/resources/data/digits.csv.gz"
    for _ in range(turns):
        ours(folder, OURS, 0.1, found)
        peer([sys.executable, f"{source}/tests/bench/peer_numpy.py", digits], "numpy:", found)
        if with_peers:
            peer([sys.executable, f"{source}/tests/bench/peer_torch.py"], "torch:", found)
            peer([sys.executable, f"{source}/tests/bench/peer_simpy.py"], "", found)
            for nodes in ("16", "256"):
                peer([f"{folder}/peer_simgrid", "sleep", nodes], "", found)
                peer([f"{folder}/peer_simgrid", "network", nodes], "", found)
    return {name: statistics.median(values) for name, values in found.items()}


def short(value):
    for unit, scale in (("M", 1e6), ("k", 1e3)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value:.3g}"


def rows(figures):
    """(measure, ours, peer, ratio, goal as text, reached) for each."""
    def get(name):
        return figures.get(name, math.nan)

    def more(measure, mine, other, goal, unit="samples/s"):
        ratio = get(mine) / get(other)
        return (f"{measure}, {unit}", short(get(mine)), short(get(other)), ratio, f"≥ {goal}×", ratio >= goal)

    table = []
    for model, goal in (("softmax-64-10", 18), ("mlp-64-128-10", 7), ("mlp-784-256-10", 1.5)):
        table.append(more(f"{model}, batch 32, PyTorch", f"gradient/{model}/32", f"torch:gradient/{model}/32", goal))
    for model in ("softmax-64-10", "mlp-64-128-10", "mlp-784-256-10"):
        table.append(more(f"{model}, batch 128, numpy", f"gradient/{model}/128", f"numpy:gradient/{model}/128", 1))
    for strategy in ("asp", "bsp"):
        for batch in (32, 128):
            mine, other = get(f"run/{strategy}/{batch}"), get(f"run/gradients-alone/{batch}")
            table.append((f"{strategy} over its gradients alone, batch {batch}, gradients/s", short(mine), short(other),
                          other / mine, "≤ 1.1×", other / mine <= 1.1))
    table.append(more("two threads over one, batch 128", "run/two-threads/128", "run/one-thread-by-the-wall/128", 1.7, "updates/s"))
    table.append(more("10,000 ASP updates, numpy", "run/asp-10000", "numpy:run/asp-10000", 8, "updates/s"))
    for nodes, goal in ((256, 3e6), (65536, 1e6)):
        value = get(f"events/asp/{nodes}")
        table.append((f"times alone, {nodes} nodes, events/s", short(value), "", value / goal, f"≥ {short(goal)}",
                      value >= goal))
    used = get("events/asp/65536/bytes")
    table.append(("memory per node, bytes", short(used), "", used / 2000, "< 2 k", used < 2000))
    for peer_name, key, goal in (("SimGrid, asleep", "simgrid-sleep", 5), ("SimGrid's network", "simgrid-network", 10),
                                 ("SimPy", "simpy", 1)):
        table.append(more(f"compute and push, 256 nodes, {peer_name}", "network-events/256", f"events-{key}/256", goal,
                          "events/s"))
    # A round of 64 nodes, each with 9 parts of 32 rows, and one decoding of a pattern that is new.
    gradients = 64 * 9 * 32 / get("gradient/mlp-64-128-10/32")
    share = 100 / get("code/decode-new") / gradients
    table.append(("decoding, share of a round's gradients, n 64, s 8", f"{share:.2g} %", "", share, "< 1 %", share < 1))
    return [row for row in table if not math.isnan(row[3])]


def show(table):
    lines = [("measure", "ours", "peer", "ratio", "goal", "reached")]
    lines += [(a, b, c, f"{d:.2f}", e, "yes" if f else "no") for a, b, c, d, e, f in table]
    widths = [max(len(line[i]) for line in lines) for i in range(6)]
    for number, line in enumerate(lines):
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |")
        if number == 0:
            print("|" + "|".join("-" * (width + 2) for width in widths) + "|")


def plot(folder, file):
    """Nanoseconds per event over nodes, both logarithmic, as SVG."""
    found = defaultdict(list)
    for _ in range(3):
        ours(folder, "events/", 0.05, found)
    left, top, width, height = 60, 20, 420, 240
    x = lambda nodes: left + width * (math.log2(nodes) - 4) / 12
    y = lambda ns: top + height * (1 - (math.log10(ns) - 2) / 2)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="620" height="310" font-family="sans-serif" font-size="12">',
             '<title>Cost of an event over the number of nodes</title>',
             f'<rect width="620" height="310" fill="#ffffff"/>',
             f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888888"/>']
    for nodes in SIZES:
        parts.append(f'<text x="{x(nodes):.1f}" y="{top + height + 16}" text-anchor="middle">{nodes}</text>')
    for ns in (100, 200, 500, 1000, 2000, 5000, 10000):
        parts.append(f'<text x="{left - 6}" y="{y(ns) + 4:.1f}" text-anchor="end">{ns}</text>')
        parts.append(f'<line x1="{left}" x2="{left + width}" y1="{y(ns):.1f}" y2="{y(ns):.1f}" stroke="#dddddd"/>')
    parts.append(f'<text x="{left + width / 2}" y="{top + height + 36}" text-anchor="middle">nodes</text>')
    parts.append(f'<text x="{left}" y="{top - 6}">nanoseconds per event, one thread</text>')
    for number, (strategy, colour) in enumerate(
            (("asp", "#0072b2"), ("bsp", "#d55e00"), ("ssp", "#009e73"), ("hybrid", "#cc79a7"))):
        at = [(nodes, 1e9 / statistics.median(found[f"events/{strategy}/{nodes}"])) for nodes in SIZES]
        line = " ".join(f"{x(nodes):.1f},{y(ns):.1f}" for nodes, ns in at)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{left + width + 8}" y="{top + 16 + 18 * number}" fill="{colour}">{strategy}</text>')
    with open(file, "w", encoding="utf-8") as out:
        out.write("\n".join(parts) + "\n</svg>\n")


def main():
    arguments = sys.argv[1:]
    folder, source = arguments[:2]
    if "--plot" in arguments:
        plot(folder, arguments[arguments.index("--plot") + 1])
        return
    turns = int(arguments[arguments.index("--turns") + 1]) if "--turns" in arguments else 3
    show(rows(measure(folder, source, "--peers" in arguments, turns)))


main()
