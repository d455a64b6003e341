"""What the sliders show: pictures that a page can bear, and words that agree with numbers computed here."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import torch
from matplotlib.figure import Figure
from matplotlib.text import Text

from explorable.figure_svg import Draw, figure_svg
from explorable.frame_patches import frame_patches
from gpt2_teach import GPTConfig, build_gpt, demos, random_walk, residual_std
from gpt2_teach.first_loss import measure_first_loss, sweep_embedding_stds
from gpt2_teach.histograms import value_histogram
from gpt2_teach.initialization import INIT_STD, initialization_table
from gpt2_teach.standard_error import std_error
from gpt2_teach.stream import predict_stream, sweep_depths
from gpt2_teach.tying import split_gradient
from gpt2_teach.walk import walk_path, walk_std
from tests.book.test_site import parsed

TINY = GPTConfig.preset("tiny")
CHOICES = (True, False)
IDS = torch.randint(256, (1, 32), generator=torch.Generator().manual_seed(0))
READ = int(IDS[0, 0])
NEVER_READ = next(row for row in range(256) if row not in IDS)
KINDS = ("attn.c_attn.weight", "mlp.c_proj.weight")


def by_walk() -> Draw:
    return demos.walk_of_steps(walk_path(1000, generator=0), [1, 10, 1000])


def by_correlation() -> Draw:
    return demos.walk_of_correlation(
        {(rho, n): walk_std(n, scaled=True, rho=rho) for rho in (0.0, 0.1, 1.0) for n in (1, 30, 1000)}
    )


def by_depth() -> Draw:
    depths = [1, 4, 9]
    configs = [GPTConfig.preset("tiny", n_layer=n) for n in depths]
    predicted = {on: [predict_stream(c, tokens=8, residual_scaling=on) for c in configs] for on in CHOICES}
    return demos.stream_of_depth(sweep_depths(TINY, depths, tokens=8, generator=0), predicted)


def by_width() -> Draw:
    sweep = sweep_depths(TINY, [1, 2, 4, 24], tokens=8, generator=0)
    finals = {True: [0.1, 0.2, 0.3, 0.4], False: [0.2, 0.3, 0.4, 0.5]}
    others = {True: finals[False], False: finals[True]}
    return demos.stream_of_width({32: sweep, 64: sweep}, {32: finals, 64: others})


def by_tensor() -> Draw:
    model = build_gpt(TINY, generator=0)
    histograms = [value_histogram(model, kind, layer, bins=20) for kind in KINDS for layer in range(4)]
    return demos.tensor_values(histograms, initialization_table(model))


def by_std() -> Draw:
    model = build_gpt(TINY, generator=0)
    batches = sweep_embedding_stds(model, [0.02, 1.0], [0.02, 1.0], IDS, IDS.roll(1))
    return demos.own_token(batches, 32, TINY.n_embd, TINY.vocab_size)


def by_row() -> Draw:
    split = split_gradient(build_gpt(TINY, generator=0), IDS, IDS.roll(1))
    return demos.gradient_rows(split, {READ: "read", NEVER_READ: "never"})


# demo -> how to make it small, and some of its positions
EXAMPLES: dict[str, tuple[Callable[[], Draw], list[dict[str, Any]]]] = {
    "walk_of_steps": (by_walk, [dict(n=n) for n in (1, 10, 1000)]),
    "walk_of_correlation": (by_correlation, [dict(rho=r, steps=n) for r in (0.0, 1.0) for n in (1, 1000)]),
    "stream_of_depth": (by_depth, [dict(n_layer=n) for n in (1, 4, 9)]),
    "stream_of_width": (by_width, [dict(n_embd=w) for w in (32, 64)]),
    "tensor_values": (by_tensor, [dict(kind=kind, layer=n) for kind in KINDS for n in (0, 3)]),
    "own_token": (by_std, [dict(s=s, wpe=wpe) for s in (0.02, 1.0) for wpe in (0.02, 1.0)]),
    "gradient_rows": (by_row, [dict(row=READ), dict(row=NEVER_READ)]),
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
def test_i5_text_is_read_on_a_phone_and_calls_no_standard_deviation_a_variance(name: str) -> None:
    figure, words = shown(name)[0]
    assert "varianc" not in words.lower()
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        assert "varianc" not in text.get_text().lower()
        if text.get_text().strip() and text.get_visible():
            assert float(text.get_fontsize()) / 72 / figure.get_figwidth() * 350 >= 8, text


@EVERY
def test_no_text_leaves_the_picture(name: str) -> None:
    for figure, _ in shown(name):
        box = figure.get_tightbbox()  # inches
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= figure.get_figwidth()
        assert box.y1 <= figure.get_figheight()


def test_a_row_that_is_never_read_says_so() -> None:
    read, never = (words for _, words in shown("gradient_rows"))
    assert "is zero: this character is never read" in never
    assert "zero" not in read


# ---- the built pages: the words of every position, against numbers computed here ---------------------------

Numbers = Iterator[list[float]]  # in the words of each position


def walk_numbers(positions: list[tuple[str, ...]]) -> Numbers:
    path = walk_path(1000, generator=0)
    for n in [int(n) for (n,) in positions]:
        std, law = float(path[n].std()), walk_std(n)
        yield [n, std, law, std_error(law, 768), 1, std / law, 1, std_error(1, 768)]


def correlation_numbers(positions: list[tuple[str, ...]]) -> Numbers:
    for rho, n in [(float(rho), int(n)) for rho, n in positions]:
        measured = float(random_walk(n, scaled=True, rho=rho, generator=n).std())
        yield [rho, n, 1, measured, 1, 1, walk_std(n, scaled=True, rho=rho), 1, (n - 1) * rho]


def depth_numbers(positions: list[tuple[str, ...]]) -> Numbers:
    depths = [int(n_layer) for (n_layer,) in positions]
    sweep = sweep_depths(GPTConfig(), depths, tokens=64, generator=0)
    for n, scaled, unscaled in zip(depths, sweep.scaled, sweep.unscaled):
        size = GPTConfig(n_layer=n)
        on, off = (predict_stream(size, tokens=64, residual_scaling=choice).std[-1] for choice in CHOICES)
        yield [n, 2 * n, scaled, on, unscaled, off]


def width_numbers(positions: list[tuple[str, ...]]) -> Numbers:
    for width in [int(n_embd) for (n_embd,) in positions if int(n_embd) <= 512]:  # the wider ones take long
        size = GPTConfig(n_head=width // 64, n_embd=width)
        sweep = sweep_depths(size, [12, 24], tokens=64, generator=0)
        yield [width, sweep.scaled[0], 12, sweep.scaled[1], 24, *sweep.unscaled]


def tensor_numbers(positions: list[tuple[str, ...]]) -> Numbers:
    state = build_gpt(GPTConfig(), generator=0).state_dict()
    for kind, layer in positions:
        weight = state[f"transformer.h.{layer}.{kind}.weight"]
        expected = residual_std(12) if kind.endswith("c_proj") else INIT_STD
        std, error = float(weight.std()), std_error(expected, weight.numel())
        yield [int(layer), weight.numel(), std, expected, abs(std - expected) / error]


def std_numbers(positions: list[tuple[str, ...]]) -> Numbers:
    tokens = torch.randint(50257, (1, 129), generator=torch.Generator().manual_seed(0))
    idx, targets = tokens[:, :64], tokens[:, 1:65]
    for s, wpe in [(float(s), float(wpe)) for s, wpe in positions]:
        model = build_gpt(GPTConfig(), generator=0)
        with torch.no_grad():
            model.lm_head.weight.mul_(s / model.lm_head.weight.std())
            model.transformer.wpe.weight.mul_(wpe / model.transformer.wpe.weight.std())
        batch = measure_first_loss(model, idx, targets)
        own = [batch.own_logit, batch.own_logit / (s * 768**0.5), round(64 * batch.repeats), 64]
        yield [s, wpe, batch.stream_std, s / batch.stream_std, *own, batch.loss, batch.standard_error]


def row_numbers(positions: list[tuple[str, ...]]) -> Numbers:
    text = torch.tensor([list(b"What is tied stays tied.")])
    parts = split_gradient(build_gpt(TINY, generator=0), text[:, :-1], text[:, 1:])
    for (name,) in positions:
        row = ord(name.replace("␣", " "))
        norms = [float(part[row].norm()) for part in (parts.input_part, parts.output_part, parts.total)]
        yield [norm for norm in norms if norm]


@pytest.mark.site
@pytest.mark.parametrize(
    ("page", "place", "numbers"),
    [
        ("01_parameter_sharing", 0, std_numbers),
        ("01_parameter_sharing", 1, row_numbers),
        ("02_weight_initialization", 0, tensor_numbers),
        ("03_random_walk", 0, walk_numbers),
        ("03_random_walk", 1, correlation_numbers),
        ("04_residual_stream", 0, depth_numbers),
        ("04_residual_stream", 1, width_numbers),
    ],
)
def test_w1_t6_every_position_of_a_demo_says_what_is_measured(
    site: Path, page: str, place: int, numbers: Callable[[list[tuple[str, ...]]], Numbers]
) -> None:
    root = parsed(site / "notebooks" / f"{page}.html").select(".explore")[place]
    assert root.script
    data = json.loads(root.script.get_text())
    positions = list(product(*(addresses for _, _, addresses in data["parameters"])))
    for words, wanted in zip(data["words"], numbers(positions)):
        found = re.findall(r"(?<![\w.])[\d,]*\.?\d+(?:e-?\d+)?", words.replace("−", "-"))
        assert len(found) == len(wanted), words
        for printed, value in zip(found, wanted):
            digits = len(printed.partition(".")[2])
            assert float(printed.replace(",", "")) == pytest.approx(value, abs=0.6 * 10**-digits), words
