"""A picture that a reader can change with a slider or a choice, with or without a kernel."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from explorable import in_book
from explorable.checks import is_a, one_of, text
from explorable.controls import Parameter, as_parameter
from explorable.demo_html import demo_html
from explorable.demo_widgets import demo_widgets
from explorable.figure_svg import Draw

_count: dict[str, int] = {}  # number of demos per set of parameters in this session, so that ids are unique


class Explore:
    """A demo: shown as ipywidgets with a kernel, and as HTML on the pages of a book."""

    def __init__(self, parameters: list[Parameter], make: Callable[[str], Any], on_page: bool) -> None:
        self.parameters = parameters
        self._make, self._on_page = make, on_page
        self._ready = make(self._prefix())  # build now, so that errors surface here

    def _prefix(self) -> str:
        """Return a new prefix for the ids of a demo of these parameters."""
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
        html, self._ready = self._ready or self._make(self._prefix()), None  # new ids each time
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

    With a kernel, ipywidgets are shown, and `draw` runs at every change. While a book is built, `draw` runs
    for every value (every combination of several parameters), and the page responds without a kernel.

    Args:
        draw: a function of the named `parameters` that returns a matplotlib `Figure` and a string that
            describes it. On a page every figure must have the same elements: fixed limits and ticks, and the
            same number of artists for each value.
        alt: the kind of picture, for readers who cannot see it; the description follows it.
        labels: the label of a control, by parameter; the default is the parameter's name.
        units: shown after the value, by parameter: a string, or a pair such as `("step", "steps")`.
        start: the initial value, by parameter; the default is the first one.
        **parameters: the values of each argument of `draw`: increasing numbers make a slider, strings or
            booleans a choice. A mapping gives a text to show for each value.

    Raises:
        TypeError, ValueError: an argument has a type or value that is not listed above.
        ValueError: while a book is built, there are more than 64 values, the demo is larger than 40 KB
            gzipped, or the figures differ in structure.

    The idea of a page that responds to its reader is from Victor (2011), "Explorable Explanations".
    """
    if not callable(draw):
        raise TypeError(f"draw must be a function, got {draw!r} ({type(draw).__name__})")
    text("alt", alt)
    checked = _parameters(parameters, labels=labels, units=units, start=start)
    try:
        inspect.signature(draw).bind(**parameters)
    except TypeError as error:
        raise TypeError(f"draw must be a function of {', '.join(parameters)}: {error}") from None
    except ValueError:  # a builtin without a signature
        pass
    on_page = in_book()
    show: Callable[..., Any] = demo_html if on_page else demo_widgets
    return Explore(checked, partial(show, draw, checked, alt), on_page)


def _parameters(values: Mapping[str, Any], **given: Any) -> list[Parameter]:
    if not values:
        raise ValueError("explore needs at least one parameter to set, such as n=[1, 10, 100]")
    about = {argument: {} if value is None else value for argument, value in given.items()}
    for argument, value in about.items():
        for name in is_a(argument, value, Mapping):  # type: ignore[type-abstract]
            one_of(f"{argument}: a parameter", name, tuple(values))
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
