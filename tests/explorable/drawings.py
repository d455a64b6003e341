"""A small drawing function that the tests of this folder share, and a demo's HTML, parsed."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag
from matplotlib.figure import Figure

from gpt2_teach.demos.panels import blank, panel
from gpt2_teach.plots.style import INK, ORANGE, in_book_style


@in_book_style
def line_to(n: int) -> Figure:
    """A straight line from the origin, with its end as a number."""
    figure = blank(4, 3)
    axes = panel(figure, (0.6, 0.6, 3, 2), xlim=(0, 100), ylim=(0, 100))
    axes.set(xlabel="steps", ylabel="way & <means>")
    axes.plot([0, n], [0, n], color=ORANGE)
    axes.plot(n, n, "o", color=ORANGE)
    axes.text(50, 90, f"end {n}", color=INK)
    return figure


def draw(n: int) -> tuple[Figure, str]:
    """The line, and what it shows."""
    return line_to(n), f"The line ends at {n}."


def page(html: str) -> Tag:
    """The demo or self-check in a piece of HTML."""
    root = BeautifulSoup(html, "html.parser").find("div")
    assert isinstance(root, Tag)
    return root
