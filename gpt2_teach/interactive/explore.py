"""One call that lets a reader move something and see the picture answer, with a kernel or without."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from gpt2_teach.interactive.drawing import Draw
from gpt2_teach.interactive.live import live_demo
from gpt2_teach.interactive.page import page_html
from gpt2_teach.interactive.parameters import Parameter, as_parameter

# Set while notebooks run for the book, by book/_ext/execution.py: there will be no kernel behind the page.
IN_BOOK = "GPT2_TEACH_BOOK"

_count: dict[str, int] = {}  # demos of each set of parameters so far in this session, so that ids stay apart


class Explore:
    """A demo: shown by ipywidgets where there is a kernel, and as HTML on the book's pages."""

    def __init__(self, parameters: list[Parameter], make: Callable[[str], Any], on_page: bool) -> None:
        self.parameters = parameters
        self._make, self._on_page = make, on_page
        self._ready = make(self._prefix())  # at once: what is wrong shall be told by the call

    def _prefix(self) -> str:
        """For the ids of one more demo of these parameters."""
        name = "-".join(parameter.name for parameter in self.parameters)
        _count[name] = _count.get(name, 0) + 1
        return f"explore-{name}" + (f"-{_count[name]}" if _count[name] > 1 else "")

    def __repr__(self) -> str:
        names = ", ".join(parameter.name for parameter in self.parameters)
        return f"<explore: a demo over {names}, shown by a notebook>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        if not self._on_page:
            bundle: dict[str, Any] = self._ready._repr_mimebundle_()
            return bundle
        html, self._ready = self._ready or self._make(self._prefix()), None  # ids of its own each time
        return {"text/html": html, "text/plain": repr(self)}


def explore(
    draw: Draw,
    *,
    alt: str,
    labels: Mapping[str, str] | None = None,
    units: Mapping[str, str | tuple[str, str]] | None = None,
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
        units: shown behind the value, by parameter: a string, or a pair such as `("step", "steps")`.
        start: the value shown first, by parameter; the first one where there is none.
        **parameters: for each argument of `draw` its values: numbers that increase make a slider, strings or
            truth values a choice. A mapping leads from the texts that are shown to the values.

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
    looked_over = _parameters(parameters, labels=labels, units=units, start=start)
    _takes(draw, parameters)
    on_page = os.environ.get(IN_BOOK, "") not in ("", "0")
    face: Callable[..., Any] = page_html if on_page else live_demo
    return Explore(looked_over, partial(face, draw, looked_over, alt), on_page)


def _takes(draw: Draw, parameters: Mapping[str, Any]) -> None:
    try:
        inspect.signature(draw).bind(**parameters)
    except TypeError as error:
        names = ", ".join(parameters)
        raise TypeError(f"draw must be a function of {names}: {error}") from None
    except ValueError:  # a builtin that does not tell
        return


def _parameters(values: Mapping[str, Any], **given: Any) -> list[Parameter]:
    if not values:
        raise ValueError("explore needs at least one parameter to set, such as n=[1, 10, 100]")
    about = {argument: {} if value is None else value for argument, value in given.items()}
    for argument, value in about.items():
        if not isinstance(value, Mapping):
            got = f"{value!r} ({type(value).__name__})"
            raise TypeError(f"{argument} must be a mapping from parameters, got {got}")
        for name in value.keys() - values.keys():
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
