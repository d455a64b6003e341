"""Every figure of the book: data in, a `Figure` out, in one style that any phone and any eye can read."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from matplotlib.text import Text

from gpt2_teach import plots
from gpt2_teach.config import GPTConfig
from gpt2_teach.first_loss import FirstBatch, SharedScale
from gpt2_teach.histograms import layer_histograms
from gpt2_teach.initialization import initialization_table
from gpt2_teach.model import GPT, build_gpt
from gpt2_teach.parameter_counts import parameter_counts
from gpt2_teach.plots import style
from gpt2_teach.standard_error import std_error
from gpt2_teach.stream import Stream, StreamPrediction, measure_stream, predict_stream, sweep_depths
from gpt2_teach.walk import random_walk, walk_path, walk_std
from tests.colors import linear

CONFIG = GPTConfig.preset("tiny")
CHOICES = (True, False)


@cache
def model(scaled: bool = True) -> GPT:
    return build_gpt(CONFIG, residual_scaling=scaled, generator=0)


@cache
def ids() -> torch.Tensor:
    return torch.randint(256, (1, 32), generator=torch.Generator().manual_seed(0))


@cache
def streams() -> dict[bool, Stream]:
    return {scaled: measure_stream(model(scaled), ids(), ids().roll(1)) for scaled in CHOICES}


@cache
def predictions() -> dict[bool, StreamPrediction]:
    return {scaled: predict_stream(CONFIG, tokens=32, residual_scaling=scaled) for scaled in CHOICES}


def by_depth(depths: list[int]) -> dict[bool, list[float]]:
    return {
        scaled: [
            predict_stream(GPTConfig.preset("tiny", n_layer=n), tokens=8, residual_scaling=scaled).std[-1]
            for n in depths
        ]
        for scaled in CHOICES
    }


def scale(std: float) -> SharedScale:
    batch = FirstBatch(5 + 200 * std**2, 0.1, std * 8, 0.0, torch.zeros(1, 2))
    return SharedScale(std, batch, 0.1, 300 * std**2)


EXAMPLES: dict[str, Callable[[], Figure]] = {
    "gpt2_anatomy": lambda: plots.gpt2_anatomy(GPTConfig()),
    "one_matrix_two_uses": lambda: plots.one_matrix_two_uses(GPTConfig()),
    "shares_by_size": lambda: plots.shares_by_size(
        {name: parameter_counts(GPTConfig.preset(name)) for name in ("gpt2", "gpt2-medium", "gpt2-xl")}
    ),
    "first_loss_by_std": lambda: plots.first_loss_by_std(
        [scale(std) for std in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)],
        math.log(256),
        {"wte": 1.0, "lm_head": 0.0208},
    ),
    "alignment_by_step": lambda: plots.alignment_by_step(
        [0, 20, 40],
        {name: [torch.linspace(-0.1, 0.1 * k, 5) for k in (1, 3, 9)] for name in ("tied", "untied")},
    ),
    "std_by_layer": lambda: plots.std_by_layer(initialization_table(model())),
    "values_by_layer": lambda: plots.values_by_layer(layer_histograms(model())),
    "gradient_by_addition": lambda: plots.gradient_by_addition(streams()),
    "stream_by_addition": lambda: plots.stream_by_addition(streams(), predictions()),
    "stream_by_depth": lambda: plots.stream_by_depth(
        [sweep_depths(CONFIG, [1, 12, 24, 48], tokens=8, generator=0)], by_depth([1, 12, 24, 48])
    ),
    "stream_by_width": lambda: plots.stream_by_width(
        [32, 64, 128],
        by_depth([1, 2, 3]),
        {width: sweep_depths(CONFIG, [4], tokens=8, generator=width) for width in (32, 128)},
        n_layer=4,
    ),
    "update_shares": lambda: plots.update_shares(streams()[True], predictions()[True]),
    "std_estimates": lambda: plots.std_estimates(
        [float(random_walk(100, generator=seed).std()) for seed in range(60)],
        walk_std(100),
        std_error(10, 768),
        9.8059,
    ),
    "walk_fans": lambda: plots.walk_fans(
        walk_path(50, 8, generator=0), walk_path(50, 8, scaled=True, generator=0)
    ),
    "std_by_steps": lambda: plots.std_by_steps([1, 10, 100], [1.0, 3.2, 9.9], [1.0, 1.01, 0.99]),
}
EVERY = pytest.mark.parametrize("name", sorted(EXAMPLES))


def texts(figure: Figure) -> Iterator[Text]:
    """Every text that is to be seen."""
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        if text.get_text().strip() and text.get_visible():
            yield text


@EVERY
def test_a_plot_takes_data_and_returns_a_figure_that_nobody_else_holds(name: str) -> None:
    settings = dict(mpl.rcParams)
    figure = EXAMPLES[name]()
    assert isinstance(figure, Figure)
    assert plt.get_fignums() == []  # else a notebook shows it twice
    assert dict(mpl.rcParams) == settings
    assert figure.axes
    function = getattr(plots, name)
    assert function.__wrapped__  # drawn in the book's style
    assert inspect.signature(function).parameters
    assert function.__doc__


@EVERY
def test_every_axis_says_what_it_shows(name: str) -> None:
    figure = EXAMPLES[name]()
    shared = [text.get_text() for text in (figure._supxlabel, figure._supylabel) if text is not None]  # type: ignore[attr-defined]
    for axes in figure.axes:
        if not axes.axison:
            continue
        spec = axes.get_subplotspec()
        assert spec is not None
        if spec.is_last_row():
            assert axes.get_xlabel() or shared, f"x of {axes}"
        if axes.yaxis.get_ticklabels() and spec.is_first_col():
            titles = axes.get_title() + axes.get_title("left")
            named = [
                text.get_text() for text in axes.get_yticklabels() if re.search("[a-z]", text.get_text())
            ]
            assert axes.get_ylabel() or titles or named or len(shared) == 2, f"y of {axes}"


@EVERY
def test_i5_no_figure_calls_a_standard_deviation_a_variance(name: str) -> None:
    labels = " ".join(text.get_text() for text in texts(EXAMPLES[name]()))
    assert "varianc" not in labels.lower()


@EVERY
def test_text_is_read_on_a_phone(name: str) -> None:
    figure = EXAMPLES[name]()
    figure.canvas.draw()
    width = max(
        figure.get_tightbbox().width, figure.get_figwidth()
    )  # inches, with what stands beside the axes
    for text in texts(figure):
        pixels = float(text.get_fontsize()) / 72 / width * 350  # drawn 350 px wide
        assert pixels >= 8, f"{text.get_text()!r} is {pixels:.1f} px high"


# ---- the style itself --------------------------------------------------------------------------------------

# Machado, Oliveira and Fernandes (2009), full severity: what a dichromat sees of linear RGB.
BLINDNESS = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    "none": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
}


def lab(rgb: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """CIE L*a*b* of linear sRGB, D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(np.clip(to_xyz @ rgb, 0.009, None) / to_xyz.sum(1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("blindness", sorted(BLINDNESS))
@pytest.mark.parametrize(
    "pair", [(style.SCALED, style.UNSCALED), (style.ATTENTION, style.MLP), (style.INPUT, style.OUTPUT)]
)
def test_colours_that_stand_for_opposites_are_told_apart_by_every_eye(
    blindness: str, pair: tuple[str, str]
) -> None:
    seen = [lab(np.clip(np.array(BLINDNESS[blindness]) @ linear(color), 0, 1)) for color in pair]
    assert np.linalg.norm(seen[0] - seen[1]) > 20  # 2.3 is just to be noticed
