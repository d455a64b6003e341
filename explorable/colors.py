"""The colours of figures, and their replacements on a dark page."""

from __future__ import annotations

import re

# After Okabe and Ito (2008), "Color Universal Design": distinct for every common colour blindness. Orange
# and green are darker than theirs, since they colour labels too: all except SKY have 4.5:1 contrast on white.
BLUE, ORANGE, GREEN, RED, PURPLE, SKY = "#0072b2", "#b85000", "#007d5b", "#cc3311", "#aa4499", "#56b4e9"
INK, FAINT = "#222222", "#6f6f6f"  # text, and background elements
PALE, GRID, PAPER = "#e9e9e9", "#dddddd", "#ffffff"

# Colours that are not listed here are the same in both modes.
ON_DARK = {
    BLUE: "#58b0ec",
    ORANGE: "#f08a3c",
    GREEN: "#2fbf93",
    RED: "#ff7f66",
    PURPLE: "#db8ccb",
    SKY: "#8fcdf5",
    FAINT: "#9aa3ad",
    PALE: "#3a424d",
    GRID: "#343b45",
    PAPER: "var(--pst-color-background,#111111)",  # the book's theme's, or else JupyterLab's
    INK: "currentColor",
    # Matplotlib's default style: text, grid, the edge of a legend, and the darker of its ten colours.
    "#000000": "currentColor",
    "#b0b0b0": "#4a525c",
    "#cccccc": "#56606c",
    "#1f77b4": "#5aa9e6",
    "#2ca02c": "#4fc24f",
    "#d62728": "#ff7a73",
    "#9467bd": "#b995e0",
    "#8c564b": "#cc9385",
    "#7f7f7f": "#a6a6a6",
}


_THEMED = {
    light: dark if dark == "currentColor" else f"var(--ink-{light[1:]},{light})"
    for light, dark in ON_DARK.items()
}


def themed(style: str) -> str:
    """Replace each colour in an SVG style that is different on a dark page.

    >>> themed("fill:#0072b2;stroke:#222222")
    'fill:var(--ink-0072b2,#0072b2);stroke:currentColor'
    """
    return re.sub(r"#[0-9a-f]{6}\b", lambda found: _THEMED.get(found.group(), found.group()), style)


def dark_variables() -> str:
    """Return the CSS declarations that give every replaced colour its dark value."""
    return ";".join(f"--ink-{light[1:]}:{dark}" for light, dark in ON_DARK.items() if dark != "currentColor")
