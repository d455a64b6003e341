"""Joins the style sheets of all pages into one, and strips the rules that match nothing in the book.

A rule is stripped if each of its selectors names a class or an id that no page has and no script may add.
Every word in a script may be a class, and a word with a hyphen may be the start of one. Elements, attributes
and states are not checked, so that no rule is lost that may match.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import tinycss2
from bs4 import BeautifulSoup, Tag
from tinycss2.ast import AtRule, Node, QualifiedRule

from theme import font_subsets

JOINED_SHEET = "site.css"
NESTING_AT_RULES = {"media", "supports", "layer", "container"}


def classes_and_ids(page: BeautifulSoup) -> set[str]:
    """Return the classes and ids on a page."""
    found: set[str] = set()
    for element in page.find_all(True):
        found.update(element.get_attribute_list("class"), element.get_attribute_list("id"))
    return found


class KnownNames:
    """The classes and ids that elements of the book have, or that scripts may give them."""

    def __init__(self, on_pages: set[str], scripts: str) -> None:
        words = set(re.findall(r"[A-Za-z_][\w-]*", scripts))
        self.names = on_pages | words
        self.prefixes = tuple(
            word.rstrip("-") + "-" for word in words if "-" in word
        )  # "bs-tooltip" + "-top"

    def __contains__(self, name: str) -> bool:
        return name in self.names or name.startswith(self.prefixes)


def split_selectors(prelude: list[Node]) -> Iterator[list[Node]]:
    """Split the selectors of a rule at its commas."""
    one: list[Node] = []
    for token in prelude:
        if token.type == "literal" and token.value == ",":
            yield one
            one = []
        else:
            one.append(token)
    yield one


def may_match(selector: list[Node], known: KnownNames) -> bool:
    """Check whether an element may match. What is inside `:not(…)` and similar functions is not checked."""
    for before, token in zip([None, *selector], selector):
        is_class = token.type == "ident" and before is not None and before == "."
        if (is_class or token.type == "hash") and token.value not in known:
            return False
    return True


def strip_unused_rules(rules: list[Node], known: KnownNames) -> str:
    """Return the rules that may match something, as text."""
    parts = []
    for rule in rules:
        if isinstance(rule, QualifiedRule):
            used = [selector for selector in split_selectors(rule.prelude) if may_match(selector, known)]
            if used:
                selectors = ",".join(tinycss2.serialize(selector).strip() for selector in used)
                parts.append(f"{selectors}{{{tinycss2.serialize(rule.content).strip()}}}")
        elif (
            isinstance(rule, AtRule)
            and rule.lower_at_keyword in NESTING_AT_RULES
            and rule.content is not None
        ):
            nested = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if inner := strip_unused_rules(nested, known):
                parts.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{inner}}}")
        elif isinstance(rule, AtRule) and rule.lower_at_keyword in {"charset", "import"}:
            continue  # already joined
        elif isinstance(rule, AtRule) and "fontawesome" in tinycss2.serialize(rule.content or []):
            continue  # font_subsets.py replaces it
        elif rule.type == "comment" and rule.value.startswith("!"):
            parts.append(rule.serialize())  # a licence
        elif rule.type == "error":
            raise ValueError(f"A style sheet cannot be parsed: {rule.message}")
        elif rule.type != "comment":
            parts.append(rule.serialize())
    return "\n".join(parts)


def inline_imports(sheet: Path, static: Path) -> str:
    """Return a style sheet with its imports inlined and its URLs relative to `static`."""

    def imported(match: re.Match[str]) -> str:
        return inline_imports((sheet.parent / match.group(1)).resolve(), static)

    def relative_url(match: re.Match[str]) -> str:
        target = os.path.relpath(sheet.parent.resolve() / match.group(1), static.resolve())
        return f'url("{Path(target).as_posix()}")'

    css = sheet.read_text(encoding="utf-8")
    css = re.sub(r"""url\(\s*["']?((?!data:|#|["']|\w+://)[^"')]+)["']?\s*\)""", relative_url, css)
    return re.sub(r"""@import\s+["']([^"']+)["'];""", imported, css)


def join_style_sheets(pages: dict[Path, BeautifulSoup], static: Path) -> None:
    """Write the joined style sheet, and link it on every page instead of the page's own sheets."""
    sheets: dict[Path, str] = {}  # sheet -> its media
    links: list[tuple[Path, list[Tag]]] = []
    words: set[str] = set()
    on_pages: set[str] = set()
    for path, page in pages.items():
        links.append((path, page.find_all("link", rel="stylesheet")))
        for link in links[-1][1]:
            sheet = (path.parent / str(link["href"]).partition("?")[0]).resolve()
            sheets[sheet] = str(link.get("media") or "all")
        for script in page.find_all("script"):
            file = path.parent / str(script.get("src") or "").partition("?")[0]
            words.add(file.read_text(encoding="utf-8") if script.get("src") else script.get_text())
        on_pages |= classes_and_ids(page)
    known = KnownNames(on_pages, "\n".join(sorted(words)))
    whole = "\n".join(
        f"@media {media} {{ {css} }}" if media != "all" else css
        for sheet, media in sheets.items()
        for css in [inline_imports(sheet, static)]
    )
    css = strip_unused_rules(tinycss2.parse_stylesheet(whole, skip_whitespace=True), known)
    url = write_sheet(static / JOINED_SHEET, font_subsets.icon_font(static, css) + css)
    for path, (first, *others) in links:
        first["href"] = url(path)
        for other in others:
            other.decompose()
    url = write_sheet(static / font_subsets.MATH_STYLE_SHEET, font_subsets.math_font(pages))
    for path, page in pages.items():
        if page.body and page.find("math"):  # at the end, where it delays nothing
            page.body.append(page.new_tag("link", rel="stylesheet", href=url(path)))


def write_sheet(sheet: Path, css: str) -> Callable[[Path], str]:
    """Write a style sheet; return a function from a page to the sheet's URL with its version."""
    css = '@charset "UTF-8";\n' + css
    sheet.write_text(css, encoding="utf-8")
    version = hashlib.sha256(css.encode()).hexdigest()[:8]
    return lambda page: f"{Path(os.path.relpath(sheet, page.parent)).as_posix()}?v={version}"
