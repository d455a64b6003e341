"""The letters of formulas: which of them a browser really shows."""

from __future__ import annotations

import unicodedata

from bs4 import Tag

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
    """Write styled letters as the characters that they are: browsers no longer heed `mathvariant`."""
    for element in formula.find_all(attrs={"mathvariant": list(STYLES)}):
        if element.string:
            style = STYLES[str(element["mathvariant"])]
            element.string = "".join(styled(letter, style) for letter in element.string)
            del element["mathvariant"]


def shown_in(formula: Tag) -> set[int]:
    """The characters that a formula needs, with the italics into which browsers turn single letters."""
    written = set(formula.get_text()) - set("\n\t")
    return {ord(letter) for letter in written | {styled(letter, "ITALIC") for letter in written}}
