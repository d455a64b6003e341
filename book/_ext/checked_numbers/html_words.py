"""The words in HTML: its text and the alternative texts of its pictures; no script, comment or address."""

from __future__ import annotations

from html.parser import HTMLParser


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.silent = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent = tag in {"script", "style"}
        self.words += [value for name, value in attrs if name in {"alt", "aria-label"} and value]

    def handle_endtag(self, tag: str) -> None:
        self.silent = False

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.words.append(data)


def words(html: str) -> str:
    """What a piece of HTML gives to read.

    >>> words('<b>Two</b> <img src="a.svg" alt="lines">')
    'Two   lines'
    """
    parser = _Words()
    parser.feed(html)
    parser.close()
    return " ".join(parser.words)
