"""Wraps long lines of code at their indentation.

Each long line becomes an element that states its indent, and `book.css` does the rest; otherwise the wrapped
part would start at the left edge, and Python's structure would be lost. Pygments closes its elements at each
line's end, so that a line is valid HTML by itself.

Text without spaces that is wider than a phone gets break opportunities: after a dot or an opening bracket,
and within a name only if the name itself is too long. They are `<wbr>` elements, which are not copied.
"""

from __future__ import annotations

import re
from itertools import pairwise

from bs4 import BeautifulSoup, NavigableString, Tag

PHONE_WIDTH = 24  # characters of a line that the narrowest phone shows, in a card
HANGING_INDENT = 2  # characters, of the rows after the first; book.css has the same number
INDENT = re.compile(r"((?:<[^>]*>)*)( *)")
# After a dot, an opening bracket, a comma, the = of an argument, and the slashes of a URL.
BREAKS = re.compile(
    r"(?<=[\w)\]])\.(?=[A-Za-z_])|[(\[{]+(?=[^)\]}])|,(?=\S)|(?<![=!<>:])=(?=[^=])|[/&](?=\w)"
)
SHORT_NAME = 14  # characters; a name of this length is not broken
LONG_NAMES = re.compile(rf"\w{{{SHORT_NAME + 1},}}", re.ASCII)
UNDERSCORES = re.compile(r"(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])")


def wrap_lines(code: str) -> str:
    """Return the HTML of a `<pre>`, with each line that may wrap in an element.

    >>> wrap_lines("<b>if</b> x:\\n    return " + "a" * 20 + "\\n")
    '<b>if</b> x:\\n<span class="line" style="--indent:4"><i>    </i>return aaaaaaaaaaaaaaaaaaaa\\n</span>'
    """
    *lines, rest = code.split("\n")
    return "".join(_wrap_line(line) for line in lines) + rest


def _wrap_line(line: str) -> str:
    if len(_pre(line).get_text()) <= PHONE_WIDTH:
        return f"{line}\n"
    start = INDENT.match(line)
    assert start
    tags, spaces = start.groups()
    indent = f"<i>{spaces}</i>" if spaces else ""  # its own element, so that no row ends after it
    return f'<span class="line" style="--indent:{len(spaces)}">{tags}{indent}{line[start.end() :]}\n</span>'


def _pre(code: str) -> Tag:
    pre = BeautifulSoup(f"<pre>{code}</pre>", "html.parser").pre  # outside of it the parser joins spaces
    assert pre
    return pre


def break_positions(line: str, indent: int) -> list[int]:
    """Return the positions in a line before which a row may end, other than spaces.

    >>> line = "        a = model.transformer.wte.weight"
    >>> [line[start:] for start in break_positions(line, 8)]
    ['transformer.wte.weight', 'wte.weight', 'weight']
    >>> break_positions("a = model.wte.weight  # which fits into a row", 0)
    []
    """
    width = PHONE_WIDTH - HANGING_INDENT - indent
    found: set[int] = set()
    for run in re.finditer(r"\S+", line):
        if run.end() - run.start() > width:
            found.update(match.end() for match in BREAKS.finditer(line, run.start(), run.end()))
    for name in LONG_NAMES.finditer(line):
        if name.end() - name.start() > width:
            found.update(match.end() for match in UNDERSCORES.finditer(line, name.start(), name.end()))
    return sorted(found)


def _insert_breaks(line: Tag, indent: int) -> None:
    """Put a `<wbr>` at each break position of a line."""
    positions = break_positions(line.get_text(), indent)
    offset = 0
    for piece in list(line.find_all(string=True)):
        inside = [position - offset for position in positions if offset < position <= offset + len(piece)]
        offset += len(piece)
        if not inside:
            continue
        parts = [piece[start:end] for start, end in pairwise([0, *inside, len(piece)])]
        new: list[NavigableString | Tag] = [NavigableString(parts[0])]
        for part in parts[1:]:
            new += [Tag(name="wbr", can_be_empty_element=True), *([NavigableString(part)] if part else [])]
        piece.replace_with(*new)


def wrap_long_lines(page: BeautifulSoup) -> None:
    """Wrap the long lines of all code blocks of a page."""
    for pre in page.select("div.highlight pre"):
        wrapped = _pre(wrap_lines(pre.decode_contents()))
        for line in wrapped.select(".line"):
            _insert_breaks(line, len(line.i.get_text()) if line.i else 0)
        assert wrapped.get_text() == pre.get_text(), pre
        pre.clear()
        pre.extend(list(wrapped.children))
