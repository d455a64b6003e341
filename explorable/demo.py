"""A picture that a reader can change with a slider or a choice, with or without a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from explorable.arguments import is_a, one_of, text
from explorable.controls import Parameter, as_parameter
from explorable.demo_html import demo_html
from explorable.demo_widgets import demo_widgets
from explorable.figure_svg import Draw
from explorable.two_faces import TwoFaced


class Explore(TwoFaced):
    """A demo of all `parameters` of a drawing function."""

    def __init__(self, draw: Draw, parameters: list[Parameter], alt: str) -> None:
        self.parameters = parameters
        name = "-".join(["explore", *(parameter.name for parameter in parameters)])
        super().__init__(
            name, partial(demo_html, draw, parameters, alt), partial(demo_widgets, draw, parameters, alt)
        )

    def __repr__(self) -> str:
        names = ", ".join(parameter.name for parameter in self.parameters)
        return f"<explore: a demo over {names}, shown by a notebook>"


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
    return Explore(draw, _parameters(parameters, labels=labels, units=units, start=start), alt)


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
