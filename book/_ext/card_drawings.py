"""Small drawings without text of the book's ideas, for its cover and its social cards."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from gpt2_teach.plots.style import FAINT, INK, OUTPUT, SCALED, UNSCALED

STEPS, WALKS = 24, 14  # additions in GPT-2 small; paths that can still be distinguished


def empty_axes(axes: Axes, width: float, height: float) -> None:
    """Hide the axes and set their limits, with equal units in both directions."""
    axes.set(xlim=(0, width), ylim=(-height / 2, height / 2), aspect="equal")
    axes.set_axis_off()


def matrix(axes: Axes, x: float, *, rows: int = 10, columns: int = 5, cell: float = 0.4) -> None:
    """Draw a matrix of fixed random values with its left edge at `x`."""
    values = np.clip(np.abs(np.random.default_rng(0).normal(size=(rows, columns))) / 2.2, 0.06, 1)
    for (row, column), value in np.ndenumerate(values):
        corner = x + column * cell, (rows / 2 - 1 - row) * cell
        axes.add_patch(Rectangle(corner, cell, cell, facecolor=OUTPUT, alpha=float(value), lw=0))
    axes.add_patch(
        Rectangle((x, -rows / 2 * cell), columns * cell, rows * cell, fill=False, ec=OUTPUT, lw=2.5)
    )


def walk(axes: Axes, x: float, width: float, spread: float) -> None:
    """Draw random walks: unscaled ones (orange) reach `spread` at 2 std, scaled ones (blue) a third of it."""
    steps = np.random.default_rng(3).normal(size=(2, WALKS, STEPS))
    paths = (
        np.concatenate([np.zeros((2, WALKS, 1)), steps.cumsum(axis=2)], axis=2) * spread / (2 * STEPS**0.5)
    )
    along = x + np.arange(STEPS + 1) / STEPS * width
    for unscaled in paths[0]:
        axes.plot(along, unscaled, color=UNSCALED, lw=1.1, alpha=0.45)
    for scaled in paths[1] / 3:
        axes.plot(along, scaled, color=SCALED, lw=1.4, alpha=0.75)
    law = spread * np.sqrt(np.arange(STEPS + 1) / STEPS)
    for sign in (1, -1):
        axes.plot(along, sign * law, color=INK, lw=1.2, ls=(0, (4, 3)))


def tied(axes: Axes, *, width: float = 12, height: float = 5) -> None:
    """Draw the whole book: one matrix at both ends, and between them the residual stream."""
    empty_axes(axes, width, height)
    left, right, edge = 0.1, width - 2.1, 2.0
    axes.plot([left + 1, left + 1, right + 1, right + 1], [edge, 2.4, 2.4, edge], color=OUTPUT, lw=2.5)
    matrix(axes, left)
    matrix(axes, right)
    walk(axes, left + 2.0, right - left - 2.0, 1.8)


def hills(axes: Axes, *, width: float = 5, height: float = 5) -> None:
    """Draw two normal distributions, of unscaled and of scaled initial values."""
    empty_axes(axes, width, height)
    along = np.linspace(0, width, 200)
    for std, color in ((0.9, UNSCALED), (0.3, SCALED)):
        density = 1.25 / std * np.exp(-((along - width / 2) ** 2) / (2 * std**2))
        axes.fill_between(along, -2, density - 2, color=color, alpha=0.55, lw=0)
        axes.plot(along, density - 2, color=color, lw=2.5)
    axes.plot([0, width], [-2, -2], color=FAINT, lw=1.5)


def fan(axes: Axes, *, width: float = 5, height: float = 5) -> None:
    """Draw only the random walks."""
    empty_axes(axes, width, height)
    walk(axes, 0, width, 2.2)


def stream(axes: Axes, *, width: float = 5, height: float = 5) -> None:
    """Draw the std of the stream by depth, growing and constant."""
    empty_axes(axes, width, height)
    depth = np.linspace(0, 1, 9)
    axes.plot([0, 0, width], [2.2, -2.2, -2.2], color=FAINT, lw=1.5)
    for level, color in ((-1.2 + 3 * np.sqrt(depth), UNSCALED), (0 * depth - 1.2, SCALED)):
        axes.plot(0.3 + depth * (width - 0.6), level, color=color, lw=2.5, marker="o", ms=9)


def one_matrix(axes: Axes, *, width: float = 5, height: float = 5) -> None:
    """Draw one matrix twice, joined by a line."""
    empty_axes(axes, width, height)
    axes.plot([1.1, 1.1, width - 1.1, width - 1.1], [2.0, 2.4, 2.4, 2.0], color=OUTPUT, lw=2.5)
    matrix(axes, 0.1)
    matrix(axes, width - 2.1)
