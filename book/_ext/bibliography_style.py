"""How the references look: labels as in the text (author, year), titles as their authors wrote them, linked.

Pybtex's own styles label an entry [GB10] where the text says [Glorot and Bengio, 2010], and write titles in
small letters: transformers, gpt-2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from docutils import nodes
from pybtex.database import Entry
from pybtex.plugin import register_plugin
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style
from pybtex.style.labels import BaseLabelStyle
from pybtex.style.template import field, href, sentence, tag
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
    """Pybtex's plain style, but for titles and addresses: a title is left as it is, and is the link."""

    default_sorting_style = "author_year_title"
    default_label_style = "book"

    def format_title(self, entry: Entry, which_field: str, as_sentence: bool = True) -> Any:
        """The title as it is, a link where the entry has an address."""
        title = field(which_field)
        if "url" in entry.fields:
            title = href(field("url", raw=True))[title]
        elif "doi" in entry.fields:
            title = href("https://doi.org/" + entry.fields["doi"])[title]
        return sentence[title] if as_sentence else title

    def format_btitle(self, entry: Entry, which_field: str, as_sentence: bool = True) -> Any:
        """A book's title, in italics."""
        if which_field != "title":  # that of the proceedings which a paper stands in
            return super().format_btitle(entry, which_field, as_sentence)
        return tag("em")[self.format_title(entry, which_field, as_sentence)]

    def format_web_refs(self, entry: Entry) -> Any:
        """Nothing: the title is the link."""
        return ""


def add_style(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give the style to the page that lists the references."""
    if doctree is not None and next(doctree.findall(nodes.citation), None) is not None:
        app.add_css_file("references.css")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Pybtex and Sphinx."""
    register_plugin("pybtex.style.labels", "book", AuthorYearLabels, force=True)
    register_plugin("pybtex.style.formatting", "book", BookStyle, force=True)
    app.connect("html-page-context", add_style)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
