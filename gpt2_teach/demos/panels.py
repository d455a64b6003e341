"""Panels that are quick to draw: placed by hand, with logarithms plotted on linear axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure


def blank(width: float, height: float) -> Figure:
    """Return an empty figure of the given size in inches, without a layout engine."""
    return Figure(figsize=(width, height), layout="none")  # type: ignore[arg-type]


def panel(figure: Figure, box: tuple[float, float, float, float], **settings: Any) -> Axes:
    """Add axes at `box`: left, bottom, width and height in inches; `settings` are passed to `Axes.set`."""
    width, height = figure.get_size_inches()
    left, bottom, wide, high = box
    axes = figure.add_axes((left / width, bottom / height, wide / width, high / height))
    axes.set(**settings)
    return axes


def log_ticks(axis: Axis, ticks: Sequence[float]) -> None:
    """Label an axis of base-10 logarithms with the numbers themselves."""
    axis.set_ticks(np.log10(ticks).tolist(), [f"{tick:,g}" for tick in ticks])
