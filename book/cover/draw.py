"""Draws the cover of the book, and the same picture for social cards: `python book/cover/draw.py`."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from gpt2_teach.plots.style import INK, OUTPUT, SCALED, UNSCALED

STEPS, WALKS = 24, 14  # additions in GPT-2 small; paths that can still be distinguished


def draw_matrix(axes: Axes, left: float) -> None:
    """Draw a matrix of fixed random values, 2 wide and 4 high."""
    values = np.clip(np.abs(np.random.default_rng(0).normal(size=(10, 5))) / 2.2, 0.06, 1)
    for (row, column), value in np.ndenumerate(values):
        corner = left + 0.4 * column, 1.6 - 0.4 * row
        axes.add_patch(Rectangle(corner, 0.4, 0.4, facecolor=OUTPUT, alpha=float(value), lw=0))
    axes.add_patch(Rectangle((left, -2), 2, 4, fill=False, ec=OUTPUT, lw=2.5))


def draw_walks(axes: Axes, left: float, right: float, spread: float) -> None:
    """Draw random walks: unscaled ones (orange) reach `spread` at 2 std, scaled ones (blue) a third of it."""
    steps = np.random.default_rng(3).normal(size=(2, WALKS, STEPS)) * spread / (2 * STEPS**0.5)
    paths = np.concatenate([np.zeros((2, WALKS, 1)), steps.cumsum(axis=2)], axis=2)
    along = np.linspace(left, right, STEPS + 1)
    axes.plot(along, paths[0].T, color=UNSCALED, lw=1.1, alpha=0.45)
    axes.plot(along, paths[1].T / 3, color=SCALED, lw=1.4, alpha=0.75)
    law = spread * np.sqrt(np.arange(STEPS + 1) / STEPS)
    for sign in (1, -1):
        axes.plot(along, sign * law, color=INK, lw=1.2, ls=(0, (4, 3)))


def draw_cover(folder: Path) -> None:
    """Draw one matrix at both ends, and between them the residual stream."""
    figure = plt.figure(figsize=(9, 3.75))
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, 12), ylim=(-2.5, 2.5), aspect="equal")
    axes.set_axis_off()
    axes.plot([1.1, 1.1, 10.9, 10.9], [2, 2.4, 2.4, 2], color=OUTPUT, lw=2.5)
    draw_matrix(axes, 0.1)
    draw_matrix(axes, 9.9)
    draw_walks(axes, 2.1, 9.9, 1.8)
    plt.rcParams["svg.hashsalt"] = "cover"  # the same bytes each time
    figure.savefig(folder / "cover.svg", transparent=True, metadata={"Date": None})
    figure.savefig(folder / "cover.png", transparent=True, dpi=50)


if __name__ == "__main__":
    draw_cover(Path(__file__).parent)
