"""The sentences of a Markdown text, as a reader meets them.

The parser is the book's own (`myst_parser`), so that what counts as code, as maths or as a link is what the
page will show. Alternative texts and captions are prose too: somebody reads or hears them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser

from checked_numbers.html_words import words

EXTENSIONS = {"amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath", "substitution", "tasklist"}
MARKDOWN = create_md_parser(MdParserConfig(enable_extensions=EXTENSIONS), RendererHTML)

NOT_PROSE = {"bibliography", "code", "code-block", "code-cell", "literalinclude", "raw", "toctree"}
SENTENCE_ENDS = re.compile(r"[.!?][\"”’)]*\s+(?=[\"“‘(\[]*[A-Z]|$)")
NEXT_CELL = " | "  # between the cells of a table's row
NO_END = re.compile(r"\b(?:al|cf|vs|e\.g|i\.e|ca|approx|Fig|Eq|Sec|No|pp?)\.\s+$")


@dataclass(frozen=True)
class Piece:
    """A stretch of a sentence: what is read as words, as maths or as code."""

    kind: Literal["text", "math", "code"]
    source: str


def sentences(markdown: str) -> Iterator[list[Piece]]:
    """The sentences of a Markdown text in reading order, each a list of pieces; a table's row is one.

    >>> [[piece.source for piece in sentence] for sentence in sentences("It has $768$ rows. Look at `wte`!")]
    [['It has ', '768', ' rows.'], ['Look at ', 'wte', '!']]
    """
    for paragraph in _paragraphs(MARKDOWN.parse(markdown)):
        yield from _split(paragraph)


def written(sentence: list[Piece]) -> str:
    """The sentence as its author wrote it, but for emphasis and links."""
    quotes = {"text": "", "math": "$", "code": "`"}
    return "".join(quotes[piece.kind] + piece.source + quotes[piece.kind] for piece in sentence).strip()


def heading(markdown: str) -> str:
    """The first heading of a Markdown text, or nothing."""
    pairs = pairwise(MARKDOWN.parse(markdown))
    return next((inline.content for head, inline in pairs if head.type == "heading_open"), "")


def _paragraphs(tokens: list[Token]) -> Iterator[list[Piece]]:
    row: list[Piece] | None = None  # a table's row reads as one sentence
    for token in tokens:
        if token.type == "tr_open":
            row = []
        elif token.type == "tr_close" and row is not None:
            yield row
            row = None
        elif token.type == "inline" and row is not None:
            row += [*([Piece("text", NEXT_CELL)] if row else []), *_pieces(token.children or [])]
        elif token.type == "inline":
            yield list(_pieces(token.children or []))
        elif token.type in {"math_block", "math_block_label", "amsmath"}:
            yield [Piece("math", token.content)]
        elif token.type == "html_block":
            yield [Piece("text", words(token.content))]
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
    title = "" if name in {"figure", "image"} else title  # there it is a path
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
            yield Piece("text", words(token.content))


def _split(paragraph: list[Piece]) -> Iterator[list[Piece]]:
    sentence: list[Piece] = []
    for piece in _joined(paragraph):
        rest = piece.source
        while piece.kind == "text" and (end := _first_end(rest)):
            yield [*sentence, Piece("text", rest[:end].rstrip())]
            sentence, rest = [], rest[end:]
        if rest:
            sentence.append(Piece(piece.kind, rest))
    if any(piece.source.strip() for piece in sentence):
        yield sentence


def _first_end(text: str) -> int | None:
    ends = (match.end() for match in SENTENCE_ENDS.finditer(text))
    return next((end for end in ends if not NO_END.search(text[:end])), None)


def _joined(pieces: list[Piece]) -> list[Piece]:
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].kind == piece.kind == "text":
            before = joined[-1].source
            if piece.source[:1] in {*".,;:)"}:  # what was left out between them, such as a citation
                before = before.rstrip()
            joined[-1] = Piece("text", before + piece.source)
        elif piece.source:
            joined.append(piece)
    return joined
