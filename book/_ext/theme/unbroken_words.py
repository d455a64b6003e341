"""Prevents line breaks within names and percentages, such as GPT-2 and 3 %.

Non-breaking characters would have the same effect, but then searching the page for the typed characters would
find nothing, and copied text would differ from the source.
"""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, NavigableString, Tag

TEXT = "article :is(p, li, dt, dd, td, th, h1, h2, h3, figcaption, summary, legend)"
EXCLUDED_TAGS = ["pre", "code", "svg", "script", "noscript", "math"]
EXCLUDED_CLASSES = ["self-check", "explore"]  # their scripts look for spans
ONE_WORD = re.compile(r"(GPT-\d|\d[\d.,]* %)")


def keep_words_whole(page: BeautifulSoup) -> None:
    """Wrap each such name and number of a page in an element that does not break."""
    found = {id(text): text for element in page.select(TEXT) for text in element.find_all(string=ONE_WORD)}
    for text in found.values():
        excluded = text.find_parent(EXCLUDED_TAGS) or text.find_parent(class_=EXCLUDED_CLASSES)
        if type(text) is NavigableString and not excluded:
            parts = [_unbroken(page, part) if n % 2 else part for n, part in enumerate(ONE_WORD.split(text))]
            text.replace_with(*(part for part in parts if part))


def _unbroken(page: BeautifulSoup, part: str) -> Tag:
    kept = page.new_tag("span", attrs={"class": "kept-together"})
    kept.string = part
    return kept
