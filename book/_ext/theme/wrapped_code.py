"""Wraps long lines of code at their indentation.

Each long line becomes an element that states its indent, and `book.css` does the rest; otherwise the wrapped
part would start at the left edge, and Python's structure would be lost. Pygments closes its elements at each
line's end, so that a line is valid HTML by itself.

Text without spaces that is wider than a phone gets break opportunities: after a dot or an opening bracket,
and within a name only if the name itself is too long. They are `<wbr>` elements, which are not copied.
"""

from __future__ import annotations

import html
import re

from bs4 import BeautifulSoup

PHONE_WIDTH = 24  # characters of a line that the narrowest phone shows, in a card
HANGING_INDENT = 2  # characters, of the rows after the first; book.css has the same number
SHORT_NAME = 14  # characters; a name of this length is not broken
# After a dot, an opening bracket, a comma, the = of an argument, and the slashes of a URL.
BREAKS = r"(?<=[\w)\]])\.(?=[A-Za-z_])|[(\[{]+(?=[^)\]}])|,(?=\S)|(?<![=!<>:])=(?=[^=])|[/&](?=\w)"
UNDERSCORES = r"(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])"


def break_positions(line: str, indent: int) -> set[int]:
    """Return the positions in a line before which a row may end, other than spaces.

    >>> line = "        a = model.transformer.wte.weight"
    >>> [line[start:] for start in sorted(break_positions(line, 8))]
    ['transformer.wte.weight', 'wte.weight', 'weight']
    >>> break_positions("a = model.wte.weight  # which fits into a row", 0)
    set()
    """
    width = PHONE_WIDTH - HANGING_INDENT - indent
    return {
        place.end()
        for unit, longest, breaks in ((r"\S+", width, BREAKS), (r"\w+", max(width, SHORT_NAME), UNDERSCORES))
        for found in re.finditer(unit, line, re.ASCII)
        if len(found.group()) > longest
        for place in re.compile(breaks).finditer(line, *found.span())
    }


def wrap_line(code: str) -> str:
    """Return the HTML of a line of code, in an element of its own if the line may wrap.

    >>> wrap_line("<b>if</b> x:")
    '<b>if</b> x:\\n'
    >>> wrap_line("    return " + "a" * 20)
    '<span class="line" style="--indent:4"><i>    </i>return aaaaaaaaaaaaaaaaaaaa\\n</span>'
    """
    pieces = re.findall("<[^>]*>|&[^;]*;|.", code)  # tags and characters
    line = html.unescape("".join(piece for piece in pieces if not piece.startswith("<")))
    if len(line) <= PHONE_WIDTH:
        return f"{code}\n"
    indent = len(line) - len(line.lstrip(" "))
    breaks = break_positions(line, indent)
    wrapped, position = "", 0
    for piece in pieces:
        if not piece.startswith("<"):
            wrapped += "<wbr>" if position in breaks else ""
            position += 1
        wrapped += piece
    wrapped = re.sub("^((?:<[^>]*>)*)( +)", r"\1<i>\2</i>", wrapped)  # so that no row ends after the indent
    return f'<span class="line" style="--indent:{indent}">{wrapped}\n</span>'


def wrap_long_lines(page: BeautifulSoup) -> None:
    """Wrap the long lines of all code blocks of a page."""
    for plain in page.select(
        "pre :is(.n, .p, .w)"
    ):  # names, punctuation and spaces have the color of the text
        plain.unwrap()
    for pre in page.select("div.highlight pre"):
        text = pre.get_text()
        *lines, rest = pre.decode_contents().split("\n")
        wrapped = BeautifulSoup(f"<pre>{''.join(map(wrap_line, lines))}{rest}</pre>", "html.parser").pre
        assert wrapped
        pre.clear()
        pre.extend(wrapped.contents[:])
        assert pre.get_text() == text, pre
