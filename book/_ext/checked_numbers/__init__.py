"""Checks every number in the prose against the ledger `book/figures.yml`, and lists them on a page.

The directive `{checked-figures}` reads the prose of the parsed pages (`prose`), matches it with the ledger
(`ledger`), whose expressions it evaluates (`expressions`), and shows a card for each entry. A figure that
disagrees, one that is no longer in the prose, and a number without an entry are warnings, which with `-W`
fail the build.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.core import publish_doctree
from execution_cache import outputs_key
from myst_parser.docutils_ import Parser
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from checked_numbers import ledger
from checked_numbers.prose import sentences

logger = logging.getLogger(__name__)

PAGE, LEDGER, README = "book/figures", "book/figures.yml", "README.md"
CARD_CLASS = "checked-figure"
ALIGNED_ROWS = re.compile(r"\\begin\{aligned\}(.*)\\end\{aligned\}", re.DOTALL)


class CheckedFigures(SphinxDirective):
    """Shows a card for each entry, in a section for any page and then one for each page."""

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        for file in (LEDGER, README):
            self.env.note_dependency(str(root / file))
        try:
            entries = ledger.load_ledger(root / LEDGER)
        except ValueError as error:
            raise self.error(f"{LEDGER}: {error}") from error
        prose = {page: list(sentences(parsed)) for page, parsed in self._parsed_pages(root)}
        occurrences, unlisted = ledger.match_entries(entries, prose)
        code = Path(__file__).parent.glob("*.py")
        key = [outputs_key(root), *(file.read_text(encoding="utf-8") for file in sorted(code))]
        key += map(ledger.notebook_code, sorted((root / "notebooks").glob("*.ipynb")))
        kept = Path(self.env.app.outdir).parent / ".figures.json"
        values, problems = ledger.check_values(entries, kept, "\n".join(key))
        problems += [f"{entry}: it is nowhere in the prose" for entry in entries if not occurrences[entry]]
        for problem in [f"{LEDGER}: {problem}" for problem in problems] + unlisted:
            logger.warning("%s", problem, location=self.env.docname)
        sections: dict[str, nodes.section] = {}
        for entry, found in occurrences.items():
            if found and (entry.source or entry in values):
                section = sections.setdefault(entry.page, self._section(entry, found))
                section += self._card(entry, found, values.get(entry, []))
        return list(sections.values())

    def _parsed_pages(self, root: Path) -> Iterator[tuple[str, nodes.document]]:
        """Yield every page, in the order of reading, and the README, which is no page."""
        first = self.env.config.root_doc
        for page in sorted(
            self.env.found_docs, key=lambda page: (page != first, page.startswith("book"), page)
        ):
            yield page, self.state.document if page == PAGE else self.env.get_doctree(page)
        text = (root / README).read_text(encoding="utf-8")
        yield README, publish_doctree(text, parser=Parser(), settings_overrides={"report_level": 5})

    def _section(self, entry: ledger.Entry, occurrences: list[ledger.Occurrence]) -> nodes.section:
        ids = [nodes.make_id(f"figures-{entry.page}")]
        if entry.page == ledger.ANY_PAGE:
            return nodes.section("", nodes.title("", "Throughout the book"), ids=ids)
        page = occurrences[0].page
        return nodes.section("", nodes.title("", self._title(page)), self._links([page]), ids=ids)

    def _card(
        self, entry: ledger.Entry, occurrences: list[ledger.Occurrence], values: ledger.Values
    ) -> nodes.container:
        """Return a card: the sentence, what the figure is checked against, and the pages that state it."""
        sentence = nodes.paragraph("", "", *_marked_sentence(occurrences[0]))
        card = nodes.container("", sentence, nodes.paragraph("", "", *_origin(entry, values)))
        card["classes"].append(CARD_CLASS)
        if entry.page == ledger.ANY_PAGE:
            card += self._links(dict.fromkeys(occurrence.page for occurrence in occurrences))
        return card

    def _links(self, pages: Iterable[str]) -> nodes.paragraph:
        line = nodes.paragraph("", "Stated in ", classes=["checked-where"])
        for number, page in enumerate(pages):
            link: nodes.Node = nodes.inline("", self._title(page))
            if page != README:
                target = dict(refdomain="std", reftype="doc", reftarget=f"/{page}", refexplicit=True)
                link = addnodes.pending_xref("", link, refdoc=self.env.docname, refwarn=True, **target)
            line += [nodes.Text(", " if number else ""), link]
        return line

    def _title(self, page: str) -> str:
        return page if page == README else self.env.titles[page].astext()


def _marked_sentence(occurrence: ledger.Occurrence) -> Iterator[nodes.Node]:
    if context := occurrence.sentence.context:
        yield nodes.emphasis("", f"{context}: ")
    for kind, source, is_figure in occurrence.sentence.split_at(occurrence.start, occurrence.end):
        node = _formula(source) if kind == "math" else nodes.Text(source)
        if kind == "code":
            node = nodes.literal("", source)
        yield nodes.inline("", "", node, classes=["checked-number"]) if is_figure else node


def _formula(latex: str) -> nodes.Node:
    """Return an inline formula; aligned rows become separate formulas, narrow enough for a phone."""
    aligned = ALIGNED_ROWS.fullmatch(latex.strip())
    rows = aligned[1].replace("&", "").split(r"\\") if aligned else [latex]
    return nodes.inline("", "", *(nodes.math("", row.strip()) for row in rows))


def _origin(entry: ledger.Entry, values: ledger.Values) -> list[nodes.Node]:
    if entry.source:
        return [nodes.Text(f"From {entry.source}")]
    code = nodes.literal("", entry.expression, classes=["code"], language="python")
    shown = [ledger.format_value(*value, number) for value, number in zip(values, entry.numbers, strict=True)]
    return [code, nodes.Text(" = "), nodes.strong("", ", ".join(shown))]


def read_last(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Read the page of figures whenever another page is read, and after all of them."""
    if pages and PAGE in env.found_docs:
        pages[:] = [*(page for page in pages if page != PAGE), PAGE]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_directive("checked-figures", CheckedFigures)
    app.connect("env-before-read-docs", read_last)
    app.add_css_file("checked_numbers.css")
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
