"""The numbers that stand in prose: which ones there are, what value each states, and how precisely.

What is no figure (years, versions, the numbers of issues and papers, addresses) is masked before looking.
Maths is read like words: `38{,}597{,}376` is 38,597,376.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from checked_numbers.markdown_sentences import Piece

_YEAR = r"(?:19[5-9]|20[0-3])\d[a-z]?"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
NO_FIGURES = re.compile(
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

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SCALES = {
    "%": 1e-2,
    "percent": 1e-2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "k": 1e3,
    "M": 1e6,
    "B": 1e9,
}
_HYPHEN = re.compile(r"(?<=\d)-(?=(?:thousand|million|billion)\b)")
NUMBER = re.compile(
    r"(?:(?<![\w)\]}%])-)?(?<![\w.])"
    r"(?P<digits>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|(?<!\d)\.\d+)(?:[eE](?P<e>[+-]?\d+)(?!\w))?"
    r"(?:\s?[×·]\s?10(?:\^\{?(?P<ten>-?\d+)\}?|(?P<up>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)))?"
    r"(?:\s?(?P<scale>%|(?:percent|thousand|million|billion)\b)|(?P<letter>[kMB])(?!\w))?"
)


@dataclass(frozen=True)
class Number:
    """A number as printed, where it stands in its text, and what it states."""

    text: str
    start: int
    end: int
    value: float
    half_unit: float  # half a unit of the last printed digit: rounding can hide no more
    significant: int  # digits; the zeros at the end of a whole number do not count


@dataclass(frozen=True)
class Read:
    """A sentence made searchable; both texts have the same length, and `spans` says where each piece lies."""

    text: str
    figures: str  # the same with code and whatever is no figure masked
    spans: list[tuple[int, int]]


def plain(text: str) -> str:
    """Prose with its typography simplified: spaces, minus signs, and a space before a percent sign.

    >>> plain("−23.7\\u202f%")
    '-23.7 %'
    """
    return re.sub(r"(?<=\d)\s*%", " %", re.sub(r"\s+", " ", text.replace("−", "-")))


def plain_maths(latex: str) -> str:
    r"""LaTeX as far as its numbers go, on one line.

    >>> plain_maths(r"50{,}257 \times 768\,\%")
    '50,257 × 768 %'
    """
    text = latex.replace("{,}", ",").replace(r"\%", "%").replace("~", " ").replace("_", " ")
    text = text.replace(r"\times", "×").replace(r"\cdot", "·")
    return plain(re.sub(r"\\[A-Za-z]+|\\[,;:! ]", " ", text))


_PLAIN: dict[str, Callable[[str], str]] = {"text": plain, "math": plain_maths, "code": str}


def read(sentence: Sequence[Piece]) -> Read:
    """Make a sentence searchable."""
    text, hidden, spans = "", "", []
    for piece in sentence:
        part = _PLAIN[piece.kind](piece.source)
        spans.append((len(text), len(text) + len(part)))
        text += part
        hidden += "\ufffc" * len(part) if piece.kind == "code" else part
    text, hidden = (_HYPHEN.sub(" ", part) for part in (text, hidden))
    return Read(text, NO_FIGURES.sub(lambda match: "\ufffc" * len(match[0]), hidden), spans)


def marked(sentence: Sequence[Piece], start: int, end: int) -> Iterator[tuple[str, str, bool]]:
    """The sentence in parts of (kind, source, whether it stands from `start` to `end` as read)."""
    for piece, (low, high) in zip(sentence, read(sentence).spans, strict=True):
        source = plain(piece.source) if piece.kind == "text" else piece.source
        if piece.kind != "text":
            yield piece.kind, source, low < end and high > start
            continue
        cuts = [0, min(max(start - low, 0), high - low), min(max(end - low, 0), high - low), high - low]
        for number, (a, b) in enumerate(pairwise(cuts)):
            if a < b:
                yield "text", source[a:b], number == 1


def numbers(text: str) -> list[Number]:
    """Every number in a text that `read` or `plain` made.

    >>> [(n.text, n.value, n.half_unit, n.significant) for n in numbers("124M of them, 23.7 %, and 1,000")]
    [('124M', 124000000.0, 500000.0, 3), ('23.7 %', 0.237, 0.0005, 3), ('1,000', 1000.0, 0.5, 1)]
    """
    return [_number(match) for match in NUMBER.finditer(text)]


def _number(match: re.Match[str]) -> Number:
    digits = match["digits"].replace(",", "")
    exponent = int(match["e"] or 0) + int(match["ten"] or (match["up"] or "0").translate(_SUPERSCRIPTS))
    scale = _SCALES.get(match["scale"] or match["letter"], 1.0)
    decimals = len(digits.partition(".")[2])
    significant = digits.replace(".", "").lstrip("0") if "." in digits else digits.strip("0")
    value = float(f"{digits}e{exponent}") * scale
    sign = -1 if match[0].startswith("-") else 1
    half_unit = 0.5 * 10.0 ** (exponent - decimals) * scale
    return Number(match[0], match.start(), match.end(), sign * value, half_unit, len(significant))
