"""Colours as light: linear parts, and the contrast of two of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.colors import to_rgb


def linear(color: str) -> np.ndarray[Any, Any]:
    """Red, green and blue of a colour as parts of light, each from 0 to 1."""
    rgb = np.array(to_rgb(color))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def contrast(a: str, b: str) -> float:
    """By the Web Content Accessibility Guidelines, from 1 to 21."""
    low, high = sorted(float(np.array([0.2126, 0.7152, 0.0722]) @ linear(color)) for color in (a, b))
    return (high + 0.05) / (low + 0.05)
