"""Figures of the random walk: estimates of its std, its paths, right angles, and its std by steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from torch import Tensor

from gpt2_teach.plots.style import (
    FAINT,
    INK,
    SCALED,
    SCALING_CHOICES,
    UNSCALED,
    WIDE,
    arrow,
    direct_label,
    in_book_style,
    plain_log,
)
from gpt2_teach.walk import walk_std


@in_book_style
def std_estimates(estimates: Sequence[float], law: float, error: float, printed: float) -> Figure:
    """Plot how the estimated std of repeated walks scatters around the law, and mark one printed value.

    `error` is the standard error of one estimate, in the units of `law`.
    """
    figure, axes = plt.subplots(figsize=WIDE)
    heights, edges = np.histogram(estimates, bins=30)
    axes.stairs(heights, edges, fill=True, color=UNSCALED, alpha=0.45)
    axes.axvspan(law - 2 * error, law + 2 * error, color=FAINT, alpha=0.15, lw=0)
    axes.axvline(law, color=INK, lw=1.5)
    axes.axvline(printed, color=UNSCALED, lw=2.2, ls="--")
    top = axes.get_ylim()[1] * 1.18
    axes.set_ylim(0, top)
    direct_label(axes, law, top, "law: √n", INK, (5, -14), va="baseline")
    direct_label(axes, printed, top, "printed in\nthe source", UNSCALED, (-5, -14), ha="right")
    axes.set(xlabel="std of x, one walk of 100 steps (grey: law ± 2 standard errors)", ylabel="walks")
    axes.grid(axis="x", visible=False)
    return figure


@in_book_style
def walk_fans(unscaled: Tensor, scaled: Tensor) -> Figure:
    """Plot paths, (n + 1, walkers) each, with lines at one and two of the law's standard deviations."""
    figure, panels = plt.subplots(1, 2, figsize=WIDE, sharex=True)
    steps = np.arange(len(unscaled))
    for axes, path, color, step_std, title in (
        (panels[0], unscaled, UNSCALED, 1.0, "steps of std 1"),
        (panels[1], scaled, SCALED, steps[-1] ** -0.5, "steps of std 1/√n"),
    ):
        law = np.sqrt(steps) * step_std
        axes.plot(steps, path.numpy(), color=color, lw=0.7, alpha=0.45)
        for k in (-2, -1, 1, 2):
            axes.plot(steps, k * law, color=INK, lw=1.2, ls="-" if abs(k) == 1 else ":")
        axes.set(title=title, xlabel="step")
        axes.set_ylim(-4 * law[-1], 4 * law[-1])
    panels[0].set_ylabel("position of one coordinate")
    return figure


@in_book_style
def right_angles(cosines: Mapping[int, Tensor]) -> Figure:
    """Plot the distribution of cosines between random vectors by width, and two steps at a right angle."""
    figure, (left, right) = plt.subplots(1, 2, figsize=WIDE, width_ratios=(3, 2))
    for alpha, (width, values) in zip(np.linspace(0.25, 1, len(cosines)), cosines.items()):
        density, edges = np.histogram(values.numpy(), bins=np.linspace(-1, 1, 81), density=True)
        left.stairs(density, edges, color=UNSCALED, alpha=alpha, lw=1.8, label=f"{width}")
    left.set(title="two random vectors", xlabel="cosine", yticks=[], xticks=[-1, 0, 1], ylim=(0, None))
    left.legend(title="width", loc="upper left")
    right.set(title="two steps", xlim=(-0.1, 1.25), ylim=(-0.25, 1.1), aspect="equal")
    right.set_axis_off()
    for start, end, color in (((0, 0), (1, 0), UNSCALED), ((1, 0), (1, 1), UNSCALED), ((0, 0), (1, 1), INK)):
        arrow(right, start, end, color, 2)
    for x, y, text in ((0.5, -0.13, "1"), (1.1, 0.45, "1"), (0.3, 0.6, "√2")):
        right.text(x, y, text, ha="center", va="center")
    return figure


@in_book_style
def std_by_steps(ns: Sequence[int], unscaled: Sequence[float], scaled: Sequence[float]) -> Figure:
    """Plot the measured std of the position against the number of steps on log axes, with the law."""
    figure, axes = plt.subplots(figsize=WIDE)
    for is_scaled, color, name in SCALING_CHOICES:
        law = [walk_std(n, scaled=is_scaled) for n in ns]
        axes.plot(ns, law, color=color, lw=1.4)
        axes.plot(ns, scaled if is_scaled else unscaled, "o", color=color, ms=5)
        direct_label(axes, ns[-1], law[-1], f"{name}: {'1' if is_scaled else '√n'}", color)
    axes.set(xscale="log", yscale="log", xlabel="number of steps n", ylabel="std of the position")
    axes.set_ylim(0.5, 2 * max(unscaled))
    axes.margins(x=0.02)
    plain_log(axes.xaxis)
    plain_log(axes.yaxis)
    return figure
