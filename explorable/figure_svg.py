"""A matplotlib figure as a small SVG inside a page: its colours follow the theme, and text stays text."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree import ElementTree as ET

import matplotlib.pyplot as plt
from IPython.utils.capture import capture_output
from matplotlib.figure import Figure

from explorable.colors import themed

Draw = Callable[..., tuple[Figure, str]]

_NAMESPACE = re.compile(r' xmlns(:\w+)?="[^"]*"|(?<= )xlink:(?=href=")')
_REFERENCE = re.compile(r"(?<=url\(#)[^)]+|(?<=^#).+")
_NUMBER = re.compile(r"-?\d+\.\d+")
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def draw_svg(draw: Draw, values: Mapping[str, Any], prefix: str) -> tuple[ET.Element, str]:
    """Return the SVG and the words of `draw(**values)`; ids in the SVG begin with `prefix`.

    Raises TypeError unless `draw` returns a figure and words, and whatever `draw` raises.
    """
    before = plt.get_fignums()
    with capture_output(stdout=False, stderr=False):  # plt.show() in `draw` would add a second picture
        drawn: Any = draw(**values)
    for number in plt.get_fignums():  # otherwise the notebook shows them, too, and pyplot keeps them
        if number not in before:
            plt.close(number)
    match drawn:
        case Figure() as figure, str(words) if words.strip():
            return figure_svg(figure, prefix), words
    got = [type(part).__name__ for part in drawn] if isinstance(drawn, tuple) else type(drawn).__name__
    raise TypeError(f"draw must return a matplotlib Figure and a string that describes it, got {got}")


def figure_svg(figure: Figure, prefix: str) -> ET.Element:
    """Draw `figure` as one `<svg>` element; its few ids begin with `prefix`.

    Known colours become CSS variables that default to the colour itself, and the colour of text becomes
    `currentColor`. Backgrounds are left out, so that the page's own is visible. Coordinates are rounded to a
    tenth of a point.
    """
    drawn = io.StringIO()
    # Use the reader's fonts, and give the same picture the same source.
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "explorable"}):
        figure.savefig(drawn, format="svg", transparent=True, metadata=_NO_METADATA)
    root = ET.fromstring(_NAMESPACE.sub("", drawn.getvalue().partition("?>")[2]))
    # Matplotlib's style sheet for joins and caps would apply to the whole page. Black text has no fill.
    joins = {"stroke-linejoin": "round", "stroke-linecap": "butt"}
    root.attrib = {"viewBox": root.attrib["viewBox"], "fill": "currentColor", **joins}
    _prune(root)
    for element in root.iter():
        _lighten(element)
    _name(root, prefix)
    return root


def _prune(parent: ET.Element) -> None:
    """Drop elements that are invisible, and groups without attributes."""
    kept: list[ET.Element] = []
    for child in parent:
        _prune(child)
        if child.tag == "style" or (child.tag in ("g", "defs") and not len(child)):
            continue
        if "opacity: 0" in child.get("style", "").split("; "):
            continue  # a transparent background
        plain_group = child.tag == "g" and not child.attrib.keys() - {"id"}
        kept += list(child) if plain_group else [child]
    parent[:] = kept


def _lighten(element: ET.Element) -> None:
    element.tail = None
    if not (element.text or "").strip():
        element.text = None
    if style := element.get("style"):
        parts = [part.strip() for part in style.split(";")]
        parts = [part.replace(": ", ":") for part in parts if part and not part.startswith("font-family")]
        element.set("style", themed(";".join(parts)))
    for name in ("x", "y", "width", "height", "d", "transform"):
        value = element.get(name, "")
        if value and not value.startswith(("matrix", "scale")):  # factors, not coordinates
            short = _NUMBER.sub(lambda number: f"{float(number.group()):.1f}".removesuffix(".0"), value)
            short = re.sub(r"\s+", " ", short).replace("-0 ", "0 ").strip()
            element.set(name, re.sub(r" ?([A-Za-z]) ?", r"\1", short) if name == "d" else short)
    if element.get("transform", "").startswith("rotate(0 "):
        del element.attrib["transform"]


def _name(root: ET.Element, prefix: str) -> None:
    """Number the ids that are referred to, in order, and drop the others."""
    names: dict[str, str] = {}

    def numbered(reference: re.Match[str]) -> str:
        return names.setdefault(reference[0], f"{prefix}.{len(names)}")

    for element in root.iter():
        for key in ("href", "clip-path", "style"):
            if key in element.attrib:
                element.set(key, _REFERENCE.sub(numbered, element.attrib[key]))
    for element in root.iter():
        old = element.attrib.pop("id", "")
        if old in names:
            element.set("id", names[old])
