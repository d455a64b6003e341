"""A demo with a kernel: plain ipywidgets, the picture drawn as the slider moves."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from html import escape
from typing import Any
from xml.etree import ElementTree as ET

import ipywidgets as widgets

from gpt2_teach.interactive.drawing import Draw, drawn
from gpt2_teach.interactive.parameters import MOST_RADIOS, Parameter
from gpt2_teach.interactive.svg import figure_svg
from gpt2_teach.plots.style import DARK

# JupyterLab says on its body that the ground is dark, VS Code by a class; the book's pages have explore.css.
_COLORS = ";".join(f"--book-{name}:{color}" for name, color in DARK.items())
_STYLE = f'<style>:is([data-jp-theme-light="false"],.vscode-dark) .explore-live{{{_COLORS}}}</style>'


def live_demo(draw: Draw, parameters: Sequence[Parameter], alt: str, prefix: str) -> widgets.VBox:
    """Controls, the picture and its words. Nothing is drawn ahead; ids begin with `prefix`.

    What `draw` raises is shown where the picture would be, and the controls live on. While the kernel draws,
    a front end of ipywidgets holds a control's moves back and then sends the last, so none is drawn too late.
    """
    controls = {parameter.name: _control(parameter) for parameter in parameters}
    picture, words = widgets.HTML(), widgets.HTML()

    def show(_: object = None) -> None:
        try:
            figure, text = drawn(draw, {name: control.value for name, control in controls.items()})
            svg = figure_svg(figure, prefix)
            svg.attrib.update({"role": "img", "aria-label": f"{alt} {text}", "style": "max-width:44rem"})
            picture.value = f'<div class="explore-live">{_STYLE}{ET.tostring(svg, encoding="unicode")}</div>'
            words.value = _paragraph(text)
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            raised = "".join(traceback.format_exception_only(error)).strip()
            raised += f"\n  at line {where.lineno} of {where.name}: {where.line}"
            picture.value, words.value = f'<pre role="alert">{escape(raised)}</pre>', ""

    for control in controls.values():
        control.observe(show, names="value")
    show()
    return widgets.VBox([*controls.values(), picture, words])


def _paragraph(text: str) -> str:
    return f'<p role="status" style="line-height:1.5;white-space:normal">{escape(text)}</p>'


def _control(parameter: Parameter) -> Any:
    options = [(parameter.shown(i), value) for i, value in enumerate(parameter.values)]
    shared = dict(
        options=options,
        value=parameter.values[parameter.start],
        description=parameter.label,
        style={"description_width": "initial"},
    )
    if parameter.ordered:
        return widgets.SelectionSlider(**shared, layout={"width": "100%", "max_width": "44rem"})
    if len(options) > MOST_RADIOS:
        return widgets.Dropdown(**shared)
    return widgets.RadioButtons(**shared, layout={"width": "auto"})
