"""The directive `{checked-figures}`: the whole ledger as a page, each value computed while the page is built.

Values are kept under the build folder until the package, an expression or a measurement changes. A figure
that disagrees, or that no longer stands in the prose, is a warning: under `-W` the build fails.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from execution_cache import outputs_key, prune
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from checked_numbers.entry_cards import CARD, card, stated_in
from checked_numbers.number_ledger import ANY, Entry, load, match
from checked_numbers.prose_pages import code, read_book

logger = logging.getLogger(__name__)

LEDGER = "book/figures.yml"
KEPT = 3  # caches of values, so that going back to another version computes nothing


class CheckedFigures(SphinxDirective):
    """A section for the figures of any page, then one for each page, of a card a figure."""

    def run(self) -> list[nodes.Node]:
        from checked_numbers.expression_values import (  # only here: PyTorch takes its time to load
            disagreement,
            evaluate_all,
        )

        root = Path(self.env.srcdir)
        entries, pages = load(root / LEDGER), read_book(root)
        self._depend_on([root / LEDGER, *(page.path for page in pages), *_deciding()])
        places, unlisted = match(entries, pages)
        for number in unlisted:
            logger.warning("%s", number, location=self.env.docname)
        values = evaluate_all([entry for entry in entries if entry.expression], self._cache(root))
        sections = {ANY: _section(ANY, "Throughout the book")}
        for page in pages:
            sections[page.stem] = _section(page.stem, page.title)
            sections[page.stem] += stated_in([page], self.env)
        for entry in entries:
            value = values.get(entry)
            if not places[entry]:
                self._complain(entry, "it stands in no prose")
                continue
            if isinstance(value, Exception):
                self._complain(entry, f"{entry.expression} cannot be computed: {value!r}")
            elif value is not None and (problem := disagreement(entry, value)):
                self._complain(entry, problem)
            else:
                sections[entry.page] += card(entry, places[entry], value, self.env)
        return [section for section in sections.values() if isinstance(section[-1], nodes.container)]

    def _depend_on(self, paths: Iterable[Path]) -> None:
        for path in paths:
            self.env.note_dependency(str(path))

    def _cache(self, root: Path) -> Path:
        """The file of the values that just this package, these versions and this code give."""
        folder = Path(self.env.app.outdir).parent / ".figures"
        parts = [outputs_key(root), *(module.read_text(encoding="utf-8") for module in _deciding())]
        parts += [code(notebook) for notebook in sorted((root / "notebooks").glob("*.ipynb"))]
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        (folder / key).mkdir(parents=True, exist_ok=True)
        prune(folder, keep=KEPT)
        return folder / key / "values.json"

    def _complain(self, entry: Entry, problem: str) -> None:
        logger.warning("%s: %s: %s", LEDGER, entry, problem, location=self.env.docname)


def _deciding() -> list[Path]:
    """The modules beside this one that decide what an expression is worth."""
    return [Path(__file__).with_name(name) for name in ("evaluation.py", "measurements.py")]


def _section(stem: str, title: str) -> nodes.section:
    return nodes.section("", nodes.title(title, title), ids=[nodes.make_id(f"figures-{stem}")])


def add_style(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Give the style to the one page that needs it."""
    if doctree is not None and any(CARD in node["classes"] for node in doctree.findall(nodes.container)):
        app.add_css_file("figures.css")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_directive("checked-figures", CheckedFigures)
    app.connect("html-page-context", add_style)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
