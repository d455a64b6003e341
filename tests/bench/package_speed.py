"""Measures the speed of the packages: imports, the model, the walk, and a live slider."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from typing import Any

import torch
from torch.nn.functional import cross_entropy
from transformers import GPT2Config, GPT2LMHeadModel

from explorable.controls import as_parameter
from explorable.demo_widgets import demo_widgets
from gpt2_teach import GPT, GPTConfig, demos, random_walk
from gpt2_teach.parameter_counts import parameter_counts
from gpt2_teach.walk import walk_path
from tests.bench.measuring import Line, median_times


def imports() -> Iterator[Line]:
    """Time Python processes that only import."""
    statements = ["import gpt2_teach", "from gpt2_teach import GPT", "import torch"]
    commands = [[sys.executable, "-c", statement] for statement in statements]
    *ours, peer = median_times(*(partial(subprocess.run, command, check=True) for command in commands))
    for statement, seconds in zip(statements, ours, strict=False):
        yield Line(f"python -c '{statement}'", "s", seconds, 1.05, "import torch", peer)


def build() -> Iterator[Line]:
    """Compare building the model with the random draws that it requires."""
    floats = parameter_counts(GPTConfig()).tied
    ours, fill = median_times(lambda: GPT(GPTConfig()), lambda: torch.empty(floats).normal_())
    yield Line("build GPT(GPTConfig())", "s", ours, 1.15, "one normal_ fill of as many new floats", fill)


def forward() -> Iterator[Line]:
    """Compare our model with transformers': float32, no dropout, 1 x 256 tokens, the same loss."""
    ours, theirs = GPT(GPTConfig()), GPT2LMHeadModel(GPT2Config(use_cache=False)).eval()
    ids = torch.randint(50257, (1, 257), generator=torch.Generator().manual_seed(0))
    idx, targets = ids[:, :-1], ids[:, 1:]

    def run_ours() -> torch.Tensor:
        return ours(idx, targets)[1]

    def run_theirs() -> torch.Tensor:
        return cross_entropy(theirs(idx).logits.flatten(0, 1), targets.flatten())

    what, peer = "1 x 256 tokens at 124M", "transformers' GPT2LMHeadModel"
    with torch.no_grad():
        mine, reference = median_times(run_ours, run_theirs)
    yield Line(f"forward, {what}", "s", mine, 1.0, peer, reference)
    mine, reference = median_times(lambda: run_ours().backward(), lambda: run_theirs().backward())
    yield Line(f"forward and backward, {what}", "s", mine, 1.0, peer, reference)


def walk() -> Iterator[Line]:
    """Compare both walks with filling a tensor of the same size, and with the source chapter's loop."""
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
    yield Line(what, "ms", ours, 1.3, "filling a tensor of as many numbers", fill)
    yield Line(what, "ms", ours, 0.6, "a Python loop that adds torch.randn", looped)


def live() -> Iterator[Line]:
    """Compare a move of a live slider, from value to picture, with drawing to a file."""
    steps = [1, 3, 10, 30, 100, 300, 1000]
    draw = demos.walk_of_steps(walk_path(1000, generator=0), steps)
    control = demo_widgets(draw, [as_parameter("n", steps)], "A walk.", "demo").children[0]
    ours, svg, png = (cycle(steps) for _ in range(3))

    def move() -> None:
        control.value = next(ours)

    def save(n: int, **options: Any) -> None:
        draw(n)[0].savefig(io.BytesIO(), **options)

    moved, as_svg, as_png = median_times(
        move,
        lambda: save(next(svg), format="svg"),
        lambda: save(next(png), format="png", bbox_inches="tight"),
        runs=28,
    )
    what = "a move of chapter 3's slider"
    yield Line(what, "ms", moved, 1.2, "drawing, and matplotlib writing the SVG", as_svg)
    yield Line(what, "ms", moved, 1.0, "drawing, and the PNG that a notebook shows", as_png)
