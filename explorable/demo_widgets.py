"""A demo with a kernel: plain ipywidgets; the picture is drawn when a control moves."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from html import escape
from typing import Any
from xml.etree import ElementTree as ET

import ipywidgets as widgets

from explorable.colors import dark_variables
from explorable.controls import MOST_RADIOS, Parameter
from explorable.figure_svg import Draw, draw_svg

# JupyterLab marks a dark page with an attribute of its body, VS Code with a class.
_STYLE = f'<style>:is([data-jp-theme-light="false"],.vscode-dark) .explore-live{{{dark_variables()}}}</style>'


def demo_widgets(draw: Draw, parameters: Sequence[Parameter], alt: str, prefix: str) -> widgets.VBox:
    """Return controls, the picture and its words. Nothing is drawn in advance; ids begin with `prefix`.

    An exception in `draw` is shown in place of the picture, and the controls still work. While the kernel
    draws, the front end of ipywidgets keeps only a control's last move, so outdated ones are not drawn.
    """
    controls = {parameter.name: _control(parameter) for parameter in parameters}
    picture, words = widgets.HTML(), widgets.HTML()

    def show(_: object = None) -> None:
        try:
            svg, text = draw_svg(draw, {name: control.value for name, control in controls.items()}, prefix)
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
    options = list(zip(parameter.shown, parameter.values))
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
