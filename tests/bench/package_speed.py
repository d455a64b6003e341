"""Measures the speed of the package: its imports, the model, and the walk."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator

from costs.costs_file import Line

from tests.bench.measuring import RUNS, compare, median_times


def imports() -> Iterator[Line]:
    """Time the import statements alone, in fresh processes, in turn."""
    statements = ["import gpt2_teach", "from gpt2_teach import GPT", "import torch"]
    times: dict[str, list[float]] = {statement: [] for statement in statements}
    for _ in range(RUNS):
        for statement, kept in times.items():
            code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
            kept.append(float(done.stdout))
    *ours, torch = (statistics.median(kept) for kept in times.values())
    for statement, seconds in zip(statements, ours, strict=False):
        yield compare(statement, "import torch", seconds, torch, 1.05, "s")


def build() -> Iterator[Line]:
    """Compare building the model with the random draws that it requires."""
    import torch

    from gpt2_teach import GPT, GPTConfig
    from gpt2_teach.parameter_counts import parameter_counts

    floats = parameter_counts(GPTConfig()).tied
    ours, fill = median_times(lambda: GPT(GPTConfig()), lambda: torch.empty(floats).normal_())
    yield compare("build GPT(GPTConfig())", "one normal_ fill of as many new floats", ours, fill, 1.15, "s")


def forward() -> Iterator[Line]:
    """Compare our model with transformers': float32, no dropout, 1 x 256 tokens, the same loss."""
    import torch
    from torch.nn.functional import cross_entropy
    from transformers import GPT2Config, GPT2LMHeadModel

    from gpt2_teach import GPT, GPTConfig

    ours, theirs = GPT(GPTConfig()), GPT2LMHeadModel(GPT2Config(use_cache=False)).eval()
    ids = torch.randint(50257, (1, 257), generator=torch.Generator().manual_seed(0))
    idx, targets = ids[:, :-1], ids[:, 1:]

    def forward_ours() -> None:
        with torch.no_grad():
            ours(idx, targets)

    def forward_theirs() -> None:
        with torch.no_grad():
            cross_entropy(theirs(idx).logits.flatten(0, 1), targets.flatten())

    def backward_ours() -> None:
        ours.zero_grad()
        ours(idx, targets)[1].backward()

    def backward_theirs() -> None:
        theirs.zero_grad()
        cross_entropy(theirs(idx).logits.flatten(0, 1), targets.flatten()).backward()

    for what, functions in (
        ("forward", (forward_ours, forward_theirs)),
        ("forward and backward", (backward_ours, backward_theirs)),
    ):
        mine, reference = median_times(*functions)
        yield compare(
            f"{what}, 1 x 256 tokens at 124M", "transformers' GPT2LMHeadModel", mine, reference, 1.0, "s"
        )


def walk() -> Iterator[Line]:
    """Compare both walks with filling a tensor of the same size, and with the source chapter's loop."""
    import torch

    from gpt2_teach import random_walk

    n = 1000
    table = torch.empty(2, n, 768)

    def walks() -> None:
        random_walk(n, generator=0)
        random_walk(n, scaled=True, generator=1)

    def loop() -> None:
        x, y = torch.zeros(768), torch.zeros(768)
        for _ in range(n):
            x += torch.randn(768)
            y += (n**-0.5) * torch.randn(768)

    ours, fill, looped = median_times(walks, table.normal_, loop, runs=101)
    what = "random_walk of 1000 steps, scaled and not"
    yield compare(what, "filling a tensor of as many numbers", ours, fill, 1.3)
    yield compare(what, "a Python loop that adds torch.randn", ours, looped, 0.6)
