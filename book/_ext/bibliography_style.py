"""The style of the reference list: labels as in the text (author, year), linked titles in their own case.

Pybtex's own styles label an entry [GB10] that the text cites as [Glorot and Bengio, 2010], and they write
titles in lower case: transformers, gpt-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pybtex.database import Entry
from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.template import field, href, sentence
from sphinx.application import Sphinx


class AuthorYearLabels(BaseLabelStyle):
    """Labels such as: Glorot and Bengio, 2010; Inan et al., 2017."""

    def format_labels(self, entries: Iterable[Entry]) -> Iterator[str]:
        for entry in entries:
            last = [
                str(Text.from_latex(" ".join(person.prelast_names + person.last_names)))
                for person in entry.persons["author"]
            ]
            who = " and ".join(last) if len(last) < 3 else f"{last[0]} et al."
            yield f"{who}, {entry.fields.get('year', 'n.d.')}"


class BookStyle(Style):
    """Pybtex's plain style, except that a title keeps its case and is the link."""

    default_sorting_style = "author_year_title"
    default_label_style = "book"

    def format_title(self, entry: Entry, which_field: str, as_sentence: bool = True) -> Any:
        title = href(field("url", raw=True))[field(which_field)]
        return sentence[title] if as_sentence else title

    def format_web_refs(self, entry: Entry) -> str:
        return ""  # the title is the link


def setup(app: Sphinx) -> None:
    """Register with Pybtex."""
    register_plugin("pybtex.style.labels", "book", AuthorYearLabels, force=True)
    register_plugin("pybtex.style.formatting", "book", BookStyle, force=True)
