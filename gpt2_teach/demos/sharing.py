"""The demos of chapter 1: the matrix that is kept, and the two parts of its gradient."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from torch import Tensor

from explorable.figure_svg import Draw
from gpt2_teach.demos.panels import blank, log_ticks, panel
from gpt2_teach.first_loss import FirstBatch
from gpt2_teach.plots.style import FAINT, INK, INPUT, OUTPUT, PALE, in_book_style
from gpt2_teach.tying import GradientSplit

_NAMES = {"pytorch": "PyTorch", "gpt2": "GPT-2"}  # of the initialization
_SHIFT = 0.14  # shift sideways, so that equal norms remain visible


def kept_matrix(batches: Mapping[tuple[str, str], FirstBatch], idx: Tensor, vocab_size: int) -> Draw:
    """Return a function that draws the first batch by initialization and by the layer whose matrix is kept.

    `batches` is `{(init, tie): batch}`, all measured on the token ids `idx` (B, T).
    """
    tokens, nothing = idx.flatten(), math.log(vocab_size)

    @in_book_style
    def draw(init: str, tie: str) -> tuple[Figure, str]:
        batch = batches[init, tie]
        figure = blank(5.6, 3.5)
        left = panel(figure, (0.85, 0.55, 1.2, 2.45), xlim=(-1, 1), ylim=(math.log10(4), math.log10(1000)))
        left.set(title="first loss", ylabel="nats", xticks=[], xlabel=f"{_NAMES[init]}, {tie}")
        log_ticks(left.yaxis, [10, 30, 100, 300, 1000])
        left.axhline(math.log10(nothing), color=FAINT, lw=1.5, ls="--")
        left.plot(0, math.log10(batch.loss), "o", color=OUTPUT, ms=10)
        left.text(0.3, math.log10(batch.loss), f"{batch.loss:.1f}", color=OUTPUT, va="bottom")

        right = panel(figure, (3.0, 0.55, 2.45, 2.45), xlim=(0, vocab_size), ylim=(0, vocab_size))
        right.set(title="what it predicts", xlabel="token read (id)", ylabel="likeliest next (id)")
        for axis in (right.xaxis, right.yaxis):
            axis.set_ticks([0, 25_000, 50_000], ["0", "25k", "50k"])
        right.plot([0, vocab_size], [0, vocab_size], color=FAINT, lw=1, ls=":")
        right.plot(tokens.numpy(), batch.likeliest.flatten().numpy(), "o", color=INK, ms=3, mew=0)

        same = round(batch.repeats * len(tokens))
        return figure, (
            f"Initial values as in {_NAMES[init]}, keeping {tie}'s matrix. The first loss is "
            f"{batch.loss:.2f} ± {batch.standard_error:.2f} nats; knowing nothing costs {nothing:.2f}. The "
            f"logits have a std of {batch.logit_std:.2f}. At {same} of {len(tokens)} positions, the "
            "likeliest next token is the one just read."
        )

    return draw


def gradient_rows(split: GradientSplit, texts: Mapping[int, str]) -> Draw:
    """Return a function that draws a gradient's `row` as the sum of two parts; `texts` labels the rows."""
    places = {row: place for place, row in enumerate(texts)}
    read = {row: float(split.input_part[row].norm()) for row in texts}
    score = {row: float(split.output_part[row].norm()) for row in texts}
    parts = split.input_part, split.output_part, split.total
    reach = 1.1 * max(float(part[list(texts)].abs().max()) for part in parts)
    heights = math.log10(min(score.values()) / 2), math.log10(3 * max(*read.values(), *score.values()))

    @in_book_style
    def draw(row: int) -> tuple[Figure, str]:
        figure = blank(5.6, 4.4)
        top = panel(figure, (0.9, 2.65, 4.55, 1.4), xlim=(-0.7, len(texts) - 0.3), ylim=heights)
        top.set_title("norm of every row")
        log_ticks(top.yaxis, [0.01, 0.1, 1])
        top.set_xticks(range(len(texts)), texts.values())
        top.grid(axis="x", visible=False)
        top.axvline(places[row], color=PALE, lw=17, zorder=0)
        right = [place + _SHIFT for place in places.values()]
        top.plot(right, np.log10(list(score.values())), "o", color=OUTPUT, ms=5.5)
        were_read = [other for other in texts if read[other]]
        left = [places[other] - _SHIFT for other in were_read]
        norms = np.log10([read[other] for other in were_read])
        top.plot(left, norms, "s", color=INPUT, mec=INK, mew=0.8, ms=5.5)

        bottom = panel(figure, (0.9, 0.55, 4.55, 1.4), xlim=(-1, split.total.shape[1]), ylim=(-reach, reach))
        bottom.set(title=f"row {texts[row]}, channel by channel", xlabel="channel", ylabel="gradient")
        edges = np.arange(split.total.shape[1] + 1) - 0.5
        bottom.stairs(split.input_part[row].numpy(), edges, fill=True, color=INPUT, alpha=0.9)
        bottom.stairs(split.output_part[row].numpy(), edges, fill=True, color=OUTPUT, alpha=0.5)
        bottom.stairs(split.total[row].numpy(), edges, color=INK, lw=1.1)
        for x, marker, color, edge, text in (
            (0.42, "s", INPUT, INK, "through wte"),
            (0.72, "o", OUTPUT, OUTPUT, "through lm_head"),
        ):
            top.plot(x, 1.13, marker, color=color, mec=edge, ms=6.5, transform=top.transAxes, clip_on=False)
            top.text(x + 0.02, 1.13, text, transform=top.transAxes, va="center", fontsize=11)

        reading = f"has norm {read[row]:.3f}" if read[row] else "is zero: this character is never read"
        return figure, (
            f"Row {texts[row]}. The part through wte {reading}; the part through lm_head has norm "
            f"{score[row]:.3f}. Their sum, the row's gradient, has norm {float(split.total[row].norm()):.3f}."
        )

    return draw
