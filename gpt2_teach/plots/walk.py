"""Figures of the random walk: its estimates, its paths, its spread by number of steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter
from torch import Tensor

from gpt2_teach.plots.style import (
    FAINT,
    INK,
    PLAIN,
    SCALED,
    TALL,
    UNSCALED,
    WIDE,
    direct_label,
    in_book_style,
)
from gpt2_teach.random_walk import walk_std


@in_book_style
def std_estimates(estimates: Sequence[float], law: float, error: float, printed: float) -> Figure:
    """How std estimates of repeated walks scatter about the law, and where one printed value falls.

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
    axes.annotate("law: √n", (law, top), xytext=(5, -14), textcoords="offset points", color=INK)
    axes.annotate("printed in\nthe source", (printed, top), xytext=(-5, -14), textcoords="offset points",
                  color=UNSCALED, ha="right", va="center")
    axes.set(xlabel="std of x, one walk of 100 steps (grey: law ± 2 standard errors)", ylabel="walks")
    axes.grid(axis="x", visible=False)
    return figure


@in_book_style
def walk_fans(unscaled: Tensor, scaled: Tensor) -> Figure:
    """Paths of walkers, (n + 1, walkers) each, inside the law of one and two standard deviations."""
    figure, panels = plt.subplots(1, 2, figsize=WIDE, sharex=True)
    for axes, path, color, title in (
        (panels[0], unscaled, UNSCALED, "steps of std 1"),
        (panels[1], scaled, SCALED, "steps of std 1/√n"),
    ):
        steps = np.arange(len(path))
        law = np.sqrt(steps) * (1.0 if path is unscaled else (len(path) - 1) ** -0.5)
        axes.plot(steps, path.numpy(), color=color, lw=0.7, alpha=0.45)
        for k in (-2, -1, 1, 2):
            axes.plot(steps, k * law, color=INK, lw=1.2, ls="-" if abs(k) == 1 else ":")
        axes.set(title=title, xlabel="step")
        bound = float(4 * law[-1])
        axes.set_ylim(-bound, bound)
    panels[0].set_ylabel("position of one coordinate")
    return figure


@in_book_style
def walk_histograms(walks: Mapping[int, tuple[Tensor, Tensor]]) -> Figure:
    """Where the coordinates end, a row for each number of steps: `{n: (unscaled, scaled)}`, with the law."""
    figure, panels = plt.subplots(len(walks), 2, figsize=(WIDE[0], 1.4 * len(walks) + 0.4), sharex="col")
    for row, (n, (unscaled, scaled)) in zip(panels, walks.items(), strict=True):
        widest = walk_std(max(walks))
        for axes, x, color, is_scaled, reach in (
            (row[0], unscaled, UNSCALED, False, 3.2 * widest), (row[1], scaled, SCALED, True, 4.0)
        ):
            law = walk_std(n, scaled=is_scaled)
            heights, edges = np.histogram(x.numpy(), bins=np.linspace(-4 * law, 4 * law, 41), density=True)
            axes.stairs(heights, edges, fill=True, color=color, alpha=0.45)
            grid = np.linspace(-reach, reach, 801)
            axes.plot(grid, np.exp(-0.5 * (grid / law) ** 2) / (law * np.sqrt(2 * np.pi)), color=INK, lw=1.2)
            axes.set(yticks=[], xlim=(-reach, reach))
            axes.spines["left"].set_visible(False)
            axes.grid(visible=False)
            axes.set_title(f"n = {n:,}: std {x.std():#.3g}", color=color)
    for axes, steps in zip(panels[-1], ("steps of std 1", "steps of std 1/√n"), strict=True):
        axes.set_xlabel(f"position after n {steps}")
    return figure


@in_book_style
def std_by_steps(ns: Sequence[int], unscaled: Sequence[float], scaled: Sequence[float]) -> Figure:
    """Measured std of the position against the number of steps, both on log axes, with the law as lines."""
    figure, axes = plt.subplots(figsize=WIDE)
    for values, color, is_scaled, name in (
        (unscaled, UNSCALED, False, "not scaled: √n"), (scaled, SCALED, True, "scaled: 1")
    ):
        law = [walk_std(n, scaled=is_scaled) for n in ns]
        axes.plot(ns, law, color=color, lw=1.4)
        axes.plot(ns, values, "o", color=color, ms=5)
        direct_label(axes, ns[-1], law[-1], name, color)
    axes.set(xscale="log", yscale="log", xlabel="number of steps n", ylabel="std of the position")
    axes.set_ylim(0.5, 2 * max(unscaled))
    axes.margins(x=0.02)
    _plain_log_axes(axes)
    return figure


@in_book_style
def std_by_correlation(ns: Sequence[int], measured: Mapping[float, Sequence[float]]) -> Figure:
    """Std of the scaled walk against n for several correlations of the steps: `{rho: stds}`, with the law."""
    figure, axes = plt.subplots(figsize=TALL)
    colors = plt.get_cmap("viridis")(np.linspace(0.55, 0.0, len(measured)))
    for color, (rho, values) in zip(colors, measured.items(), strict=True):
        every = sorted({round(n) for n in np.geomspace(ns[0], ns[-1], 60)})
        law = [walk_std(n, scaled=True, rho=rho) for n in every]
        axes.plot(every, law, color=color, lw=1.4)
        axes.plot(ns, values, "o", color=color, ms=5)
        direct_label(axes, ns[-1], law[-1], f"ρ = {rho:g}", color)
    axes.set(xscale="log", yscale="log", xlabel="number of steps n", ylabel="std of the scaled position")
    axes.set_ylim(bottom=0.7)
    _plain_log_axes(axes)
    return figure


def _plain_log_axes(axes: Axes) -> None:
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PLAIN)
        axis.set_minor_formatter(NullFormatter())
