"""Joins the style sheets of all pages into one, and strips the rules that match nothing in the book.

A rule is stripped if each of its selectors names a class or an id that no page has and no script may add.
Every word in a script may be a class, and a word with a hyphen may be the start of one. Elements, attributes
and states are not checked, so that no rule is lost that may match.
"""

from __future__ import annotations

import hashlib
import re
from itertools import groupby, pairwise
from pathlib import Path

import tinycss2
from bs4 import BeautifulSoup
from tinycss2.ast import Node

from theme import font_subsets

JOINED_SHEET = "site.css"
NESTING_AT_RULES = {"media", "supports", "layer", "container"}


class KnownNames:
    """The classes and ids that elements of the book have, or that scripts may give them."""

    def __init__(self, on_pages: set[str], scripts: str) -> None:
        words = set(re.findall(r"[A-Za-z_][\w-]*", scripts))
        self.names = on_pages | words
        self.prefixes = tuple(word.rstrip("-") + "-" for word in words if "-" in word)  # bs-tooltip-top

    def __contains__(self, name: str) -> bool:
        return name in self.names or name.startswith(self.prefixes)


def may_match(selector: list[Node], known: KnownNames) -> bool:
    """Check whether an element may match. What is inside `:not(…)` and similar functions is not checked."""
    return all(
        token.value in known
        for before, token in pairwise([None, *selector])
        if token.type == "hash" or (token.type == "ident" and before == ".")
    )


def strip_unused_rules(rules: list[Node], known: KnownNames) -> str:
    """Return the rules that may match something, as text."""
    parts = []
    for rule in rules:
        css = rule.serialize()
        if rule.type == "error":
            raise ValueError(f"A style sheet cannot be parsed: {rule.message}")
        if rule.type == "qualified-rule":
            parted = groupby(rule.prelude, lambda token: token == ",")
            selectors = [list(tokens) for is_comma, tokens in parted if not is_comma]
            used = [tinycss2.serialize(one).strip() for one in selectors if may_match(one, known)]
            css = f"{','.join(used)}{{{tinycss2.serialize(rule.content).strip()}}}" if used else ""
        elif rule.type == "at-rule" and rule.lower_at_keyword in NESTING_AT_RULES and rule.content:
            inner = strip_unused_rules(tinycss2.parse_rule_list(rule.content, skip_whitespace=True), known)
            css = f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}" if inner else ""
        is_dropped = (
            css.startswith("@charset")
            or (rule.type == "comment" and not rule.value.startswith("!"))  # not a licence
            or (css.startswith("@font-face") and "fontawesome" in css)  # font_subsets.py replaces it
        )
        if css and not is_dropped:
            parts.append(css)
    return "\n".join(parts)


def read_sheet(sheet: Path) -> str:
    """Return a style sheet with those that it imports."""
    css = sheet.read_text(encoding="utf-8")
    return re.sub(r'@import "([^"]+)";', lambda found: read_sheet(sheet.parent / found[1]), css)


def join_style_sheets(pages: dict[Path, BeautifulSoup], static: Path) -> None:
    """Write the joined style sheet, and link it on every page instead of the page's own sheets."""
    sheets: dict[Path, str] = {}  # sheet -> its media
    scripts: set[str] = set()
    on_pages: set[str] = set()
    for path, page in pages.items():
        for link in page.select("link[rel=stylesheet]"):
            sheets[_file(path, link["href"])] = str(link.get("media") or "all")
        for script in page.find_all("script"):
            source = script.get("src")
            scripts.add(_file(path, source).read_text(encoding="utf-8") if source else script.get_text())
        for element in page.find_all(True):
            on_pages.update(element.get_attribute_list("class"), element.get_attribute_list("id"))
    known = KnownNames(on_pages, "\n".join(sorted(scripts)))
    joined = "\n".join(f"@media {media} {{ {read_sheet(sheet)} }}" for sheet, media in sheets.items())
    css = strip_unused_rules(tinycss2.parse_stylesheet(joined, skip_whitespace=True), known)
    main = _write(static / JOINED_SHEET, font_subsets.icon_font(static, css) + css)
    math = _write(static / font_subsets.MATH_STYLE_SHEET, font_subsets.math_font(pages))
    for page in pages.values():
        first, *others = page.select("link[rel=stylesheet]")
        static_url = str(first["href"]).partition("_static/")[0] + "_static/"
        first["href"] = static_url + main
        del first["media"]
        for other in others:
            other.decompose()
        if page.body and page.find("math"):  # at the end, where it delays nothing
            page.body.append(page.new_tag("link", rel="stylesheet", href=static_url + math))


def _file(page: Path, url: object) -> Path:
    return (page.parent / str(url).partition("?")[0]).resolve()


def _write(sheet: Path, css: str) -> str:
    """Write a style sheet; return its name with its version."""
    css = '@charset "UTF-8";\n' + css
    sheet.write_text(css, encoding="utf-8")
    return f"{sheet.name}?v={hashlib.sha256(css.encode()).hexdigest()[:8]}"
