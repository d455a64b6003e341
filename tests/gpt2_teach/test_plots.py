"""Every figure of the book: data in, a `Figure` out, in one style that any phone and any eye can read."""

from __future__ import annotations

import re
from collections.abc import Callable
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
from gpt2_teach.histograms import layer_histograms
from gpt2_teach.initialization import initialization_table
from gpt2_teach.model import build_gpt
from gpt2_teach.parameter_counts import parameter_counts
from gpt2_teach.plots import style
from gpt2_teach.standard_error import std_error
from gpt2_teach.stream import measure_stream, predict_stream, sweep_depths
from gpt2_teach.walk import random_walk, walk_path, walk_std
from tests.colors import linear

CONFIG = GPTConfig.preset("tiny")
MODELS = {scaled: build_gpt(CONFIG, residual_scaling=scaled, generator=0) for scaled in (True, False)}
IDS = torch.randint(256, (1, 32), generator=torch.Generator().manual_seed(0))
STREAMS = {scaled: measure_stream(model, IDS) for scaled, model in MODELS.items()}
PREDICTIONS = {scaled: predict_stream(CONFIG, tokens=32, residual_scaling=scaled) for scaled in MODELS}
COUNTS = {name: parameter_counts(GPTConfig.preset(name)) for name in ("gpt2", "gpt2-medium", "gpt2-xl")}
COSINES = [torch.linspace(-0.1, 0.1 * k, 5) for k in (1, 3, 9)]
DEPTHS = [1, 12, 24, 48]
SWEEP = sweep_depths(CONFIG, DEPTHS, tokens=8, generator=0)
BY_DEPTH = {True: [1.0, 1.1, 1.2, 1.3], False: [1.0, 2.0, 3.0, 4.0]}
GRADIENTS = {kind: [2.0, 1.0] for kind in ("attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj")}
WALKS = [walk_path(50, 8, scaled=scaled, generator=0) for scaled in (False, True)]
ESTIMATES = [float(random_walk(100, generator=seed).std()) for seed in range(60)]

EXAMPLES: dict[str, Callable[[], Figure]] = {
    "gpt2_anatomy": lambda: plots.gpt2_anatomy(GPTConfig()),
    "one_matrix_two_uses": lambda: plots.one_matrix_two_uses(GPTConfig()),
    "shares_by_size": lambda: plots.shares_by_size(COUNTS),
    "alignment_by_step": lambda: plots.alignment_by_step([0, 20, 40], {"tied": COSINES, "untied": COSINES}),
    "std_by_layer": lambda: plots.std_by_layer(initialization_table(MODELS[True])),
    "values_by_layer": lambda: plots.values_by_layer(layer_histograms(MODELS[True])),
    "gradient_by_block": lambda: plots.gradient_by_block({True: [GRADIENTS], False: [GRADIENTS]}),
    "stream_by_addition": lambda: plots.stream_by_addition(STREAMS, PREDICTIONS),
    "stream_by_depth": lambda: plots.stream_by_depth([SWEEP], BY_DEPTH),
    "stream_by_width": lambda: plots.stream_by_width([8, 16, 32, 64], BY_DEPTH, {8: SWEEP, 64: SWEEP}, 12),
    "update_shares": lambda: plots.update_shares(STREAMS[True], PREDICTIONS[True]),
    "std_estimates": lambda: plots.std_estimates(ESTIMATES, walk_std(100), std_error(10, 768), 9.8059),
    "right_angles": lambda: plots.right_angles({2: torch.randn(50) % 1, 10: torch.zeros(50)}),
    "walk_fans": lambda: plots.walk_fans(*WALKS),
    "std_by_steps": lambda: plots.std_by_steps([1, 10, 100], [1.0, 3.2, 9.9], [1.0, 1.01, 0.99]),
}
EVERY = pytest.mark.parametrize("name", sorted(EXAMPLES))


@EVERY
def test_a_plot_takes_data_and_returns_a_figure_that_nobody_else_holds(name: str) -> None:
    settings = dict(mpl.rcParams)
    figure = EXAMPLES[name]()
    assert isinstance(figure, Figure)
    assert plt.get_fignums() == []  # else a notebook shows it twice
    assert dict(mpl.rcParams) == settings


@EVERY
def test_every_axis_says_what_it_shows(name: str) -> None:
    figure = EXAMPLES[name]()
    shared = figure.get_supxlabel() and figure.get_supylabel()
    for axes in filter(lambda axes: axes.axison, figure.axes):
        spec = axes.get_subplotspec()
        assert spec is not None
        names = " ".join(label.get_text() for label in axes.get_yticklabels())
        assert shared or axes.get_xlabel() or not spec.is_last_row()
        assert shared or axes.get_ylabel() or axes.get_title("left") or re.search("[a-z]", names)


@EVERY
def test_i5_text_is_read_on_a_phone_and_calls_no_standard_deviation_a_variance(name: str) -> None:
    figure = EXAMPLES[name]()
    width = max(figure.get_tightbbox().width, figure.get_figwidth())  # inches, with what is beside the axes
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        assert "varianc" not in text.get_text().lower()
        if text.get_text().strip() and text.get_visible():
            assert float(text.get_fontsize()) / 72 / width * 350 >= 8, text  # pixels, drawn 350 px wide


def test_the_measured_points_are_the_data() -> None:
    figure = plots.stream_by_addition(STREAMS, PREDICTIONS)
    drawn = [list(line.get_ydata()) for line in figure.axes[0].lines]  # type: ignore[arg-type]
    for scaled in MODELS:
        assert STREAMS[scaled].std in drawn
        assert PREDICTIONS[scaled].std in drawn


# ---- the style itself --------------------------------------------------------------------------------------

# Machado, Oliveira and Fernandes (2009), full severity: what a dichromat sees of linear RGB.
BLINDNESS = {
    "none": [1, 0, 0, 0, 1, 0, 0, 0, 1],
    "protanopia": [0.152, 1.053, -0.205, 0.115, 0.786, 0.099, -0.004, -0.048, 1.052],
    "deuteranopia": [0.367, 0.861, -0.228, 0.280, 0.673, 0.047, -0.012, 0.043, 0.969],
    "tritanopia": [1.256, -0.077, -0.179, -0.078, 0.931, 0.148, 0.005, 0.691, 0.304],
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
    eye = np.array(BLINDNESS[blindness]).reshape(3, 3)
    seen = [lab(np.clip(eye @ linear(color), 0, 1)) for color in pair]
    assert np.linalg.norm(seen[0] - seen[1]) > 20  # 2.3 is just to be noticed


def test_a_log_axis_is_labelled_more_than_once_in_ten() -> None:
    figure = Figure()
    axes = figure.subplots()
    axes.set(yscale="log", ylim=(0.04, 64))
    style.plain_log(axes.yaxis)
    figure.canvas.draw()
    low, high = axes.get_ylim()
    labels = [label for label in axes.get_yticklabels() if low <= label.get_position()[1] <= high]
    assert [label.get_text() for label in labels] == ["0.1", "0.3", "1", "3", "10", "30"]
