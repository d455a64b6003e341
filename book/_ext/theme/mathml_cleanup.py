"""Rewrites MathML to what browsers really support, and lists the characters that they display."""

from __future__ import annotations

import re
import unicodedata

from bs4 import BeautifulSoup, NavigableString, Tag

STRETCHED = "√()[]{}|‖−"  # roots and fences, which browsers also draw where the markup has no such character

STYLES = {
    "double-struck": "DOUBLE-STRUCK",
    "script": "SCRIPT",
    "fraktur": "FRAKTUR",
    "bold": "BOLD",
    "italic": "ITALIC",
    "bold-italic": "BOLD ITALIC",
    "monospace": "MONOSPACE",
    "sans-serif": "SANS-SERIF",
}


def styled(letter: str, style: str) -> str:
    """Return the letter's character in one of Unicode's mathematical alphabets, or the letter if it has none.

    >>> styled("N", "SCRIPT"), styled("R", "DOUBLE-STRUCK"), styled("h", "ITALIC"), styled("+", "ITALIC")
    ('𝒩', 'ℝ', 'ℎ', '+')
    """
    if (letter, style) == ("h", "ITALIC"):
        return "\N{PLANCK CONSTANT}"
    name = unicodedata.name(letter, "")
    kind = name.replace("LATIN ", "").replace("GREEK ", "").replace(" LETTER", "")
    for full in (f"MATHEMATICAL {style} {kind}", f"{style} {kind}"):
        try:
            return unicodedata.lookup(full)
        except KeyError:
            continue
    return letter


def spell_out(formula: Tag) -> None:
    """Replace styled letters by their Unicode characters, and operators that are words by identifiers.

    Browsers ignore `mathvariant`, and they set space around a word that is marked as an operator, as around
    +.
    """
    for operator in formula.find_all("mo"):
        if not operator.get_text() and operator.has_attr("fence"):
            operator.decompose()  # from \left. and \right.; browsers would reserve space for it
        elif operator.get_text().isalpha() and operator.get_text().isascii():
            operator.name = "mi"
    for relation in formula.find_all("mi", string="~"):
        relation.name, relation.string = "mo", "∼"  # an operator has space on both sides, a letter has none
    for element in formula.select("[mathvariant]"):
        style = STYLES.get(str(element["mathvariant"]))
        if style and element.string:
            element.string = "".join(styled(letter, style) for letter in element.string)
            del element["mathvariant"]


def keep_punctuation_attached(page: BeautifulSoup, formula: Tag) -> None:
    """Prevent a line break between an inline formula and adjacent brackets or punctuation."""
    before, after = formula.previous_sibling, formula.next_sibling
    opening = re.search(r"[(\[“‘±]+$", before) if isinstance(before, NavigableString) else None
    closing = re.match(r"[.,;:!?)\]”’]+(?:-\w+)?", after) if isinstance(after, NavigableString) else None
    if opening is None and closing is None:
        return
    kept = page.new_tag("span", attrs={"class": "kept-together"})
    formula.wrap(kept)
    if opening and isinstance(before, NavigableString):
        kept.insert(0, opening.group())
        before.replace_with(before[: opening.start()])
    if closing and isinstance(after, NavigableString):
        kept.append(closing.group())
        after.replace_with(after[closing.end() :])


def clean_up_formulas(page: BeautifulSoup) -> None:
    """Rewrite all formulas of a page."""
    for formula in page.find_all("math"):
        spell_out(formula)
        for root in formula.find_all("msqrt"):  # a strut: equally high over n and N, and above the baseline
            root.insert(0, page.new_tag("mspace", attrs={"height": "0.75em", "width": "0"}))
        if formula.get("display") == "inline":
            keep_punctuation_attached(page, formula)


def displayed_characters(formula: Tag) -> set[int]:
    """Return the code points that a formula needs, with the italics to which browsers map single letters."""
    written = set(formula.get_text()) - set("\n\t") | set(STRETCHED)
    return {ord(letter) for letter in written | {styled(letter, "ITALIC") for letter in written}}
