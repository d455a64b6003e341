"""Figures of parameter sharing: the matrix at both ends, its share of the model, and untied rows apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import torch
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle
from torch import Tensor

from gpt2_teach.config import GPTConfig
from gpt2_teach.parameter_counts import ParameterCounts
from gpt2_teach.plots.style import FAINT, INK, INPUT, OUTPUT, PALE, WIDE, arrow, direct_label, in_book_style


@in_book_style
def one_matrix_two_uses(config: GPTConfig) -> Figure:
    """Draw the path of one token through GPT-2, with the shared matrix at both ends."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0))
    axes.set(xlim=(0, 64), ylim=(0, 40))
    axes.set_axis_off()

    size = f"{config.vocab_size:,} rows, {config.n_embd} columns"
    axes.text(32, 38.4, f"one matrix W: {size}", ha="center", va="center")
    for k in range(8):  # one row per token
        row = INPUT if k == 5 else PALE
        axes.add_patch(Rectangle((20, 35 - 2 * k), 24, 1.6, facecolor=row, edgecolor="white", lw=1))
    axes.text(18.8, 25.8, "row id", ha="right", va="center")
    axes.add_patch(Rectangle((45.2, 21), 1.2, 15.6, facecolor=OUTPUT, edgecolor="none"))
    axes.text(47.6, 28.8, "all rows", ha="left", va="center")

    for x, width, text, below in (
        (0.5, 8.5, "id", "a token"),
        (13.5, 12, "W[id]", f"{config.n_embd} numbers"),
        (30, 11.5, f"{config.n_layer} blocks", "and ln_f"),
        (46, 4, "h", ""),
        (54, 9.5, "logits", f"{config.vocab_size:,}"),
    ):
        axes.add_patch(
            FancyBboxPatch((x, 7), width, 5, boxstyle="round,pad=0.2", facecolor="white", edgecolor=FAINT)
        )
        axes.text(x + width / 2, 9.5, text, ha="center", va="center")
        axes.text(x + width / 2, 4.2, below, ha="center", va="center", color=FAINT, fontsize=11)
    for start, end in ((9.5, 13), (26, 29.5), (42, 45.5), (50.5, 53.5)):
        arrow(axes, (start, 9.5), (end, 9.5), FAINT, 1.6)
    arrow(axes, (20, 25.8), (19.5, 12.6), INPUT, 3)
    arrow(axes, (45.8, 20.6), (52, 10.4), OUTPUT, 3)
    axes.text(17.6, 16.8, "wte reads", ha="right", va="center", weight="bold")
    scores = "lm_head scores:\nh · each row"
    axes.text(51.2, 16.8, scores, ha="left", va="center", weight="bold", linespacing=1.3)
    return figure


@in_book_style
def shares_by_size(counts: Mapping[str, ParameterCounts]) -> Figure:
    """Plot the parameters of each untied model: the matrix, its copy, and everything else."""
    figure, axes = plt.subplots(figsize=WIDE)
    for y, count in enumerate(counts.values()):
        share = 100 * count.share_of_untied
        axes.barh(y, 100 - 2 * share, color=PALE)
        axes.barh(y, share, left=100 - 2 * share, color=FAINT)
        axes.barh(y, share, left=100 - share, color="white", edgecolor=FAINT, hatch="///", lw=1.2)
        axes.text(101.5, y, f"{share:.1f} %", va="center")
        axes.text(1.5, y, f"{(count.tied - count.shared) / 1e6:,.0f} million", va="center")
    first = 100 * next(iter(counts.values())).share_of_untied
    for x, text in (
        (50 - first, "everything else"),
        (100 - 1.5 * first, "matrix"),
        (100 - first / 2, "its copy"),
    ):
        axes.text(x, -0.5, text, ha="center", va="bottom", fontsize=11)
    axes.set_yticks(range(len(counts)), counts)
    axes.set(xlim=(0, 116), ylim=(len(counts) - 0.5, -1.0), xlabel="percent of the untied model's parameters")
    axes.set_xticks(range(0, 101, 25))
    axes.grid(visible=False)
    return figure


@in_book_style
def alignment_by_step(steps: Sequence[int], cosines: Mapping[str, Sequence[Tensor]]) -> Figure:
    """Plot the cosine between the row that reads a token and the row that scores it: mean and range by step.

    `cosines` maps the name of each model to one tensor of shape (tokens,) per step.
    """
    figure, axes = plt.subplots(figsize=WIDE)
    for (name, series), color, style in zip(cosines.items(), (INK, FAINT), ("-", "--")):
        middle = [float(values.mean()) for values in series]
        low, high = ([float(end(values)) for values in series] for end in (torch.min, torch.max))
        axes.fill_between(steps, low, high, color=color, alpha=0.15, lw=0)
        axes.plot(steps, middle, color=color, ls=style)
        direct_label(axes, steps[-1], middle[-1], name, INK)
    axes.set(xlim=(0, steps[-1] * 1.28), ylim=(-0.05, 1.1))
    axes.set(xlabel="optimizer step", ylabel="cosine of the two rows")
    axes.set_xticks([step for step in steps if step % 10 == 0])
    return figure
