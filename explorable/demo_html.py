"""A demo on a page without a kernel: native controls, one picture, and patches for every other position.

`static/demo.js` applies the patches. Without JavaScript, and in print, only picture and words are shown.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from html import escape
from itertools import product
from math import prod
from xml.etree import ElementTree as ET

from explorable.controls import MOST_RADIOS, Parameter
from explorable.figure_svg import Draw, draw_svg
from explorable.frame_patches import frame_patches

MOST_VALUES = 64
MOST_BYTES = 40 * 1024  # gzipped, as a site is served


def demo_html(draw: Draw, parameters: Sequence[Parameter], alt: str, prefix: str) -> str:
    """Return the demo as HTML, with every value drawn; ids in it begin with `prefix`.

    Raises ValueError if there are too many values, if the HTML is too large, or if the pictures differ in
    structure, TypeError if `draw` does not return a figure and words, and whatever `draw` raises.
    """
    count = prod(len(parameter.values) for parameter in parameters)
    if count > MOST_VALUES:
        sizes = " × ".join(f"{len(p.values)} of {p.name}" for p in parameters)
        raise ValueError(
            f"explore draws every value for the page and takes at most {MOST_VALUES}, got {count} ({sizes}): "
            "use fewer values, or split the demo in two"
        )
    places = list(product(*(range(len(parameter.values)) for parameter in parameters)))
    drawn = [draw_svg(draw, {p.name: p.values[i] for p, i in zip(parameters, at)}, prefix) for at in places]
    frames, words = zip(*drawn)
    names = [", ".join(f"{p.name} = {p.texts[i]}" for p, i in zip(parameters, at)) for at in places]
    start = places.index(tuple(parameter.start for parameter in parameters))
    data = {
        "parameters": [[p.name, p.shown, p.in_address] for p in parameters],
        "words": words,
        "changes": frame_patches(frames, names, default=start),
    }
    # A "<" could end the script element.
    inert = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    controls = "\n".join(_control(parameter, f"{prefix}.set.{parameter.name}") for parameter in parameters)
    frames[start].attrib.update({"role": "img", "aria-labelledby": f"{prefix}.alt {prefix}.words"})
    picture = ET.tostring(frames[start], encoding="unicode")
    html = f"""<div class="explore" id="{prefix}">
<div class="explore-controls" hidden>
{controls}
</div>
<span id="{prefix}.alt" hidden>{escape(alt)}</span>
{picture}
<p class="explore-words" id="{prefix}.words" aria-live="polite" aria-atomic="true">{escape(words[start])}</p>
<p class="explore-note">{_note(parameters)}</p>
<script type="application/json">{inert}</script>
</div>"""
    if (weight := _gzipped(html)) > MOST_BYTES:
        raise ValueError(
            f"explore allows {MOST_BYTES / 1024:g} KB gzipped, and this demo has {weight / 1024:.1f}: "
            f"{_gzipped(picture) / 1024:.1f} for the picture, the rest for its {count} values. "
            "Draw fewer points, or use fewer values"
        )
    return html


def _control(parameter: Parameter, name: str) -> str:
    label, start = escape(parameter.label), parameter.start
    shown = [escape(text) for text in parameter.shown]
    tag = f'data-parameter="{parameter.name}" autocomplete="off"'  # the browser must not restore a position
    if parameter.ordered:
        control = (
            f'<label for="{name}">{label}</label>'
            f'<input type="range" id="{name}" min="0" max="{len(shown) - 1}" step="1" '
            f'value="{start}" aria-valuetext="{shown[start]}" {tag}>'
            f'<span aria-hidden="true">{shown[start]}</span>'  # the slider and the words say it, too
        )
        return f'<div class="explore-range">{control}</div>'
    if len(shown) > MOST_RADIOS:
        options = "".join(
            f'<option value="{i}"{" selected" * (i == start)}>{text}</option>' for i, text in enumerate(shown)
        )
        return (
            f'<div class="explore-select"><label for="{name}">{label}</label>'
            f'<select id="{name}" {tag}>{options}</select></div>'
        )
    radios = "".join(
        f'<label><input type="radio" name="{name}" value="{i}"{" checked" * (i == start)} {tag}>'
        f" {text}</label>"
        for i, text in enumerate(shown)
    )
    return f"<fieldset><legend>{label}</legend>{radios}</fieldset>"


def _note(parameters: Sequence[Parameter]) -> str:
    sets = [
        f"{p.label} from {p.shown[0]} to {p.shown[-1]}" if p.ordered else f"{p.label} ({', '.join(p.texts)})"
        for p in parameters
    ]
    settings = escape(" and ".join(sets))
    return f"This is one of many positions. On a screen, with JavaScript, you can set {settings}."


def _gzipped(html: str) -> int:
    return len(gzip.compress(html.encode(), mtime=0))
