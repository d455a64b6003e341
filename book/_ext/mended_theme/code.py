"""Lays long lines of code into elements that know their indent, so that they wrap to it.

Without it what is wrapped would begin at the left edge, and Python's structure would be lost. `book.css` has
the rest. Pygments ends its colours with each line, so that a line by itself is whole HTML.
"""

from __future__ import annotations

import re

from bs4 import BeautifulSoup, Tag

FITS = 24  # characters that the narrowest phone shows of a line, in a card
INDENT = re.compile(r"((?:<[^>]*>)*)( *)")


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


def mend(page: BeautifulSoup) -> None:
    """Mend one page."""
    for pre in page.select("div.highlight pre"):
        mended = _pre(in_lines(pre.decode_contents()))
        assert mended.get_text() == pre.get_text(), pre
        pre.clear()
        pre.extend(list(mended.children))
