"""The style of all figures: sizes, the meaning of colours, and the decorator that applies the style."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

from explorable.colors import BLUE, FAINT, GREEN, GRID, INK, ORANGE, PAPER, PURPLE, RED, SKY
from explorable.colors import PALE as PALE

# A colour has the same meaning in every chapter.
SCALED, UNSCALED = BLUE, ORANGE  # with and without residual scaling
SCALING_CHOICES = ((True, SCALED, "scaled"), (False, UNSCALED, "not scaled"))
ATTENTION, MLP = GREEN, PURPLE
INPUT, OUTPUT = SKY, RED  # the shared matrix, where it reads tokens and where it scores them

WIDE = (5.6, 3.2)  # inches; narrow, so that 12-point text is legible at 350 px on a phone
TALL = (5.6, 4.4)

STYLE: dict[str, Any] = {
    "figure.facecolor": PAPER,
    "figure.constrained_layout.use": True,
    "font.family": "DejaVu Sans",
    "font.size": 12,
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
    "xtick.color": INK,
    "ytick.color": INK,
    "lines.linewidth": 2.2,
    "legend.frameon": False,
}

P = ParamSpec("P")
R = TypeVar("R")


def in_book_style(draw: Callable[P, R]) -> Callable[P, R]:
    """Decorate a drawing function so that it draws in `STYLE` and closes the figure that it returns."""

    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> R:
        with plt.rc_context(STYLE):  # type: ignore[arg-type]
            drawn = draw(*args, **kwargs)
        if isinstance(drawn, Figure):
            plt.close(drawn)  # otherwise the notebook shows it a second time
        return drawn

    return styled


def plain_log(axis: Axis) -> None:
    """Label a logarithmic axis at 1 and 3 times every power of ten, in plain numbers."""
    axis.set_major_locator(LogLocator(subs=(1.0, 3.0), numticks=20))
    axis.set_major_formatter("{x:,g}")  # 1,000, not 10³
    axis.set_minor_locator(NullLocator())


def direct_label(
    axes: Axes, x: float, y: float, text: str, color: str, shift: tuple[float, float] = (6, 0), **options: Any
) -> None:
    """Label a point, usually the end of a line, in its own colour; `shift` is in points."""
    options = {"va": "center", **options}
    axes.annotate(text, (x, y), xytext=shift, textcoords="offset points", color=color, **options)


def arrow(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], color: str, width: float = 1.8
) -> None:
    """Draw an arrow from `start` to `end`, in data coordinates."""
    style = dict(arrowstyle="-|>", color=color, lw=width, mutation_scale=16, shrinkA=0, shrinkB=0)
    axes.annotate("", end, start, arrowprops=style, zorder=2)
