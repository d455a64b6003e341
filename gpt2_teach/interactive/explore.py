"""One call that lets a reader move something and see the picture answer, with a kernel or without."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from gpt2_teach.interactive.drawing import Draw
from gpt2_teach.interactive.live import live_demo
from gpt2_teach.interactive.page import page_html
from gpt2_teach.interactive.parameters import Parameter, as_parameter

IN_BOOK = "GPT2_TEACH_BOOK"  # set while notebooks run for the book: there will be no kernel behind the page

_made: dict[str, int] = {}  # demos of each set of parameters so far in this session, so that ids stay apart


class Explore:
    """A demo: shown by ipywidgets where there is a kernel, and as HTML on the book's pages."""

    def __init__(self, html: str | None, widget: Any) -> None:
        self.html = html
        self.widget = widget

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        if self.html is not None:
            return {"text/html": self.html, "text/plain": repr(self)}
        bundle: dict[str, Any] = self.widget._repr_mimebundle_()
        return bundle


def explore(
    draw: Draw,
    *,
    alt: str,
    labels: Mapping[str, str] | None = None,
    units: Mapping[str, str] | None = None,
    start: Mapping[str, Any] | None = None,
    **parameters: Any,
) -> Explore:
    """Let the reader set the arguments of a drawing function.

    With a kernel it shows ipywidgets, and `draw` runs at each move. While the book is built, `draw` runs for
    every value (every combination, if there are more parameters), and the page answers without a kernel.

    Args:
        draw: a function of the named `parameters` that returns a matplotlib `Figure` and a string that says
            in words what it shows. For the page every figure must have the same elements: fixed limits and
            ticks, and the same number of artists for each value.
        alt: what kind of picture this is, for those who cannot see it; the words follow it.
        labels: what a control is called, by parameter; its name where there is none.
        units: shown behind the value, by parameter.
        start: the value shown first, by parameter; the first one where there is none.
        **parameters: for each argument of `draw` its values: numbers that increase make a slider, strings or
            truth values a choice. A mapping gives each value the text that is shown for it.

    Raises:
        TypeError, ValueError: an argument is not among these; while the book is built also if there are more
            than 64 values, if the demo weighs more than 40 KB gzipped, or if the figures differ in structure.

    The idea of answering on a static page is that of Victor (2011), "Explorable Explanations".
    """
    if not callable(draw):
        raise TypeError(f"draw must be a function, got {draw!r} ({type(draw).__name__})")
    if not isinstance(alt, str):
        raise TypeError(f"alt must be a string, got {alt!r} ({type(alt).__name__})")
    if not alt.strip():
        raise ValueError("alt must say what kind of picture this is, got an empty string")
    looked_over = _parameters(parameters, labels=labels or {}, units=units or {}, start=start or {})
    name = "-".join(parameters)
    _made[name] = _made.get(name, 0) + 1
    prefix = f"explore-{name}" + (f"-{_made[name]}" if _made[name] > 1 else "")
    if os.environ.get(IN_BOOK):
        return Explore(page_html(draw, looked_over, alt, prefix), None)
    return Explore(None, live_demo(draw, looked_over, alt, prefix))


def _parameters(values: Mapping[str, Any], **about: Mapping[str, Any]) -> list[Parameter]:
    if not values:
        raise ValueError("explore needs at least one parameter to set, such as n=[1, 10, 100]")
    for argument, given in about.items():
        if not isinstance(given, Mapping):
            raise TypeError(
                f"{argument} must be a mapping from parameters, got {given!r} ({type(given).__name__})"
            )
        for name in given.keys() - values.keys():
            raise ValueError(f"{argument} must name one of {', '.join(map(repr, values))}, got {name!r}")
    return [
        as_parameter(
            name,
            listed,
            label=about["labels"].get(name),
            unit=about["units"].get(name, ""),
            start=about["start"].get(name),
        )
        for name, listed in values.items()
    ]
