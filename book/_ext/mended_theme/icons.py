"""The theme's icon font, cut down to the icons in use and laid into the style sheet.

Inside the style sheet it needs no request of its own, and is there when a page is opened as a file, where browsers
refuse to fetch fonts.
"""

from __future__ import annotations

import base64
import re
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONT = "vendor/fontawesome/webfonts/fa-solid-900.ttf"
FAMILY = "Font Awesome 6 Free"


def in_use(css: str) -> set[int]:
    """The characters of the private area that a style sheet sets: its icons."""
    return {int(code, 16) for code in re.findall(r"\\([ef][0-9a-f]{3})\b", css, flags=re.I)}


def subset(font: Path, characters: set[int]) -> bytes:
    """The font with these characters alone, as WOFF."""
    options = Options(flavor="woff", layout_features=[], name_IDs=[0, 13, 14], notdef_outline=True)
    loaded = TTFont(font, recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(loaded)
    loaded.flavor = "woff"
    out = BytesIO()
    loaded.save(out)
    return out.getvalue()


def font_face(static: Path, css: str) -> str:
    """The rule that brings the icons which `css` uses."""
    characters = in_use(css)
    if not characters or not (static / FONT).is_file():
        return ""
    data = base64.b64encode(subset(static / FONT, characters)).decode()
    source = f'url("data:font/woff;base64,{data}") format("woff")'
    return f'@font-face{{font-family:"{FAMILY}";font-weight:900;font-display:block;src:{source}}}\n'
