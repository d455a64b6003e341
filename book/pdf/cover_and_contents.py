"""Builds the HTML document that is printed: the cover, the table of contents, and the joined pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path

from bs4 import Tag
from join_pages import Page, article, heading_text, joined_anchor, style_sheets

STYLE = Path(__file__).with_name("pdf.css")
PLACEHOLDER = "000"  # for a page number, until the first printing determines it


def document(pages: list[Page], base: str, about: str, numbers: Mapping[str, int]) -> str:
    """Return the whole book as HTML; `numbers` maps anchors to page numbers, as far as they are known."""
    title = pages[0].select_one(".navbar-brand .title").get_text()
    texts = [article(page, {page.path for page in pages}, base) for page in pages]
    picture = texts[0].select_one(".book-cover")
    cover = _cover(pages[0], title, about, picture.extract() if picture else None)
    links = "".join(f'<link rel="stylesheet" href="{base}{path}">' for path in style_sheets(pages))
    return f"""<!DOCTYPE html>
<html lang="{pages[0].select_one("html")["lang"]}" data-theme="light">
<head><meta charset="utf-8"><title>{escape(title)}</title>{links}
<style>{STYLE.read_text(encoding="utf-8")}{"".join(_running_title(page) for page in pages)}</style></head>
<body><main class="bd-main"><div class="bd-content"><div class="bd-article-container">
{cover}
{_contents(pages, numbers)}
{"".join(map(str, texts))}
</div></div></main></body></html>"""


def _cover(home: Page, title: str, about: str, picture: Tag | None) -> str:
    name, _, subtitle = title.partition(": ")
    footer = home.soup.select_one(".bd-footer-content")
    colophon = "".join(f"<p>{part.decode_contents()}</p>" for part in footer.select("p")) if footer else ""
    return (
        f'<section class="pdf-cover"><p class="pdf-title">{escape(name)}</p>'
        f'<p class="pdf-subtitle">{escape(subtitle)}</p>{picture or ""}'
        f'<p class="pdf-about">{escape(about)}</p><div class="pdf-colophon">{colophon}</div></section>'
    )


def headings(pages: list[Page]) -> list[tuple[int, str, str]]:
    """Return level, text and anchor of each page's title, and of a chapter's sections."""
    found = []
    for page in pages:
        found.append((1, heading_text(page.select_one("article h1")), joined_anchor(page.path)))
        if page.path.startswith("notebooks/"):
            for section in page.soup.select("article section[id]:has(> h2)"):
                text = heading_text(section.find("h2") or section)
                found.append((2, text, joined_anchor(page.path, str(section["id"]))))
    return found


def _contents(pages: list[Page], numbers: Mapping[str, int]) -> str:
    """Return each heading as a link with its page number."""
    lines = [
        f'<li class="level-{level}"><a href="#{anchor}">'
        f"<span>{escape(text)}</span><i>{numbers.get(anchor, PLACEHOLDER)}</i></a></li>"
        for level, text, anchor in headings(pages)
    ]
    return f'<nav class="pdf-contents"><h1>Contents</h1><ul>{"".join(lines)}</ul></nav>'


def _running_title(page: Page) -> str:
    """Return the rule that shows a page's title at the top of each of its sheets."""
    title = json.dumps(heading_text(page.select_one("article h1")), ensure_ascii=False)
    name = joined_anchor(page.path)
    return f"#{name} {{ page: {name} }} @page {name} {{ @top-left {{ content: {title} }} }}\n"
