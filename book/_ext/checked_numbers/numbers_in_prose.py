"""Recognizes the numbers in prose, the value that each states, and its precision.

Numbers that are no figures (years, versions, the numbers of issues and papers, URLs) are masked first. Maths
is read like text: `38{,}597{,}376` is 38,597,376.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from checked_numbers.markdown_sentences import Piece

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
    """A number as printed, its position in the text, and its value."""

    text: str
    start: int
    end: int
    value: float
    half_unit: float  # half a unit of the last printed digit, the largest rounding error
    significant: int  # digits, without trailing zeros of a whole number


@dataclass(frozen=True)
class SearchableText:
    """A sentence in normalized form. Both texts have the same length."""

    text: str
    masked: str  # with code and ignored numbers masked
    spans: list[tuple[int, int]]  # start and end of each piece


def normalize(text: str) -> str:
    """Normalize spaces, minus signs, and the space before a percent sign.

    >>> normalize("−23.7\\u202f%")
    '-23.7 %'
    """
    return re.sub(r"(?<=\d)\s*%", " %", re.sub(r"\s+", " ", text.replace("−", "-")))


def normalize_latex(latex: str) -> str:
    r"""Reduce LaTeX to one line of text with its numbers and signs.

    >>> normalize_latex(r"50{,}257 \times 768\,\%")
    '50,257 × 768 %'
    """
    text = latex.replace("{,}", ",").replace(r"\%", "%").replace("~", " ").replace("_", " ")
    text = text.replace(r"\times", "×").replace(r"\cdot", "·")
    return normalize(re.sub(r"\\[A-Za-z]+|\\[,;:! ]", " ", text))


_NORMALIZE: dict[str, Callable[[str], str]] = {"text": normalize, "math": normalize_latex, "code": str}


def searchable_text(sentence: Sequence[Piece]) -> SearchableText:
    """Make a sentence searchable."""
    text, masked, spans = "", "", []
    for piece in sentence:
        part = _NORMALIZE[piece.kind](piece.source)
        spans.append((len(text), len(text) + len(part)))
        text += part
        masked += "\ufffc" * len(part) if piece.kind == "code" else part
    text, masked = (_HYPHEN.sub(" ", part) for part in (text, masked))
    return SearchableText(text, IGNORED_NUMBERS.sub(lambda match: "\ufffc" * len(match[0]), masked), spans)


def split_at(sentence: Sequence[Piece], start: int, end: int) -> Iterator[tuple[str, str, bool]]:
    """Yield (kind, source, whether inside) for the parts of a sentence inside and outside of start to end."""
    for piece, (low, high) in zip(sentence, searchable_text(sentence).spans, strict=True):
        source = normalize(piece.source) if piece.kind == "text" else piece.source
        if piece.kind != "text":
            yield piece.kind, source, low < end and high > start
            continue
        cuts = [0, min(max(start - low, 0), high - low), min(max(end - low, 0), high - low), high - low]
        for number, (a, b) in enumerate(pairwise(cuts)):
            if a < b:
                yield "text", source[a:b], number == 1


def find_numbers(text: str) -> list[Number]:
    """Return every number in a normalized text.

    >>> text = "124M of them, 23.7 %, and 1,000"
    >>> [(n.text, n.value, n.half_unit, n.significant) for n in find_numbers(text)]
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
