"""States the size of pictures, so that the layout does not shift, and loads them lazily."""

from __future__ import annotations

import re
from pathlib import Path

from bs4 import BeautifulSoup

PIXELS_PER_UNIT = {"": 1.0, "px": 1.0, "pt": 96 / 72}


def svg_size(svg: str) -> tuple[int, int] | None:
    """Return width and height of an SVG in pixels, if its root element states them."""
    head = re.search(r"<svg\b[^>]*>", svg)
    stated = re.findall(r'\s(width|height)="([\d.]+)(pt|px|)"', head.group()) if head else []
    sides = {name: round(float(number) * PIXELS_PER_UNIT[unit]) for name, number, unit in stated}
    return (sides["width"], sides["height"]) if len(sides) == 2 else None


def set_sizes(page: BeautifulSoup, path: Path) -> None:
    """State the size of each SVG on a page, and load all pictures except the first lazily."""
    for image in page.select("article img")[1:]:
        image["loading"] = "lazy"
    for image in page.select("img[src$='.svg']:not([width]):not([height])"):
        file = path.parent / str(image["src"])
        if file.is_file() and (size := svg_size(file.read_text(encoding="utf-8"))):
            image["width"], image["height"] = map(str, size)
