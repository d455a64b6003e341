"""Checks every number in the prose against the ledger `book/figures.yml`, and lists them on a page.

`markdown_sentences` and `prose_pages` read the prose, `numbers_in_prose` recognizes its numbers,
`number_ledger` matches them with the ledger's entries, `expression_values` evaluates the entries'
expressions, which may call `expression_functions`, and `page_directive` and `entry_cards` show the result.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    from checked_numbers import page_directive  # here, since tests import the package without Sphinx's path

    return page_directive.setup(app)
