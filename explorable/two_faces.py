"""An object with two faces: ipywidgets with a kernel, and HTML on the pages of a book, which have none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from explorable import in_book

_shown: Counter[str] = Counter()  # number of objects of each name in this session, so that ids are unique


class TwoFaced:
    """An object that Jupyter shows by one of two functions; each takes a prefix for the ids in its output."""

    def __init__(self, name: str, html: Callable[[str], str], widgets: Callable[[str], Any]) -> None:
        self._name, self._on_page = name, in_book()
        self._make: Callable[[str], Any] = html if self._on_page else widgets
        self._ready = self._make(self._prefix())  # build now, so that errors surface here

    def _prefix(self) -> str:
        _shown[self._name] += 1
        number = _shown[self._name]
        return f"{self._name}-{number}" if number > 1 else self._name

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        if not self._on_page:
            widget: Any = self._ready
            bundle: dict[str, Any] = widget._repr_mimebundle_()
            return bundle
        html, self._ready = self._ready or self._make(self._prefix()), None  # new ids each time
        return {"text/html": html, "text/plain": repr(self)}
