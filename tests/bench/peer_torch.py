"""Plain descent with PyTorch's modules and autograd on one thread: a line `name items_per_second` for each."""

import time

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)


def descend(name, sizes, batch, seconds=0.7):
    x, labels = torch.rand(1437, sizes[0]), torch.randint(0, 10, (1437,))
    parts = []
    for a, b in zip(sizes, sizes[1:]):
        parts += [nn.Linear(a, b), nn.ReLU()]
    model, loss = nn.Sequential(*parts[:-1]), nn.CrossEntropyLoss()
    descent = torch.optim.SGD(model.parameters(), lr=0.01)
    best = 0.0
    for _ in range(3):
        steps = 0
        start = time.process_time()
        while time.process_time() - start < seconds / 3:
            rows = torch.randint(0, len(x), (batch,))
            descent.zero_grad()
            loss(model(x[rows]), labels[rows]).backward()
            descent.step()
            steps += 1
        best = max(best, steps * batch / (time.process_time() - start))
    print(f"gradient/{name}/{batch} {best}", flush=True)


for size in (32, 128):
    descend("softmax-64-10", (64, 10), size)
    descend("mlp-64-128-10", (64, 128, 10), size)
    descend("mlp-784-256-10", (784, 256, 10), size)
