"""Figures of the residual stream: its std within a model, by depth and by width, and gradients."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from gpt2_teach.plots.style import (
    ATTENTION,
    INK,
    MLP,
    SCALING_CHOICES,
    TALL,
    WIDE,
    direct_label,
    in_book_style,
    plain_log,
)
from gpt2_teach.stream import Stream, StreamPrediction, Sweep

_ADDITIONS = "residual additions so far (0 is the embedding)"


@in_book_style
def stream_by_addition(
    streams: Mapping[bool, Stream], predictions: Mapping[bool, StreamPrediction]
) -> Figure:
    """Plot the std of the stream after each addition, with (True) and without (False) residual scaling."""
    figure, axes = plt.subplots(figsize=WIDE)
    for choice, color, name in SCALING_CHOICES:
        measured = streams[choice].std
        axes.plot(predictions[choice].std, color=color, lw=1.4)
        axes.plot(measured, "o", color=color, ms=4.5)
        direct_label(axes, len(measured) - 1, measured[-1], name, color)
    axes.axhline(1, color=INK, lw=1, ls=":")
    direct_label(axes, 0, 1, "one", INK, (0, 4), va="baseline")
    axes.set(xlabel=_ADDITIONS, ylabel="std of the stream", ylim=(0, None))
    return figure


@in_book_style
def stream_by_depth(sweeps: Sequence[Sweep], predictions: Mapping[bool, Sequence[float]]) -> Figure:
    """Plot the std after the last block by depth: one dot per model, and a line for the prediction."""
    figure, axes = plt.subplots(figsize=TALL)
    depths = sweeps[0].depths
    for choice, color, name in SCALING_CHOICES:
        axes.plot(depths, predictions[choice], color=color, lw=1.4)
        for sweep in sweeps:
            axes.plot(depths, sweep.scaled if choice else sweep.unscaled, "o", color=color, ms=4, alpha=0.6)
        direct_label(axes, depths[-1], predictions[choice][-1], name, color)
    axes.set(xlabel="number of layers", ylabel="std of the stream after the last block", ylim=(0, None))
    axes.set_xticks([1, 12, 24, 36, 48])
    return figure


@in_book_style
def update_shares(stream: Stream, prediction: StreamPrediction) -> Figure:
    """Plot the std of each update by block (left) and the mean cosine between positions (right)."""
    figure, (left, right) = plt.subplots(1, 2, figsize=WIDE)
    layers = np.arange(1, len(stream.update_std) // 2 + 1)
    for start, color, name in ((1, MLP, "MLP"), (0, ATTENTION, "attention")):
        left.plot(layers, prediction.update_std[start::2], color=color, lw=1.4)
        left.plot(layers, stream.update_std[start::2], "o", color=color, ms=4.5)
        last = stream.update_std[start::2][-1]
        direct_label(left, layers[-1], last, name, color, (0, -34), ha="right", va="baseline")
    left.set(title="std of what is added", xlabel="block", ylim=(0, None), xticks=[1, *layers[3::4]])
    right.plot(prediction.cosine, color=INK, lw=1.4)
    right.plot(stream.cosine, "o", color=INK, ms=4)
    right.set(title="cosine of two positions", xlabel="residual additions so far", ylim=(-0.02, 1))
    return figure


@in_book_style
def stream_by_width(
    widths: Sequence[int],
    predictions: Mapping[bool, Sequence[float]],
    measured: Mapping[int, Sweep],
    n_layer: int,
) -> Figure:
    """Plot the std after the last of `n_layer` blocks against the width.

    `measured` maps each width to a sweep that includes that depth.
    """
    figure, axes = plt.subplots(figsize=WIDE)
    for choice, color, name in SCALING_CHOICES:
        axes.plot(widths, predictions[choice], color=color, lw=1.4)
        direct_label(axes, widths[-1], predictions[choice][-1], name, color)
        dots = [(s.scaled if choice else s.unscaled)[s.depths.index(n_layer)] for s in measured.values()]
        axes.plot(list(measured), dots, "o", color=color, ms=5)
    axes.axhline(1, color=INK, lw=1, ls=":")
    axes.set(xscale="log", yscale="log", xlabel="width n_embd", ylabel=f"std after {n_layer} layers")
    ticks: list[int] = []
    for width in sorted(measured, reverse=True):  # only labels that do not overlap
        if not ticks or ticks[-1] >= 1.5 * width:
            ticks.append(width)
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()
    plain_log(axes.yaxis)
    return figure


@in_book_style
def gradient_by_block(gradients: Mapping[bool, Sequence[Mapping[str, Sequence[float]]]]) -> Figure:
    """Plot the norm of each matrix's gradient by block, averaged over models, on a log axis.

    `gradients` has the results of `parameter_gradients` for several models with residual scaling (True) and
    without (False). Left are the matrices that read the stream, right those that write to it.
    """
    figure, panels = plt.subplots(1, 2, figsize=WIDE, sharey=True)
    titles = "c_attn and c_fc read", "c_proj writes"
    kinds = (("attn.c_attn", "mlp.c_fc"), ("attn.c_proj", "mlp.c_proj"))
    for axes, title, pair in zip(panels, titles, kinds):
        for choice, color, name in SCALING_CHOICES:
            for kind, line in zip(pair, ("--", "-")):
                norms = np.mean([model[kind] for model in gradients[choice]], axis=0)  # (n_layer,)
                axes.plot(range(1, len(norms) + 1), norms, line, color=color, label=name)
        axes.set(title=title, xlabel="block", yscale="log", xticks=[1, *range(4, len(norms) + 1, 4)])
    panels[0].set_ylabel("norm of the gradient")
    plain_log(panels[0].yaxis)
    handles, _ = panels[0].get_legend_handles_labels()
    labels = [f"{name}, {branch}" for _, _, name in SCALING_CHOICES for branch in ("attention", "MLP")]
    figure.legend(handles, labels, loc="outside upper center", ncols=2, columnspacing=1.2)
    return figure
