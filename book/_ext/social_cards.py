"""Draws the picture that a link to a page is previewed with: its title, its question, and a motif.

sphinxext-opengraph draws cards, too, but all of one book with one picture, of 1146 x 600 pixels, and with a
description in which formulas stand as they are typed. The `book_cards` of `_config.yml` say what is on which.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

SIZE = 1200, 630  # pixels: what sites that show previews ask for
MARGIN = 0.055
PLAIN = {"motif": "one_matrix"}


def draw(path: Path, book: str, title: str, question: str, motif: str) -> None:
    """Draw a card to the PNG file `path`, the same bytes each time."""
    import matplotlib.pyplot as plt  # only here, as motifs: the package loads PyTorch
    import motifs

    from gpt2_teach.plots.style import FAINT, INK, OUTPUT, SCALED, STYLE

    name, _, subtitle = book.partition(": ")
    path.parent.mkdir(parents=True, exist_ok=True)
    with plt.rc_context(STYLE | {"figure.constrained_layout.use": False}):  # type: ignore[arg-type]
        figure = plt.figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
        getattr(motifs, motif)(figure.add_axes((0.64, 0.2, 0.31, 0.6)))
        figure.text(MARGIN, 0.86, name, size=20, color=FAINT, va="center")
        lines = fill(title, 19)
        figure.text(MARGIN, 0.76, lines, size=40, weight="bold", color=INK, va="top", linespacing=1.15)
        below = 0.76 - 0.115 * (lines.count("\n") + 1) - 0.05
        figure.text(MARGIN, below, fill(question, 40), size=21, color=INK, va="top", linespacing=1.35)
        figure.text(MARGIN, 0.09, subtitle, size=15, color=FAINT, va="center")
        for left, color in ((0, SCALED), (0.5, OUTPUT)):
            figure.add_artist(plt.Rectangle((left, 0), 0.5, 0.02, color=color, lw=0))
        figure.savefig(path, metadata={"Software": None})
        plt.close(figure)
