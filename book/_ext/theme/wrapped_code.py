"""Lays long lines of code into elements that know their indent, so that they wrap to it.

Without it what is wrapped would begin at the left edge, and Python's structure would be lost. `book.css` has
the rest. Pygments ends its colours with each line, so that a line by itself is whole HTML.

What has no space and is longer than a phone's row gets places where a row may end: behind a dot or an opening
bracket, and within a name only where it is too long by itself. They are `<wbr>`, which nobody copies.
"""

from __future__ import annotations

import re
from itertools import pairwise

from bs4 import BeautifulSoup, NavigableString, Tag

FITS = 24  # characters that the narrowest phone shows of a line, in a card
HANGS = 2  # characters that the rows after the first are further in: book.css
INDENT = re.compile(r"((?:<[^>]*>)*)( *)")
# Behind a dot, an opening bracket, a comma, the sign of an argument, and the slashes of an address.
JOINTS = re.compile(
    r"(?<=[\w)\]])\.(?=[A-Za-z_])|[(\[{]+(?=[^)\]}])|,(?=\S)|(?<![=!<>:])=(?=[^=])|[/&](?=\w)"
)
LONG_NAME = 14  # characters: a shorter name is not parted at all
NAMES = re.compile(rf"\w{{{LONG_NAME + 1},}}", re.ASCII)
WORDS = re.compile(r"(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])")


def in_lines(code: str) -> str:
    """The HTML of a `<pre>`, with each line in an element that may have to be wrapped.

    >>> in_lines("<b>if</b> x:\\n    return " + "a" * 20 + "\\n")
    '<b>if</b> x:\\n<span class="line" style="--indent:4"><i>    </i>return aaaaaaaaaaaaaaaaaaaa\\n</span>'
    """
    *lines, rest = code.split("\n")
    return "".join(_in_element(line) for line in lines) + rest


def _in_element(line: str) -> str:
    if len(_pre(line).get_text()) <= FITS:
        return f"{line}\n"
    begin = INDENT.match(line)
    assert begin
    colours, spaces = begin.groups()
    indent = f"<i>{spaces}</i>" if spaces else ""  # apart, so that no row ends behind it
    return (
        f'<span class="line" style="--indent:{len(spaces)}">{colours}{indent}{line[begin.end() :]}\n</span>'
    )


def _pre(code: str) -> Tag:
    pre = BeautifulSoup(f"<pre>{code}</pre>", "html.parser").pre  # elsewhere the parser joins spaces
    assert pre
    return pre


def joints(line: str, indent: int) -> list[int]:
    """Before which characters of a line a row may end, other than at a space.

    >>> line = "        a = model.transformer.wte.weight"
    >>> [line[begin:] for begin in joints(line, 8)]
    ['transformer.wte.weight', 'wte.weight', 'weight']
    >>> joints("a = model.wte.weight  # which fits into a row", 0)
    []
    """
    room = FITS - HANGS - indent
    found: set[int] = set()
    for run in re.finditer(r"\S+", line):
        if run.end() - run.start() > room:
            found.update(joint.end() for joint in JOINTS.finditer(line, run.start(), run.end()))
    for name in NAMES.finditer(line):
        if name.end() - name.start() > room:
            found.update(word.end() for word in WORDS.finditer(line, name.start(), name.end()))
    return sorted(found)


def _let_end(line: Tag, indent: int) -> None:
    """Put a `<wbr>` at each joint of a line."""
    places = joints(line.get_text(), indent)
    at = 0
    for piece in list(line.find_all(string=True)):
        inside = [place - at for place in places if at < place <= at + len(piece)]
        at += len(piece)
        if not inside:
            continue
        parts = [piece[begin:end] for begin, end in pairwise([0, *inside, len(piece)])]
        new: list[NavigableString | Tag] = [NavigableString(parts[0])]
        for part in parts[1:]:
            new += [Tag(name="wbr", can_be_empty_element=True), *([NavigableString(part)] if part else [])]
        piece.replace_with(*new)


def mend(page: BeautifulSoup) -> None:
    """Mend one page."""
    for pre in page.select("div.highlight pre"):
        mended = _pre(in_lines(pre.decode_contents()))
        for line in mended.select(".line"):
            _let_end(line, len(line.i.get_text()) if line.i else 0)
        assert mended.get_text() == pre.get_text(), pre
        pre.clear()
        pre.extend(list(mended.children))
