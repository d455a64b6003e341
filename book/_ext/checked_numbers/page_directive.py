"""The directive `{checked-figures}`: the whole ledger as a page, with values computed during the build.

Values are cached in the build folder until the package, an expression or a measurement changes. A figure that
disagrees, or is no longer in the prose, is a warning: with `-W` the build fails.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from docutils import nodes
from execution_cache import outputs_key, prune
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from checked_numbers.entry_cards import entry_card, page_links
from checked_numbers.number_ledger import ANY_PAGE, Entry, load_ledger, match_entries
from checked_numbers.prose_pages import notebook_code, read_book

logger = logging.getLogger(__name__)

LEDGER = "book/figures.yml"
CACHES_KEPT = 3  # of values, so that switching between versions computes nothing
# These modules decide the value of an expression.
VALUE_MODULES = [Path(__file__).with_name(f"expression_{name}.py") for name in ("values", "functions")]


class CheckedFigures(SphinxDirective):
    """Shows a card for each entry, in a section for any page and then one for each page."""

    def run(self) -> list[nodes.Node]:
        from checked_numbers.expression_values import disagreement, evaluate_all  # here: PyTorch loads slowly

        root = Path(self.env.srcdir)
        entries, pages = load_ledger(root / LEDGER), read_book(root)
        for path in [root / LEDGER, *(page.path for page in pages), *VALUE_MODULES]:
            self.env.note_dependency(str(path))
        occurrences, unlisted = match_entries(entries, pages)
        for number in unlisted:
            logger.warning("%s", number, location=self.env.docname)
        values = evaluate_all([entry for entry in entries if entry.expression], self._cache(root))
        sections = {ANY_PAGE: _section(ANY_PAGE, "Throughout the book")}
        for page in pages:
            sections[page.stem] = _section(page.stem, page.title)
            sections[page.stem] += page_links([page], self.env)
        for entry in entries:
            value = values.get(entry)
            if not occurrences[entry]:
                self._warn(entry, "it is nowhere in the prose")
                continue
            if isinstance(value, Exception):
                self._warn(entry, f"{entry.expression} cannot be computed: {value!r}")
            elif value is not None and (problem := disagreement(entry, value)):
                self._warn(entry, problem)
            else:
                sections[entry.page] += entry_card(entry, occurrences[entry], value, self.env)
        return [section for section in sections.values() if isinstance(section[-1], nodes.container)]

    def _cache(self, root: Path) -> Path:
        """Return the file of values for this package, these versions and this code."""
        folder = Path(self.env.app.outdir).parent / ".figures"
        parts = [outputs_key(root), *(module.read_text(encoding="utf-8") for module in VALUE_MODULES)]
        parts += [notebook_code(notebook) for notebook in sorted((root / "notebooks").glob("*.ipynb"))]
        key = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
        (folder / key).mkdir(parents=True, exist_ok=True)
        prune(folder, keep=CACHES_KEPT)
        return folder / key / "values.json"

    def _warn(self, entry: Entry, problem: str) -> None:
        logger.warning("%s: %s: %s", LEDGER, entry, problem, location=self.env.docname)


def _section(stem: str, title: str) -> nodes.section:
    return nodes.section("", nodes.title(title, title), ids=[nodes.make_id(f"figures-{stem}")])


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_directive("checked-figures", CheckedFigures)
    app.add_css_file("checked_numbers.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
