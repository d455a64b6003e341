"""Panels that are quick to draw: placed by hand, and logarithmic by their numbers instead of their scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure


def blank(width: float, height: float) -> Figure:
    """An empty figure of that many inches, without a layout engine."""
    return plt.figure(figsize=(width, height), layout="none")


def panel(figure: Figure, box: tuple[float, float, float, float], **settings: Any) -> Axes:
    """Axes at `box`: left, bottom, width and height in inches; `settings` as `Axes.set` takes them."""
    width, height = figure.get_size_inches()
    left, bottom, wide, high = box
    axes = figure.add_axes((left / width, bottom / height, wide / width, high / height))
    axes.set(**settings)
    return axes


def log_ticks(axes: Axes, which: Literal["x", "y"], ticks: Sequence[float]) -> None:
    """Label an axis that shows log10 of its numbers with the numbers themselves."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_ticks(np.log10(ticks).tolist(), [f"{tick:,g}" for tick in ticks])
