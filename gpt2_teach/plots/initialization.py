"""Figures of initial values: a histogram per layer, and the std of each matrix by layer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from gpt2_teach.histograms import Histogram
from gpt2_teach.initialization import INIT_STD, TensorStd
from gpt2_teach.plots.style import (
    ATTENTION,
    FAINT,
    INK,
    MLP,
    SCALED,
    UNSCALED,
    WIDE,
    direct_label,
    in_book_style,
)

# Color, marker, whether filled, and a shift sideways, so that kinds with equal values remain visible.
_KINDS = {
    "attn.c_attn.weight": (ATTENTION, "o", True, -0.15),
    "mlp.c_fc.weight": (MLP, "s", True, 0.15),
    "attn.c_proj.weight": (ATTENTION, "o", False, -0.15),
    "mlp.c_proj.weight": (MLP, "s", False, 0.15),
}


@in_book_style
def values_by_layer(layers: Sequence[tuple[Histogram, Histogram]]) -> Figure:
    """Plot one panel per layer: its residual projections and, behind them, its other matrices."""
    columns, rows = 3, math.ceil(len(layers) / 3)
    size = (WIDE[0], 0.7 + 1.15 * rows)
    figure, grid = plt.subplots(rows, columns, figsize=size, sharex=True, sharey=True, squeeze=False)
    grid[0, 0].set_xticks([-0.05, 0, 0.05], ["−0.05", "0", "0.05"])
    for axes in grid.flat[len(layers) :]:
        axes.set_axis_off()
    for axes, (residual, other) in zip(grid.flat, layers):
        for values, color, alpha, label in (
            (other, UNSCALED, 0.5, "the other matrices"),
            (residual, SCALED, 0.75, "residual projections"),
        ):
            density, edges = values.density.numpy(), values.edges.numpy()
            axes.stairs(density, edges, fill=True, color=color, alpha=alpha, lw=0, label=label)
        axes.text(0.04, 0.95, f"layer {residual.layer}", transform=axes.transAxes, va="top", fontsize=10)
        axes.set(ylim=(0, 1.06 * normal_density(0.0, residual.expected)))
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2)
    figure.supxlabel("value of a weight", fontsize=12)
    figure.supylabel("density (share of weights per unit)", fontsize=12)
    return figure


@in_book_style
def std_by_layer(rows: Sequence[TensorStd]) -> Figure:
    """Plot the measured std of every matrix in every layer, with a line at each std that the rule gives.

    `rows` is an `initialization_table`; embeddings, biases and LayerNorms are left out.
    """
    matrices = [row for row in rows if row.kind in _KINDS]
    figure, axes = plt.subplots(figsize=(WIDE[0], 3.7))
    for expected in sorted({row.expected for row in matrices}):
        axes.axhline(expected, color=FAINT, lw=1.2, zorder=1)
        va, up = ("top", 4) if expected < INIT_STD else ("bottom", -4)  # so that the labels do not overlap
        right_edge: dict[str, Any] = dict(xycoords=("axes fraction", "data"), va=va, fontsize=11)
        direct_label(axes, 1, expected, f"{expected:.3g}", INK, (5, up), **right_edge)
    for kind, (color, marker, filled, shift) in _KINDS.items():
        stds = [row.measured for row in matrices if row.kind == kind]  # in the order of the layers
        layers = range(len(stds))
        face, label = color if filled else "white", kind.removesuffix(".weight")
        x = [layer + shift for layer in layers]
        axes.plot(x, stds, marker, color=color, markerfacecolor=face, ms=5.5, mew=1.6, label=label)
    axes.set(xlabel="layer", ylabel="std of the weights", xticks=layers[:: 1 + (len(layers) - 1) // 12])
    axes.set_ylim(0, 1.15 * max(row.measured for row in matrices))
    axes.grid(axis="x", visible=False)
    figure.legend(loc="outside upper center", ncols=2, columnspacing=1.2, handletextpad=0.2)
    return figure


def normal_density(x: npt.ArrayLike, std: float) -> Any:
    """Return the density of N(0, std²) at `x`.

    >>> f"{normal_density(0.0, 0.02):.2f}"
    '19.95'
    """
    return np.exp(-((np.asarray(x) / std) ** 2) / 2) / (std * (2 * np.pi) ** 0.5)
