"""The anatomy of GPT-2: one stream, two additions per block, and one matrix at both ends."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from gpt2_teach.config import GPTConfig
from gpt2_teach.plots.style import ATTENTION, FAINT, INK, MLP, OUTPUT, SCALED, arrow, in_book_style

_STREAM = 5.4  # x of the stream, in a drawing 10 wide and 12 high
_BRANCH = 7.6


@in_book_style
def gpt2_anatomy(config: GPTConfig) -> Figure:
    """Draw a GPT-2 with the sizes in `config`, from token ids at the top to logits at the bottom."""
    figure, axes = plt.subplots(figsize=(5.6, 6.6))
    axes.set(xlim=(0, 10), ylim=(0, 12))
    axes.set_axis_off()

    arrow(axes, (_STREAM, 11.4), (_STREAM, 10.9), INK)
    arrow(axes, (_STREAM, 10.1), (_STREAM, 2.1), SCALED, width=5)
    arrow(axes, (_STREAM, 1.3), (_STREAM, 0.75), INK)
    axes.text(_STREAM, 11.65, "token ids", ha="center", va="center")
    axes.text(_STREAM, 0.4, f"logits, {config.vocab_size:,} for each position", ha="center", va="center")
    stream = f"the residual stream,\n{config.n_embd} channels"
    axes.text(_STREAM + 0.35, 9.2, stream, color=SCALED, va="center")

    # the one matrix, and its two uses
    axes.plot([_STREAM, 1.9, 1.9, _STREAM], [10.5, 10.5, 1.7, 1.7], color=OUTPUT, lw=2.2)
    for y, name in ((10.5, "wte"), (1.7, "lm_head")):
        _box(axes, (_STREAM, y), 2.2, 0.8, name, OUTPUT)
    words = "reads a token\nat the top,\nscores it at\nthe bottom"
    matrix = f"one matrix\n\n{config.vocab_size:,} × {config.n_embd}\n\n{words}"
    _box(axes, (1.9, 6.1), 2.9, 3.5, matrix, OUTPUT)
    axes.text(_STREAM + 1.3, 10.5, "+  wpe, the position", va="center")

    # one block, drawn once
    _frame(axes, (6.85, 5.95), 5.7, 4.4, FAINT, linestyle="--", linewidth=1.2)
    axes.text(9.7, 3.4, f"{config.n_layer} blocks, {config.n_residual} additions", ha="right", va="center")
    for top, name, color in ((7.75, "ln_1, attention", ATTENTION), (5.6, "ln_2, MLP", MLP)):
        arrow(axes, (_STREAM, top - 0.1), (_BRANCH - 1.14, top - 0.72), color)
        _box(axes, (_BRANCH + 0.35, top - 0.72), 2.9, 0.74, name, color)
        arrow(axes, (_BRANCH, top - 1.1), (_STREAM + 0.24, top - 1.45), color)
        circle = dict(boxstyle="circle,pad=0.15", facecolor=color, edgecolor="white")
        axes.text(_STREAM, top - 1.47, "+", ha="center", va="center", color="white", zorder=4, bbox=circle)
        axes.text(_BRANCH - 0.25, top - 1.55, "c_proj, scaled", color=color, va="center", fontsize=11)
    _box(axes, (_STREAM, 2.75), 2.2, 0.6, "ln_f", INK)
    return figure


def _frame(
    axes: Axes, center: tuple[float, float], width: float, height: float, color: str, **line: Any
) -> None:
    corner = center[0] - width / 2, center[1] - height / 2
    round_box = "round,pad=0,rounding_size=0.15"
    axes.add_patch(
        FancyBboxPatch(corner, width, height, boxstyle=round_box, facecolor="white", edgecolor=color, **line)
    )


def _box(axes: Axes, center: tuple[float, float], width: float, height: float, text: str, color: str) -> None:
    _frame(axes, center, width, height, color, linewidth=2, zorder=3)
    axes.text(*center, text, ha="center", va="center", color=color, zorder=4)
