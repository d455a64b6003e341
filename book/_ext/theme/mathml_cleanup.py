"""Writes formulas as browsers really show them, and knows which characters that takes."""

from __future__ import annotations

import re
import unicodedata

from bs4 import BeautifulSoup, NavigableString, Tag

DRAWN = "√()[]{}|‖−"  # by browsers of their own accord, and stretched: roots and fences

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
    """The character that is this letter in one of Unicode's mathematical alphabets; itself if there is none.

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
    """Write styled letters as the characters that they are, and words as words.

    Browsers no longer heed `mathvariant`; and a word that is marked as an operator they set apart like +.
    """
    for operator in formula.find_all("mo"):
        if not operator.get_text() and operator.has_attr("fence"):
            operator.decompose()  # of \left. and \right.: browsers give it the room of a sign
        elif operator.get_text().isalpha() and operator.get_text().isascii():
            operator.name = "mi"
    for relation in formula.find_all("mi", string="~"):
        relation.name, relation.string = "mo", "∼"  # has room on both sides, which a letter has not
    for element in formula.select("[mathvariant]"):
        style = STYLES.get(str(element["mathvariant"]))
        if style and element.string:
            element.string = "".join(styled(letter, style) for letter in element.string)
            del element["mathvariant"]


def keep_together(page: BeautifulSoup, formula: Tag) -> None:
    """Have no line end between a formula in the text and the bracket or full stop that touches it."""
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


def mend(page: BeautifulSoup) -> None:
    """Mend all formulas of a page."""
    for formula in page.find_all("math"):
        spell_out(formula)
        for root in formula.find_all("msqrt"):  # as high over n as over N, and not hanging under the line
            root.insert(0, page.new_tag("mspace", attrs={"height": "0.75em", "width": "0"}))
        if formula.get("display") == "inline":
            keep_together(page, formula)


def shown_in(formula: Tag) -> set[int]:
    """The characters that a formula needs, with the italics into which browsers turn single letters."""
    written = set(formula.get_text()) - set("\n\t") | set(DRAWN)
    return {ord(letter) for letter in written | {styled(letter, "ITALIC") for letter in written}}
