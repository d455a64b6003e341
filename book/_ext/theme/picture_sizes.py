"""Tells pages how large their pictures are, so that nothing jumps, and loads them late."""

from __future__ import annotations

import re
from pathlib import Path

from bs4 import BeautifulSoup

PIXELS = {"": 1.0, "px": 1.0, "pt": 96 / 72}


def size(svg: str) -> tuple[int, int] | None:
    """Width and height of a drawing in pixels, if its first element states them."""
    head = re.search(r"<svg\b[^>]*>", svg)
    stated = re.findall(r'\s(width|height)="([\d.]+)(pt|px|)"', head.group()) if head else []
    sides = {name: round(float(number) * PIXELS[unit]) for name, number, unit in stated}
    return (sides["width"], sides["height"]) if len(sides) == 2 else None


def mend(page: BeautifulSoup, path: Path) -> None:
    """State the size of each drawing on one page, and let all but the first wait."""
    for image in page.select("article img")[1:]:
        image["loading"] = "lazy"
    for image in page.select("img[src$='.svg']:not([width]):not([height])"):
        file = path.parent / str(image["src"])
        if file.is_file() and (sides := size(file.read_text(encoding="utf-8"))):
            image["width"], image["height"] = map(str, sides)
