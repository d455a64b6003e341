"""Keeps on one line what is read as one word: GPT-2, 3 %.

Characters that do not break would do it as well, but then searching the page for what a keyboard types finds
nothing, and what is copied is not what was written.
"""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, NavigableString, Tag

TEXT = "article :is(p, li, dt, dd, td, th, h1, h2, h3, figcaption, summary, legend)"
APART = ["pre", "code", "svg", "script", "noscript", "math"]  # no line of the text ends in these
SCRIPTED = ["self-check", "explore"]  # whose scripts look for spans of their own
ONE_WORD = re.compile(r"(GPT-\d|\d[\d.,]* %)")


def mend(page: BeautifulSoup) -> None:
    """Mend one page."""
    found = {id(text): text for element in page.select(TEXT) for text in element.find_all(string=ONE_WORD)}
    for text in found.values():
        apart = text.find_parent(APART) or text.find_parent(class_=SCRIPTED)
        if type(text) is NavigableString and not apart:
            parts = [_kept(page, part) if n % 2 else part for n, part in enumerate(ONE_WORD.split(text))]
            text.replace_with(*(part for part in parts if part))


def _kept(page: BeautifulSoup, part: str) -> Tag:
    kept = page.new_tag("span", attrs={"class": "kept-together"})
    kept.string = part
    return kept
