"""What a drawing function is: a parameter's values in, a picture and what it shows in words out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

Draw = Callable[..., tuple[Figure, str]]


def drawn(draw: Draw, values: Mapping[str, Any]) -> tuple[Figure, str]:
    """Call `draw(**values)`. Raises TypeError unless it returns a figure and words; and what it raises."""
    shown: Any = draw(**values)
    if isinstance(shown, tuple) and len(shown) == 2:
        figure, words = shown
        if isinstance(figure, Figure) and isinstance(words, str) and words.strip():
            plt.close(figure)  # else the notebook shows it a second time, and pyplot keeps it
            return figure, words
    got = type(shown).__name__
    if isinstance(shown, tuple):
        got = f"({', '.join(type(part).__name__ for part in shown)})"
    raise TypeError(f"draw must return a matplotlib Figure and a string that says what it shows, got {got}")
