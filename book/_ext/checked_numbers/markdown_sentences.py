"""Splits Markdown into sentences as a reader sees them.

The parser is the book's own (`myst_parser`), so that code, maths and links are recognized as on the page.
Text alternatives and captions are prose too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import pairwise
from typing import Literal

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

EXTENSIONS = {"amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath", "substitution", "tasklist"}
MARKDOWN = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)

NOT_PROSE = {"bibliography", "code", "code-block", "code-cell", "literalinclude", "raw", "toctree"}
SENTENCE_END = re.compile(r"[.!?][\"”’)]*\s+(?=[\"“‘(\[]*[A-Z]|$)")
CELL_SEPARATOR = " | "  # between the cells of a table row
ABBREVIATION = re.compile(r"\b(?:al|cf|vs|e\.g|i\.e|ca|approx|Fig|Eq|Sec|No|pp?)\.\s+$")


@dataclass(frozen=True)
class Piece:
    """A part of a sentence that is text, maths or code."""

    kind: Literal["text", "math", "code"]
    source: str


def sentences(markdown: str) -> Iterator[list[Piece]]:
    """Yield the sentences of a Markdown text in reading order, as lists of pieces; a table row is one.

    >>> [[piece.source for piece in sentence] for sentence in sentences("It has $768$ rows. Look at `wte`!")]
    [['It has ', '768', ' rows.'], ['Look at ', 'wte', '!']]
    """
    for paragraph in _paragraphs(MARKDOWN.parse(markdown)):
        yield from _split(paragraph)


def sentence_source(sentence: list[Piece]) -> str:
    """Return the sentence's Markdown, without emphasis and links."""
    quotes = {"text": "", "math": "$", "code": "`"}
    return "".join(quotes[piece.kind] + piece.source + quotes[piece.kind] for piece in sentence).strip()


def first_heading(markdown: str) -> str:
    """Return the first heading of a Markdown text, or an empty string."""
    pairs = pairwise(MARKDOWN.parse(markdown))
    return next((inline.content for head, inline in pairs if head.type == "heading_open"), "")


def _paragraphs(tokens: list[Token]) -> Iterator[list[Piece]]:
    row: list[Piece] | None = None  # of a table
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            yield row
            row = None
        elif token.type == "inline" and row is not None:
            row += [*([Piece("text", CELL_SEPARATOR)] if row else []), *_pieces(token.children or [])]
        elif token.type == "inline":
            yield list(_pieces(token.children or []))
        elif token.type in {"math_block", "math_block_label", "amsmath"}:
            yield [Piece("math", token.content)]
        elif token.type == "html_block":
            yield [Piece("text", html_text(token.content))]
        elif token.type in {"fence", "colon_fence"}:
            yield from _directive(token)


def _directive(token: Token) -> Iterator[list[Piece]]:
    match = re.match(r"\{([\w-]+)\}\s*(.*)", token.info)
    if not match or match[1] in NOT_PROSE:
        return
    name, title = match.groups()
    options = dict(re.findall(r"^:([\w-]+):[ \t]*(.*)\n?", token.content, flags=re.M))
    body = re.sub(r"^:[\w-]+:.*\n?", "", token.content, flags=re.M)
    if name == "math":
        yield [Piece("math", body)]
        return
    title = "" if name in {"figure", "image"} else title  # a path in these
    for markdown in [options.get("alt", ""), options.get("caption", ""), title, body]:
        yield from _paragraphs(MARKDOWN.parse(markdown))


def _pieces(tokens: list[Token]) -> Iterator[Piece]:
    for token in tokens:
        if token.type == "text":
            yield Piece("text", token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            yield Piece("text", " ")
        elif token.type.startswith("math_inline") or token.meta.get("name") == "math":
            yield Piece("math", token.content)
        elif token.type == "code_inline":
            yield Piece("code", token.content)
        elif token.type == "image":
            yield from _pieces(token.children or [])
        elif token.type == "html_inline":
            yield Piece("text", html_text(token.content))


def _split(paragraph: list[Piece]) -> Iterator[list[Piece]]:
    sentence: list[Piece] = []
    for piece in _merge_texts(paragraph):
        rest = piece.source
        while piece.kind == "text" and (end := _first_end(rest)):
            yield [*sentence, Piece("text", rest[:end].rstrip())]
            sentence, rest = [], rest[end:]
        if rest:
            sentence.append(Piece(piece.kind, rest))
    if any(piece.source.strip() for piece in sentence):
        yield sentence


def _first_end(text: str) -> int | None:
    ends = (match.end() for match in SENTENCE_END.finditer(text))
    return next((end for end in ends if not ABBREVIATION.search(text[:end])), None)


def _merge_texts(pieces: list[Piece]) -> list[Piece]:
    merged: list[Piece] = []
    for piece in pieces:
        if merged and merged[-1].kind == piece.kind == "text":
            before = merged[-1].source
            if piece.source[:1] in {*".,;:)"}:  # something between them was dropped, such as a citation
                before = before.rstrip()
            merged[-1] = Piece("text", before + piece.source)
        elif piece.source:
            merged.append(piece)
    return merged


class _HTMLText(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.in_script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.in_script = tag in {"script", "style"}
        self.parts += [value for name, value in attrs if name in {"alt", "aria-label"} and value]

    def handle_endtag(self, tag: str) -> None:
        self.in_script = False

    def handle_data(self, data: str) -> None:
        if not self.in_script:
            self.parts.append(data)


def html_text(html: str) -> str:
    """Return the text in HTML and the text alternatives of its pictures, without scripts, comments and URLs.

    >>> html_text('<b>Two</b> <img src="a.svg" alt="lines">')
    'Two   lines'
    """
    parser = _HTMLText()
    parser.feed(html)
    parser.close()
    return " ".join(parser.parts)
