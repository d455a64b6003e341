"""The demos of chapter 1: the logit of the token just read, and the two parts of the gradient."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from explorable.figure_svg import Draw
from gpt2_teach.demos.panels import blank, log_ticks, panel
from gpt2_teach.first_loss import FirstBatch, expected_repeats
from gpt2_teach.plots.style import FAINT, INK, INPUT, OUTPUT, PALE, in_book_style
from gpt2_teach.tying import GradientSplit

_SHIFT = 0.14  # shift sideways, so that equal norms remain visible


def own_token(
    batches: Mapping[tuple[float, float], FirstBatch], tokens: int, n_embd: int, vocab_size: int
) -> Draw:
    """Return a function that draws the logit of the token just read against all others.

    `batches` is `{(std of the shared matrix, std of wpe): batch}`, each measured on `tokens` tokens.
    """
    z = np.linspace(-5, 5, 101)
    largest = math.sqrt(2 * math.log(vocab_size))  # of the others, in their stds: a little more than the mean
    ratios = np.logspace(-3, 0, 121)  # s / sigma
    expected = [100 * expected_repeats(vocab_size, math.sqrt(n_embd) * ratio) for ratio in ratios]

    @in_book_style
    def draw(s: float, wpe: float) -> tuple[Figure, str]:
        batch = batches[s, wpe]
        others = s * math.sqrt(n_embd)  # std of the other logits
        own, ratio = batch.own_logit / others, s / batch.stream_std
        figure = blank(5.6, 4.7)
        top = panel(figure, (0.75, 3.15, 4.7, 1.15), xlim=(-5, 29), ylim=(0, 1.45))
        top.set(title="logits at one position", yticks=[], xlabel="logit / std of the others")
        top.fill_between(z, np.exp(-(z**2) / 2), color=FAINT, lw=0)
        top.axvline(largest, color=FAINT, lw=1.2, ls=":")
        top.text(largest + 0.4, 1.4, "largest of the others", va="top", fontsize=11)
        top.text(-1.4, 0.9, "others", ha="right", fontsize=11)
        top.plot([own, own], [0, 0.85], color=INPUT, lw=2.5)
        top.plot(own, 0.85, "s", color=INPUT, mec=INK, mew=0.8, ms=8)
        side, where = (0.7, "left") if own < 15 else (-0.7, "right")
        top.text(own + side, 0.85, "token just read", ha=where, va="center", fontsize=11)

        bottom = panel(figure, (0.75, 0.6, 4.7, 1.6), xlim=(-2.6, 0.05), ylim=(-6, 106))
        bottom.set(title="predicts the token just read", xlabel="s / σ", ylabel="% of positions")
        log_ticks(bottom.xaxis, [0.003, 0.01, 0.03, 0.1, 0.3, 1])
        bottom.plot(np.log10(ratios), expected, color=FAINT, lw=1.5)
        points = [(math.log10(key[0] / b.stream_std), 100 * b.repeats) for key, b in batches.items()]
        bottom.plot(*zip(*points), "o", color=OUTPUT, ms=4, alpha=0.6, mew=0)
        bottom.plot(math.log10(ratio), 100 * batch.repeats, "o", color=OUTPUT, mec=INK, mew=0.8, ms=10)

        return figure, (
            f"The shared matrix has std s = {s:g}, wpe has std {wpe:g}. The stream that enters ln_f has std "
            f"σ = {batch.stream_std:.2f}, so s / σ = {ratio:.3f}. The mean logit of the token just read is "
            f"{batch.own_logit:.1f}, which is {own:.1f} times the std of the others. It is the largest at "
            f"{round(batch.repeats * tokens)} of {tokens} positions. The first loss is {batch.loss:.1f} ± "
            f"{batch.standard_error:.1f} nats."
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
