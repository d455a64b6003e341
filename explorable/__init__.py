"""Notebook figures and questions that still respond on a static page, without a kernel.

A Jupyter Book uses the package as a Sphinx extension. Public names are loaded when first used.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

BOOK_VARIABLE = "EXPLORABLE_BOOK"  # set while the notebooks of a book are executed: its pages have no kernel

_MODULES = {"explore": "demo", "self_check": "question", "show_source": "markdown", "show_table": "markdown"}
__all__ = sorted(_MODULES)

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.util.typing import ExtensionMetadata

    from explorable.demo import explore as explore
    from explorable.markdown import show_source as show_source
    from explorable.markdown import show_table as show_table
    from explorable.question import self_check as self_check


def in_book() -> bool:
    """Return whether this notebook is executed for a book."""
    return os.environ.get(BOOK_VARIABLE, "") not in ("", "0")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register with Sphinx."""
    from explorable.sphinx_extension import register

    return register(app)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it offers {', '.join(__all__)}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
