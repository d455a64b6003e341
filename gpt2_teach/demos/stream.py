"""The demos of chapter 4: the residual stream by depth and by width."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure

from explorable.figure_svg import Draw
from gpt2_teach.demos.panels import blank, log_ticks, panel
from gpt2_teach.plots.style import FAINT, INK, SCALING_CHOICES, direct_label, in_book_style
from gpt2_teach.stream import StreamPrediction, Sweep


def stream_of_depth(sweep: Sweep, predictions: Mapping[bool, Sequence[StreamPrediction]]) -> Draw:
    """Return a function that draws the stream in a model of `n_layer` layers, and the final std by depth.

    `predictions` has one entry per depth of the sweep, with residual scaling (True) and without (False).
    """

    @in_book_style
    def draw(n_layer: int) -> tuple[Figure, str]:
        at = sweep.depths.index(n_layer)
        figure = blank(5.6, 3.6)
        depth, top = max(sweep.depths), 1.1 * max(sweep.unscaled)
        left = panel(figure, (0.75, 0.55, 2.3, 2.45), xlim=(0, 2 * depth), ylim=(0, top))
        left.set(title="through this model", xlabel="additions so far", ylabel="std of the stream")
        right = panel(figure, (3.2, 0.55, 2.25, 2.45), xlim=(0, depth + 2), ylim=(0, top))
        right.set(title="at the end of every model", xlabel="number of layers", xticks=[1, 12, 24, 36, 48])
        right.tick_params(labelleft=False)
        for choice, color, name in SCALING_CHOICES:
            paths = sweep.scaled_paths if choice else sweep.unscaled_paths
            left.plot(paths[at], color=color, lw=5, alpha=0.35, solid_capstyle="round")
            left.plot(predictions[choice][at].std, color=color, lw=1.4)
            ends = sweep.scaled if choice else sweep.unscaled
            right.plot(sweep.depths, [p.std[-1] for p in predictions[choice]], color=color, lw=1.4)
            right.plot(sweep.depths, ends, "o", color=color, ms=4, alpha=0.6)
            right.plot(sweep.depths[at], ends[at], "o", color=color, ms=9)
            right.text(depth, (0.18 if choice else 0.55) * top, name, color=color, ha="right")
        right.axvline(sweep.depths[at], color=FAINT, lw=1, ls=":")
        figure.text(0.75 / 5.6, 0.955, "thick and dots: measured; thin: predicted", color=INK, fontsize=11)

        return figure, (
            f"{n_layer} {'layer' if n_layer == 1 else 'layers'}, {2 * n_layer} additions. With scaling the "
            f"stream ends at a std of {sweep.scaled[at]:.3f}, predicted {predictions[True][at].std[-1]:.3f}; "
            f"without, at {sweep.unscaled[at]:.2f}, predicted {predictions[False][at].std[-1]:.2f}."
        )

    return draw


def stream_of_width(
    sweeps: Mapping[int, Sweep], predictions: Mapping[int, Mapping[bool, Sequence[float]]]
) -> Draw:
    """Return a function that draws the final std by depth for width `n_embd` and, paler, for the others.

    `sweeps` has one sweep per width, all over the same depths. `predictions` has, for each width, the final
    std at each depth with residual scaling (True) and without (False).
    """
    depths = next(iter(sweeps.values())).depths
    deep = len(depths) - 1
    ticks = [depths[0], *(d for d in depths if d - depths[0] >= depths[-1] / 12)]  # otherwise they overlap
    shallow = next(i for i, depth in enumerate(depths) if 2 * depth >= depths[-1])

    @in_book_style
    def draw(n_embd: int) -> tuple[Figure, str]:
        figure = blank(5.6, 3.6)
        axes = panel(figure, (0.85, 0.55, 3.6, 2.85), xlim=(0, depths[-1] + 0.7), ylim=(-2, 1))
        axes.set(xlabel="number of layers", ylabel="std after the last block", xticks=ticks)
        log_ticks(axes.yaxis, [0.01, 0.03, 0.1, 0.3, 1, 3, 10])
        for width in [*sweeps, n_embd]:  # the chosen width again, on top
            for choice, color, _ in SCALING_CHOICES:
                thick, alpha = (2.2, 1) if len(axes.lines) >= 2 * len(sweeps) else (1.2, 0.35)
                axes.plot(depths, np.log10(predictions[width][choice]), color=color, lw=thick, alpha=alpha)
        axes.axhline(0, color=INK, lw=1, ls=":")
        for choice, color, name in SCALING_CHOICES:
            ends = np.log10(sweeps[n_embd].scaled if choice else sweeps[n_embd].unscaled)
            axes.plot(depths, ends, "o", color=color, ms=6)
            direct_label(axes, depths[-1], float(ends[-1]), name, color)
        axes.text(0.4, 0.75, "pale: the other widths", color=FAINT, fontsize=11)

        sweep = sweeps[n_embd]
        return figure, (
            f"{n_embd:,} channels. With scaling the std is {sweep.scaled[shallow]:#.3g} after "
            f"{depths[shallow]} layers and {sweep.scaled[deep]:#.3g} after {depths[deep]}; without scaling "
            f"it is {sweep.unscaled[shallow]:#.3g} and {sweep.unscaled[deep]:#.3g}."
        )

    return draw
