"""Reads the prose of a parsed page: its sentences, and the numbers in them with value and precision.

Text alternatives and captions are prose too; the outputs of code are not. Maths is read like text:
`38{,}597{,}376` is 38,597,376. Numbers that are no figures (years, versions, URLs) are masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from typing import NamedTuple

from bs4 import BeautifulSoup
from docutils import nodes

SENTENCE_END = re.compile(r"[.!?][\"”’)]*\s+(?=[\"“‘(\[]*[A-Z]|$)")
ABBREVIATION = re.compile(r"\b(?:al|cf|vs|e\.g|i\.e|ca|approx|Fig|Eq|Sec|No|pp?)\.\s+$")
SPACE_OF_A_CITATION = re.compile(r"\s+(?=[.,;:)](?:\s|$))")  # the citation itself is left out
HYPHEN = re.compile(r"(?<=\d)-(?=(?:thousand|million|billion)\b)")
MASK = "\ufffc"

_YEAR = r"(?:19[5-9]|20[0-3])\d[a-z]?"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
IGNORED_NUMBERS = re.compile(
    "|".join(
        [
            r"https?://\S+",
            r"(?i:arXiv)[:\s]*\d{4}\.\d{4,5}(?:v\d+)?",
            r"\b10\.\d{4,}/\S+",  # a DOI
            r"\bv?\d+(?:\.\d+){2,}\b",  # a version
            r"(?i:\b(?:version|python|pytorch|torch|transformers|numpy|jupyter book)s?) v?\d+\.\d+\b",
            r"(?i:\b(?:issue|pull request|discussion|page)) #?\d+|\bpp?\. \d+(?:–\d+)?|#\d+",
            r"(?i:\b(?:issue|pull request|discussion|page)s) #?\d+(?:(?:,|,? and|,? or|–) ?#?\d+)*",
            rf"\b{_YEAR}-\d\d(?:-\d\d)?\b",
            rf"\({_YEAR}(?=[,;)])",
            rf"\b(?:al\.,?|and [A-Z][\w’-]+,?|[A-Z][\w’-]+,|©) {_YEAR}\b(?![,.]\d)",
            rf"\b(?:in|In|since|Since|until|year|{_MONTHS}) {_YEAR}\b(?![,.]\d)",
        ]
    )
)
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
WORDS = {"%": 1e-2, "percent": 1e-2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
LETTERS = {"k": 1e3, "M": 1e6, "B": 1e9}
NUMBER = re.compile(
    r"(?:(?<![\w)\]}%])-)?(?<![\w.])"
    r"(?P<digits>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<!\d)\.\d+)(?:[eE](?P<e>[+-]?\d+)(?!\w))?"
    r"(?:\s?[×·]\s?10(?:\^\{?(?P<ten>-?\d+)\}?|(?P<up>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)))?"
    r"(?:\s?(?P<scale>%|(?:percent|thousand|million|billion)\b)|(?P<letter>[kMB])(?!\w))?"
)


@dataclass(frozen=True)
class Number:
    """A number as printed, its position in the text, and its value."""

    text: str
    start: int
    end: int
    value: float
    half_unit: float  # half a unit of the last printed digit, the largest rounding error
    significant: int  # digits, without trailing zeros of a whole number


class Piece(NamedTuple):
    """A part of a sentence."""

    kind: str  # "text", "math" or "code"
    source: str
    plain: str  # what is searched for numbers


@dataclass(frozen=True)
class Sentence:
    """A sentence, or a row of a table."""

    pieces: tuple[Piece, ...]
    context: str = ""  # "In a table", "In the words for a picture", or empty

    def __str__(self) -> str:
        return "".join(piece.source for piece in self.pieces).strip()

    @cached_property
    def text(self) -> str:
        """What is searched for numbers."""
        text = HYPHEN.sub(" ", "".join(piece.plain for piece in self.pieces))
        return IGNORED_NUMBERS.sub(lambda match: MASK * len(match[0]), text)

    def split_at(self, start: int, end: int) -> Iterator[tuple[str, str, bool]]:
        """Yield kind, source, and whether it is between two positions in `text`, for each part."""
        low = 0
        for kind, source, plain in self.pieces:
            high = low + len(plain)
            if kind == "text":
                cuts = [low, *(cut for cut in (start, end) if low < cut < high), high]
                yield from ((kind, plain[a - low : b - low], start <= a < end) for a, b in pairwise(cuts))
            else:
                yield kind, source, low < end and high > start
            low = high


def find_numbers(text: str) -> list[Number]:
    """Return every number in a normalized text.

    >>> text = "124M of them, 23.7 %, and 1,000"
    >>> [(n.text, n.value, n.half_unit, n.significant) for n in find_numbers(text)]
    [('124M', 124000000.0, 500000.0, 3), ('23.7 %', 0.237, 0.0005, 3), ('1,000', 1000.0, 0.5, 1)]
    """
    return [_number(match) for match in NUMBER.finditer(text)]


def _number(match: re.Match[str]) -> Number:
    digits = match["digits"].replace(",", "")
    exponent = int(match["e"] or 0) + int(match["ten"] or (match["up"] or "0").translate(SUPERSCRIPTS))
    scale = WORDS.get(match["scale"], 1.0) * LETTERS.get(match["letter"], 1.0)
    significant = digits.replace(".", "").lstrip("0") if "." in digits else digits.strip("0")
    value = float(f"{digits}e{exponent}") * scale * (-1 if match[0].startswith("-") else 1)
    half_unit = 0.5 * 10.0 ** (exponent - len(digits.partition(".")[2])) * scale
    return Number(match[0], match.start(), match.end(), value, half_unit, len(significant))


def normalize(text: str) -> str:
    r"""Reduce prose or LaTeX to one line with plain numbers and signs.

    >>> normalize(r"50{,}257 \times −23.7\,\%")
    '50,257 × -23.7 %'
    """
    for latex, plain in {"−": "-", "{,}": ",", r"\%": "%", r"\times": "×", r"\cdot": "·"}.items():
        text = text.replace(latex, plain)
    text = re.sub(r"\s+|\\[A-Za-z]+|\\[,;:! ]|_(?=[{\d])", " ", text)
    return re.sub(r"(?<=\d) *%", " %", re.sub(" +", " ", text))


def sentences(node: nodes.Node) -> Iterator[Sentence]:
    """Yield the sentences of a parsed page, or of a part of it, in reading order."""
    if isinstance(node, nodes.image):
        yield from _split(_join(_sources([node])), "In the words for a picture")
    elif isinstance(node, nodes.row):
        cells = [list(_sources(cell.children)) for cell in node.children]
        row = [part for cell in cells if cell for part in (("text", "; "), *cell)]
        yield Sentence(tuple(_join(row[1:])), "In a table")
    elif isinstance(node, nodes.math_block | nodes.raw):
        yield from _split(_join(_sources([node])))
    elif isinstance(node, nodes.TextElement):
        if not isinstance(node, nodes.FixedTextElement | nodes.Invisible):
            yield from _split(_join(_sources(node.children)))
    elif node.get("nb_element") == "cell_code_output":  # computed, except for what its author says about it
        for part in node.findall(lambda part: isinstance(part, nodes.image | nodes.caption)):
            yield from sentences(part)
    elif not node.get("computed"):
        for part in node.children:
            yield from sentences(part)


def _sources(children: Iterable[nodes.Node]) -> Iterator[tuple[str, str]]:
    for node in children:
        if isinstance(node, nodes.image):
            yield "text", node.get("alt", "")
        elif isinstance(node, nodes.raw):
            html = BeautifulSoup(node.astext(), "html.parser")
            yield "text", " ".join([html.get_text(" "), *(str(tag["alt"]) for tag in html.select("[alt]"))])
        elif isinstance(node, nodes.Text):
            yield "text", node.astext()
        elif isinstance(node, nodes.math | nodes.math_block | nodes.literal):
            yield "code" if isinstance(node, nodes.literal) else "math", node.astext()
        elif node.get("refexplicit", True):  # a citation or a bare cross-reference has no text of its own
            yield from _sources(node.children)


def _join(sources: Iterable[tuple[str, str]]) -> Iterator[Piece]:
    for kind, group in groupby(sources, lambda part: part[0]):
        source = "".join(source for _, source in group)
        if kind == "text":
            source = normalize(SPACE_OF_A_CITATION.sub("", source))
        yield Piece(kind, source, MASK * len(source) if kind == "code" else normalize(source))


def _split(paragraph: Iterable[Piece], context: str = "") -> Iterator[Sentence]:
    sentence: list[Piece] = []
    for piece in paragraph:
        start, text = 0, piece.plain if piece.kind == "text" else ""
        for match in SENTENCE_END.finditer(text):
            if not ABBREVIATION.search(text[: match.end()]):
                part = text[start : match.end()]
                yield Sentence((*sentence, Piece("text", part, part)), context)
                sentence, start = [], match.end()
        sentence.append(Piece("text", text[start:], text[start:]) if text else piece)
    yield Sentence(tuple(sentence), context)
