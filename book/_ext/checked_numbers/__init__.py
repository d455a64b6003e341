"""The book's ledger: every figure that the prose states, what computes it, and the page that lists them.

`prose` and `pages` read what people read, `figures` finds the numbers in it, `ledger` holds the entries of
`book/figures.yml` against them, `evaluation` computes their expressions with what `measurements` adds, and
`page` and `cards` show what was found.
"""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    from checked_numbers import page_directive  # only for Sphinx: the tests need the rest alone

    return page.setup(app)
