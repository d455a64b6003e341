"""Prevents line breaks within GPT-2 or 3 %, and between a formula and its punctuation.

Non-breaking characters would have the same effect, but then searching the page for the typed characters would
find nothing, and copied text would differ from the source.
"""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, NavigableString, Tag

TEXT = "article :is(p, li, dt, dd, td, th, h1, h2, h3, figcaption, summary, legend)"
# The last two are classes of explorable, whose scripts look for spans.
EXCLUDED = ":is(pre, code, svg, script, noscript, math, .self-check, .explore)"
ONE_WORD = re.compile(r"(GPT-\d|\d[\d.,]* %)")
OPENING = re.compile(r"[(\[“‘±]+$")
CLOSING = re.compile(r"[.,;:!?)\]”’]+(?:-\w+)?")


def keep_words_whole(page: BeautifulSoup) -> None:
    """Wrap each such name, number and formula of a page in an element that does not break."""
    texts = {id(text): text for element in page.select(TEXT) for text in element.find_all(string=ONE_WORD)}
    for text in texts.values():
        assert text.parent
        if type(text) is NavigableString and not text.parent.css.closest(EXCLUDED):
            parts = [_unbroken(page, part) if n % 2 else part for n, part in enumerate(ONE_WORD.split(text))]
            text.replace_with(*(part for part in parts if part))
    for formula in page.select("math[display=inline]"):
        kept = formula.wrap(_unbroken(page))
        before, after = kept.previous_sibling, kept.next_sibling
        if isinstance(before, NavigableString) and (opening := OPENING.search(before)):
            kept.insert(0, opening.group())
            before.replace_with(before[: opening.start()])
        if isinstance(after, NavigableString) and (closing := CLOSING.match(after)):
            kept.append(closing.group())
            after.replace_with(after[closing.end() :])
        if len(kept.contents) == 1:
            kept.unwrap()


def _unbroken(page: BeautifulSoup, *content: str) -> Tag:
    kept = page.new_tag("span", attrs={"class": "kept-together"})
    kept.extend(content)
    return kept
