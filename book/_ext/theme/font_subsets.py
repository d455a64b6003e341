"""Subsets the site's two fonts to the characters that its pages show, and embeds them in style sheets.

Icons use the theme's own font. Formulas use STIX Two Math 2.13 (SIL Open Font License, in `stix/`), whose
MATH table tells browsers how to set roots and fractions. An embedded font needs no further request, and also
works if a page is opened as a file, from which browsers refuse to load fonts.
"""

from __future__ import annotations

import base64
import logging
import re
import unicodedata
from io import BytesIO
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

logging.getLogger("fontTools").setLevel(logging.WARNING)  # otherwise it logs every table that it subsets

ICONS = "vendor/fontawesome/webfonts/fa-solid-900.ttf"
ICON_FAMILY = "Font Awesome 6 Free"
PRIVATE_USE = range(0xE000, 0xF900)  # the code points of icons
STIX = Path(__file__).parent / "stix" / "STIXTwoMath-Regular.woff"
MATH_FAMILY = "Book Math"
MATH_STYLE_SHEET = "math.css"
STRETCHED = set("√()[]{}|‖−")  # browsers also draw them where the markup has no such character
TALL_ROOT = "msqrt :is(mfrac, msqrt, mtable, munderover), mroot"


def remove_tall_roots(font: TTFont) -> None:
    """Reduce the root sign to one size.

    Browsers reserve the width of its widest size, which leaves a gap after the small one that they draw.
    """
    variants = font["MATH"].table.MathVariants
    place = variants.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])
    sizes = variants.VertGlyphConstruction[place]
    sizes.MathGlyphVariantRecord = sizes.MathGlyphVariantRecord[:1]
    sizes.VariantCount, sizes.GlyphAssembly = 1, None


def subset(font: Path, characters: set[int], *, tall_roots: bool = True) -> bytes:
    """Return the font with only these characters, as WOFF: WOFF2 would need another package."""
    options = Options(layout_features=["ssty", "dtls", "flac"], name_IDs=[0, 13, 14], hinting=False)
    options.drop_tables += ["GPOS"]
    loaded = TTFont(font, recalcTimestamp=False)
    if not tall_roots:
        remove_tall_roots(loaded)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(loaded)
    loaded.flavor = "woff"
    out = BytesIO()
    loaded.save(out)
    return out.getvalue()


def font_face(family: str, weight: int, font: bytes, display: str) -> str:
    """Return the `@font-face` rule with the font embedded."""
    source = f'url("data:font/woff;base64,{base64.b64encode(font).decode()}") format("woff")'
    return f'@font-face{{font-family:"{family}";font-weight:{weight};font-display:{display};src:{source}}}\n'


def italic(letter: str) -> str:
    """Return the italic character to which browsers map a single letter, or the letter if it has none.

    >>> italic("n"), italic("ω"), italic("h"), italic("+")
    ('𝑛', '𝜔', 'ℎ', '+')
    """
    name = "MATHEMATICAL ITALIC " + re.sub("(LATIN|GREEK) |LETTER ", "", unicodedata.name(letter, ""))
    try:
        return "\N{PLANCK CONSTANT}" if letter == "h" else unicodedata.lookup(name)
    except KeyError:
        return letter


def displayed_characters(formula: Tag) -> set[int]:
    """Return the code points that browsers need for a formula."""
    written = set(formula.get_text()) - set("\n\t") | STRETCHED
    return {ord(letter) for letter in written | set(map(italic, written))}


def icon_font(static: Path, css: str) -> str:
    """Return the font rule for the icons that `css` shows."""
    characters = {ord(letter) for letter in css} & set(PRIVATE_USE)
    return font_face(ICON_FAMILY, 900, subset(static / ICONS, characters), "block") if characters else ""


def math_font(pages: dict[Path, BeautifulSoup]) -> str:
    """Return the font rule for the characters of all formulas."""
    formulas = [formula for page in pages.values() for formula in page("math")]
    tall = any(formula.select_one(TALL_ROOT) for formula in formulas)
    characters = set[int]().union(*map(displayed_characters, formulas))
    return font_face(MATH_FAMILY, 400, subset(STIX, characters, tall_roots=tall), "swap") if formulas else ""
