"""One look for every figure of the book: its colours, its sizes, and the decorator that applies them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from explorable.colors import BLUE, FAINT, GREEN, GRID, INK, ORANGE, PAPER, PURPLE, RED, SKY
from explorable.colors import PALE as PALE

# What a colour means is the same in every chapter.
SCALED, UNSCALED = BLUE, ORANGE  # with and without residual scaling
ATTENTION, MLP = GREEN, PURPLE
INPUT, OUTPUT = SKY, RED  # the shared matrix as it reads and as it scores

WIDE = (5.6, 3.2)  # inches; narrow, so that 12-point text is still read when a phone shows it at 350 px
TALL = (5.6, 4.4)

STYLE: dict[str, Any] = {
    "figure.facecolor": PAPER,
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 12,
    "axes.labelsize": 12,
    "axes.titlesize": 12,
    "legend.fontsize": 11,
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": INK,
    "ytick.color": INK,
    "lines.linewidth": 2.2,
    "legend.frameon": False,
}

PLAIN = FuncFormatter(lambda value, _: f"{value:,g}")  # 1,000 on a log axis, not 10³

P = ParamSpec("P")


def in_book_style(draw: Callable[P, Figure]) -> Callable[P, Figure]:
    """Run a drawing function under `STYLE`, and hand its figure over to whoever shows it, once."""

    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> Figure:
        with plt.rc_context(STYLE):  # type: ignore[arg-type]
            figure = draw(*args, **kwargs)
            plt.close(figure)  # else the notebook shows it a second time at the end of the cell
        return figure

    return styled


def plain_log(axis: Axis) -> None:
    """Label a logarithmic axis at 1 and 3 of every power of ten, in plain numbers."""
    axis.set_major_locator(LogLocator(subs=(1.0, 3.0), numticks=20))
    axis.set_major_formatter(PLAIN)
    axis.set_minor_locator(NullLocator())


def direct_label(axes: Axes, x: float, y: float, text: str, color: str, **where: object) -> None:
    """Name a line where it ends, in its own colour, so that no legend has to be looked up."""
    axes.annotate(text, (x, y), xytext=(6, 0), textcoords="offset points", color=color, va="center", **where)  # type: ignore[arg-type]
