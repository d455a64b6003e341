"""Draws the social cards, the preview pictures of links to a page: its title, its question, and a drawing.

sphinxext-opengraph also draws cards, but with one picture for the whole book, of 1146 x 600 pixels, and with
formulas as LaTeX. `book_cards` in `_config.yml` gives each card's question and drawing.
"""

from __future__ import annotations

from pathlib import Path
from textwrap import fill

SIZE = 1200, 630  # pixels, as sites that show previews recommend
MARGIN = 0.055
DEFAULT_CARD = {"drawing": "one_matrix"}


def draw_card(path: Path, book: str, title: str, question: str, drawing: str) -> None:
    """Draw a card to the PNG file `path`, with the same bytes each time."""
    import card_drawings  # here, since the package loads PyTorch
    import matplotlib.pyplot as plt

    from gpt2_teach.plots.style import FAINT, INK, OUTPUT, SCALED, STYLE

    name, _, subtitle = book.partition(": ")
    path.parent.mkdir(parents=True, exist_ok=True)
    with plt.rc_context(STYLE | {"figure.constrained_layout.use": False}):  # type: ignore[arg-type]
        figure = plt.figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
        getattr(card_drawings, drawing)(figure.add_axes((0.64, 0.2, 0.31, 0.6)))
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
