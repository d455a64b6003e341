"""Cuts the two fonts of the site down to the characters that its pages show, and lays them into style sheets.

Icons come from the theme's own font. Formulas come in STIX Two Math 2.13 (SIL Open Font License, beside it in
`stix/`), whose MATH table tells browsers how to set roots and fractions. Inside a style sheet a font needs no
request of its own, and is there when a page is opened as a file, where browsers refuse to fetch fonts.
"""

from __future__ import annotations

import base64
import logging
from functools import cache
from io import BytesIO
from pathlib import Path

from bs4 import BeautifulSoup
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from theme.mathml_cleanup import shown_in

logging.getLogger("fontTools").setLevel(logging.WARNING)  # it would log every table that it cuts

ICONS = "vendor/fontawesome/webfonts/fa-solid-900.ttf"
ICON_FAMILY = "Font Awesome 6 Free"
PRIVATE = range(0xE000, 0xF900)  # where icons have their characters
STIX = Path(__file__).parent / "stix" / "STIXTwoMath-Regular.woff"
MATH_FAMILY = "Book Math"
MATH_STYLES = "math.css"
TALL_ROOT = "msqrt :is(mfrac, msqrt, mtable, munderover), mroot"


def drop_tall_roots(font: TTFont) -> None:
    """Leave the root sign one size.

    Browsers make room in a line for its widest size, and a gap stays behind the small one that they draw.
    """
    variants = font["MATH"].table.MathVariants
    place = variants.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])
    sizes = variants.VertGlyphConstruction[place]
    sizes.MathGlyphVariantRecord = sizes.MathGlyphVariantRecord[:1]
    sizes.VariantCount, sizes.GlyphAssembly = 1, None


@cache
def subset(font: Path, characters: frozenset[int], *, tall_roots: bool = True) -> bytes:
    """The font with these characters alone, as WOFF, which needs no further package as WOFF2 would."""
    options = Options(layout_features=["ssty", "dtls", "flac"], name_IDs=[0, 13, 14], hinting=False)
    options.drop_tables += ["GPOS"]
    loaded = TTFont(font, recalcTimestamp=False)
    if not tall_roots:
        drop_tall_roots(loaded)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(loaded)
    loaded.flavor = "woff"
    out = BytesIO()
    loaded.save(out)
    return out.getvalue()


def face(family: str, weight: int, font: bytes, display: str) -> str:
    """The rule that brings a font."""
    source = f'url("data:font/woff;base64,{base64.b64encode(font).decode()}") format("woff")'
    return f'@font-face{{font-family:"{family}";font-weight:{weight};font-display:{display};src:{source}}}\n'


def icons(static: Path, css: str) -> str:
    """The rule for the icons that `css` sets."""
    characters = frozenset(map(ord, css)) & set(PRIVATE)
    return face(ICON_FAMILY, 900, subset(static / ICONS, characters), "block") if characters else ""


def formulas(pages: dict[Path, BeautifulSoup]) -> str:
    """The rule for the characters of all formulas."""
    found = [formula for page in pages.values() for formula in page("math")]
    tall = any(formula.select_one(TALL_ROOT) for formula in found)
    characters = frozenset[int]().union(*map(shown_in, found))
    return face(MATH_FAMILY, 400, subset(STIX, characters, tall_roots=tall), "swap") if found else ""
