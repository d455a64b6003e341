"""What the sliders show: pictures that a page can bear, and words that agree with numbers computed here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from matplotlib.figure import Figure
from matplotlib.text import Text

from explorable.figure_svg import Draw, figure_svg
from explorable.frame_patches import frame_patches
from gpt2_teach import GPTConfig, build_gpt, demos, random_walk, residual_std
from gpt2_teach.first_loss import measure_first_loss
from gpt2_teach.histograms import value_histogram
from gpt2_teach.initialization import INIT_STD, initialization_table
from gpt2_teach.standard_error import std_error
from gpt2_teach.stream import predict_stream, sweep_depths
from gpt2_teach.tying import GradientSplit, split_gradient
from gpt2_teach.walk import walk_std
from tests.book.test_site import parsed

TINY = GPTConfig.preset("tiny")
CHOICES = (True, False)


@cache
def ids() -> torch.Tensor:
    return torch.randint(256, (1, 32), generator=torch.Generator().manual_seed(0))


@cache
def split() -> GradientSplit:
    return split_gradient(build_gpt(TINY, generator=0), ids(), ids().roll(1))


def by_walk() -> Draw:
    return demos.walk_of_steps(
        {n: (random_walk(n, generator=n), random_walk(n, scaled=True, generator=n)) for n in (1, 10, 1000)}
    )


def by_correlation() -> Draw:
    return demos.walk_of_correlation(
        {(rho, n): walk_std(n, scaled=True, rho=rho) for rho in (0.0, 0.1, 1.0) for n in (1, 30, 1000)}
    )


def by_depth() -> Draw:
    sizes = [GPTConfig.preset("tiny", n_layer=n) for n in (1, 4, 9)]
    predictions = {
        on: [predict_stream(size, tokens=8, residual_scaling=on) for size in sizes] for on in CHOICES
    }
    return demos.stream_of_depth(sweep_depths(TINY, [1, 4, 9], tokens=8, generator=0), predictions)


def by_width() -> Draw:
    sweeps = {
        w: sweep_depths(GPTConfig.preset("tiny", n_embd=w), [1, 2, 4, 24], tokens=8, generator=w)
        for w in (32, 64)
    }
    return demos.stream_of_width(sweeps, {w: {on: [0.1, 0.2, 0.3, 0.4] for on in CHOICES} for w in sweeps})


def by_tensor() -> Draw:
    model = build_gpt(TINY, generator=0)
    kinds = ("attn.c_attn.weight", "mlp.c_proj.weight")
    histograms = [
        value_histogram(model, kind, layer, bins=20) for kind in kinds for layer in range(TINY.n_layer)
    ]
    return demos.tensor_values(histograms, initialization_table(model))


def by_tie() -> Draw:
    batches = {
        (init, tie): measure_first_loss(
            build_gpt(TINY, init=init, tie=tie, generator=0), ids(), ids().roll(1)
        )
        for init in ("pytorch", "gpt2")
        for tie in ("lm_head", "wte")
    }
    return demos.kept_matrix(batches, ids(), TINY.vocab_size)


def by_row() -> Draw:
    read = int(ids()[0, 0])
    unread = next(row for row in range(256) if not (ids() == row).any())
    return demos.gradient_rows(split(), {read: "read", unread: "never"})


# demo -> how to make it small, and some of its positions
EXAMPLES: dict[str, tuple[Callable[[], Draw], list[dict[str, Any]]]] = {
    "walk_of_steps": (by_walk, [dict(n=n) for n in (1, 10, 1000)]),
    "walk_of_correlation": (by_correlation, [dict(rho=r, steps=n) for r in (0.0, 1.0) for n in (1, 1000)]),
    "stream_of_depth": (by_depth, [dict(n_layer=n) for n in (1, 4, 9)]),
    "stream_of_width": (by_width, [dict(n_embd=w) for w in (32, 64)]),
    "tensor_values": (
        by_tensor,
        [dict(kind=f"{kind}.weight", layer=n) for kind in ("attn.c_attn", "mlp.c_proj") for n in (0, 3)],
    ),
    "kept_matrix": (by_tie, [dict(init=i, tie=t) for i in ("pytorch", "gpt2") for t in ("lm_head", "wte")]),
    "gradient_rows": (
        by_row,
        [dict(row=int(ids()[0, 0])), dict(row=next(r for r in range(256) if not (ids() == r).any()))],
    ),
}
EVERY = pytest.mark.parametrize("name", sorted(EXAMPLES))


@cache
def shown(name: str) -> list[tuple[Figure, str]]:
    make, positions = EXAMPLES[name]
    draw = make()
    return [draw(**position) for position in positions]


@EVERY
def test_all_positions_have_the_same_structure_and_different_pictures_and_words(name: str) -> None:
    frames = [figure_svg(figure, "demo") for figure, _ in shown(name)]
    differing = frame_patches(frames, [str(position) for position in EXAMPLES[name][1]])
    for number in range(1, len(frames)):
        assert any(which[number] != which[number - 1] for *_, which in differing)
    assert len({words for _, words in shown(name)}) == len(frames)


@EVERY
def test_text_is_read_on_a_phone(name: str) -> None:
    figure, _ = shown(name)[0]
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        if text.get_text().strip() and text.get_visible():
            assert float(text.get_fontsize()) / 72 / figure.get_figwidth() * 350 >= 8, text.get_text()


@EVERY
def test_no_text_leaves_the_picture(name: str) -> None:
    for figure, _ in shown(name):
        box = figure.get_tightbbox()  # inches
        assert box.x0 >= 0, figure.axes
        assert box.y0 >= 0, figure.axes
        assert box.x1 <= figure.get_figwidth(), figure.axes
        assert box.y1 <= figure.get_figheight(), figure.axes


# ---- the built pages: the words of every position, against numbers computed here ---------------------------


@dataclass(frozen=True)
class PageDemo:
    """A demo as a page holds it."""

    names: list[str]
    positions: list[tuple[str, ...]]  # as the address has them, the last parameter fastest
    words: list[str]

    def numbers(self, position: int) -> list[float]:
        """The numbers in the words of a position, in order."""
        found = re.findall(r"(?<![\w.])[\d,]*\.?\d+(?:e-?\d+)?", self.words[position].replace("−", "-"))
        return [float(number.replace(",", "")) for number in found]


def page_demos(site: Path, page: str) -> list[PageDemo]:
    found = []
    for root in parsed(site / "notebooks" / f"{page}.html").select(".explore"):
        assert root.script
        data = json.loads(root.script.get_text())
        positions: list[tuple[str, ...]] = [()]
        for _, _, addresses in data["parameters"]:
            positions = [(*position, address) for position in positions for address in addresses]
        found.append(PageDemo([name for name, *_ in data["parameters"]], positions, data["words"]))
    return found


def close(numbers: list[float], wanted: list[float]) -> None:
    """Each number is what is wanted, rounded to the digits that it is printed with, at least three."""
    assert numbers == [pytest.approx(value, rel=6e-3, abs=6e-3) for value in wanted]


@pytest.mark.site
def test_w1_the_walk_says_what_random_walk_and_its_law_say(site: Path) -> None:
    demo = page_demos(site, "03_random_walk")[0]
    assert demo.names == ["n"]
    assert {"1", "100", "400", "1000"} <= {position[0] for position in demo.positions}
    for number, (address,) in enumerate(demo.positions):
        n = int(address)
        unscaled, scaled = random_walk(n, generator=n), random_walk(n, scaled=True, generator=n + 1)
        law = walk_std(n)
        stds = [float(unscaled.std()), law, std_error(law, 768), 1, float(scaled.std()), 1, std_error(1, 768)]
        close(demo.numbers(number), [n, *stds])


@pytest.mark.site
def test_w1_the_stream_over_depth_says_what_is_measured_and_predicted(site: Path) -> None:
    demo = page_demos(site, "04_residual_stream")[0]
    depths = [int(address) for (address,) in demo.positions]
    assert demo.names == ["n_layer"]
    assert (depths[0], depths[-1]) == (1, 48)
    sweep = sweep_depths(GPTConfig(), depths, tokens=64, generator=0)
    for number, n_layer in enumerate(depths):
        on, off = (
            predict_stream(GPTConfig(n_layer=n_layer), tokens=64, residual_scaling=choice).std[-1]
            for choice in CHOICES
        )
        wanted = [n_layer, 2 * n_layer, sweep.scaled[number], on, sweep.unscaled[number], off]
        close(demo.numbers(number), wanted)


@pytest.mark.site
def test_w1_the_tensors_say_what_they_hold(site: Path) -> None:
    (demo,) = page_demos(site, "02_weight_initialization")
    assert demo.names == ["kind", "layer"]
    assert len(demo.positions) == 4 * 12
    state = build_gpt(GPTConfig(), generator=0).state_dict()
    for number, (kind, layer) in enumerate(demo.positions):
        weight = state[f"transformer.h.{layer}.{kind}.weight"]
        expected = residual_std(12) if kind.endswith("c_proj") else INIT_STD
        words = demo.words[number]
        assert words.startswith(f"{kind} of layer {layer}: the std of its {weight.numel():,} values")
        found = re.search(r"is ([\d.]+); the rule says ([\d.]+), ([\d.]+) standard errors", words)
        assert found
        measured, rule, off = map(float, found.groups())
        assert measured == pytest.approx(float(weight.std()), abs=6e-7)
        assert rule == pytest.approx(expected, abs=6e-7)
        error = std_error(expected, weight.numel())
        assert off == pytest.approx(abs(float(weight.std()) - expected) / error, abs=0.06)
