"""What `lab bench` measures, written with numpy as straightforwardly as one would: a line `name items_per_second` for each.

    peer_numpy.py DIGITS.csv.gz
"""

import heapq
import sys
import time

import numpy as np

rng = np.random.default_rng(1)


def initial(sizes):
    return [[(rng.standard_normal((a, b)) * np.sqrt(2 / a)).astype(np.float32), np.zeros(b, np.float32)]
            for a, b in zip(sizes, sizes[1:])]


def forward(layers, x):
    outputs = [x]
    for i, (w, b) in enumerate(layers):
        z = outputs[-1] @ w + b
        outputs.append(np.maximum(z, 0) if i + 1 < len(layers) else z)
    return outputs


def gradient(layers, x, labels):
    outputs = forward(layers, x)
    logits = outputs[-1]
    delta = np.exp(logits - logits.max(axis=1, keepdims=True))
    delta /= delta.sum(axis=1, keepdims=True)
    delta[np.arange(len(labels)), labels] -= 1
    delta /= len(labels)
    sums = []
    for i in reversed(range(len(layers))):
        sums.append((outputs[i].T @ delta, delta.sum(axis=0)))
        if i > 0:
            delta = (delta @ layers[i][0].T) * (outputs[i] > 0)
    return sums[::-1]


def loss_and_accuracy(layers, x, labels):
    logits = forward(layers, x)[-1]
    greatest = logits.max(axis=1, keepdims=True)
    losses = np.log(np.exp(logits - greatest).sum(axis=1)) + greatest[:, 0] - logits[np.arange(len(labels)), labels]
    return losses.mean(), (logits.argmax(axis=1) == labels).mean()


def descend(name, sizes, batch, seconds=0.7):
    x = rng.random((1437, sizes[0]), dtype=np.float32)
    labels = rng.integers(0, 10, len(x))
    layers = initial(sizes)
    best = 0.0
    for _ in range(3):
        steps = 0
        start = time.process_time()
        while time.process_time() - start < seconds / 3:
            rows = rng.integers(0, len(x), batch)
            for layer, (dw, db) in zip(layers, gradient(layers, x[rows], labels[rows])):
                layer[0] -= np.float32(0.01) * dw
                layer[1] -= np.float32(0.01) * db
            steps += 1
        best = max(best, steps * batch / (time.process_time() - start))
    print(f"gradient/{name}/{batch} {best}", flush=True)


def asynchronous_descent(digits, updates=10_000, nodes=16, batch=32):
    x, labels = digits[:, :-1].astype(np.float32) / 16, digits[:, -1].astype(int)
    cut = len(x) // 5
    train, held_out = (x[cut:], labels[cut:]), (x[:cut], labels[:cut])
    layers = initial((64, 128, 10))
    start = time.perf_counter()

    def task(node, now):
        duration = 0.1 * (1 + node % 4 / 4) * (1 + 0.2 * rng.exponential())
        return now + duration, node, [(w.copy(), b.copy()) for w, b in layers], rng.integers(0, len(train[0]), batch)

    queue = [task(node, 0.0) for node in range(nodes)]
    heapq.heapify(queue)
    for update in range(updates):
        now, node, read, rows = heapq.heappop(queue)
        for layer, (dw, db) in zip(layers, gradient(read, train[0][rows], train[1][rows])):
            layer[0] -= np.float32(0.1 / nodes) * dw
            layer[1] -= np.float32(0.1 / nodes) * db
        heapq.heappush(queue, task(node, now))
        if update % 100 == 0:
            loss_and_accuracy(layers, *train)
            loss_and_accuracy(layers, *held_out)
    print(f"run/asp-10000 {updates / (time.perf_counter() - start)}", flush=True)


def main():
    for batch in (32, 128):
        descend("softmax-64-10", (64, 10), batch)
        descend("mlp-64-128-10", (64, 128, 10), batch)
        descend("mlp-784-256-10", (784, 256, 10), batch)
    asynchronous_descent(np.loadtxt(sys.argv[1], delimiter=",", skiprows=1))


main()
