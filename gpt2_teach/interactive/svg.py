"""A matplotlib figure as lean SVG that stands in a page: ink follows the theme, and text stays text."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree as ET

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from gpt2_teach.plots.style import THEME

_HREF = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"#([\w.-]+)")
_NUMBER = re.compile(r"-?\d+\.\d+")
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def figure_svg(figure: Figure, prefix: str) -> ET.Element:
    """Draw `figure` as one `<svg>` element; its few ids begin with `prefix`.

    Colours of the book's palette become CSS variables with the palette's own value to fall back on, and the
    dark ink becomes `currentColor`. Backgrounds are left out, so that the page's own shows. Coordinates are
    rounded to a tenth of a point.
    """
    drawn = io.BytesIO()
    # the fonts are the reader's, and the same picture has the same source
    with plt.rc_context({"svg.fonttype": "none", "svg.hashsalt": "gpt2_teach"}):
        figure.savefig(drawn, format="svg", transparent=True, metadata=_NO_METADATA)
    root = ET.fromstring(drawn.getvalue())
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if _HREF in element.attrib:
            element.set("href", element.attrib.pop(_HREF))
        if element.tag not in ("text", "tspan") or not (element.text or "").strip():
            element.text = None
        element.tail = None
    box = root.get("viewBox", "")
    root.attrib.clear()  # `style` below was matplotlib's rule for every element of the whole page
    root.attrib.update({"viewBox": box, "stroke-linejoin": "round", "stroke-linecap": "butt"})
    _prune(root)
    for element in root.iter():
        _lighten(element)
    _name(root, prefix)
    return root


def _prune(parent: ET.Element) -> None:
    """Drop what paints nothing, and groups that only group."""
    kept: list[ET.Element] = []
    for child in parent:
        _prune(child)
        if child.tag in ("style", "metadata") or (child.tag in ("g", "defs") and not len(child)):
            continue
        if child.tag == "path" and child.get("style", "").startswith("fill: none; opacity: 0"):
            continue  # a transparent background
        plain_group = child.tag == "g" and not child.attrib.keys() - {"id"}
        kept += list(child) if plain_group else [child]
    parent[:] = kept


def _lighten(element: ET.Element) -> None:
    if style := element.get("style"):
        parts = [part.strip() for part in style.split(";")]
        parts = [part.replace(": ", ":") for part in parts if part and not part.startswith("font-family")]
        for color, variable in THEME.items():
            parts = [part.replace(color.lower(), variable) for part in parts]
        element.set("style", ";".join(parts))
    for name in ("x", "y", "width", "height", "d", "transform"):
        if value := element.get(name):
            short = _NUMBER.sub(lambda number: f"{float(number.group()):.1f}".removesuffix(".0"), value)
            short = re.sub(r"\s+", " ", short).replace("-0 ", "0 ").strip()
            element.set(name, re.sub(r" ?([A-Za-z]) ?", r"\1", short) if name == "d" else short)
    if element.get("transform", "").startswith("rotate(0 "):
        del element.attrib["transform"]


def _name(root: ET.Element, prefix: str) -> None:
    """Number the ids that are referred to, in their order, and drop the others."""
    used = {
        match
        for element in root.iter()
        for value in element.attrib.values()
        for match in _REFERENCE.findall(value)
    }
    names: dict[str, str] = {}
    for element in root.iter():
        old = element.attrib.pop("id", None)
        if old is not None and old in used:
            names[old] = f"{prefix}.{len(names)}"
            element.set("id", names[old])
    for element in root.iter():
        for key, value in element.attrib.items():
            if key in ("href", "clip-path", "style"):  # a colour, or a link, is no name of this picture
                renamed = _REFERENCE.sub(lambda match: "#" + names.get(match[1], match[1]), value)
                element.set(key, renamed)
