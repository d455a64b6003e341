"""A figure as SVG that stands in a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from matplotlib.colors import to_hex

from explorable import colors
from explorable.colors import ORANGE
from explorable.figure_svg import figure_svg
from tests.colors import contrast
from tests.explorable.drawings import line_to


def source(n: int = 50, prefix: str = "demo") -> str:
    return ET.tostring(figure_svg(line_to(n), prefix), encoding="unicode")


def test_text_stays_text_in_the_readers_own_font() -> None:
    texts = [element.text for element in figure_svg(line_to(50), "demo").iter("text")]
    assert {"steps", "end 50", "way & <means>"} <= set(texts)
    assert "font-family" not in source()


def test_w7_ink_and_colours_follow_the_theme_and_no_background_is_painted() -> None:
    svg = source()
    assert "fill:currentColor" in svg
    assert f"var(--ink-{ORANGE[1:]},{ORANGE})" in svg
    assert not re.search(r"(?<!,)#[0-9a-fA-F]{6}", svg)  # every colour is one of the palette's variables
    for element in figure_svg(line_to(50), "demo").iter("path"):
        assert not re.search(r"fill:var\(--ink-ffffff,[^)]*\)$", element.get("style", "")), element.attrib


def test_formulas_hatches_and_links_survive() -> None:
    figure = line_to(50)
    axes = figure.axes[0]
    axes.set_title(r"$\sqrt{n}$")
    axes.bar([20], [30], hatch="//", color="none")
    axes.text(5, 5, "more", url="https://example.org/#place")
    root = figure_svg(figure, "walk")
    assert "n" in [element.text for element in root.iter("tspan")]
    written = ET.tostring(root, encoding="unicode")
    (pattern,) = root.iter("pattern")
    assert f"url(#{pattern.get('id')})" in written
    assert "https://example.org/#place" in written


def test_a_picture_keeps_its_place_and_shape() -> None:
    root = figure_svg(line_to(100), "demo")
    assert root.get("viewBox") == "0 0 288 216"  # 4 by 3 inches, in points
    line = next(path for path in root.iter("path") if ORANGE in path.get("style", ""))
    # axes 0.6 to 3.6 inches across and 0.6 to 2.6 inches up, in points from the top
    assert line.get("d") == "M43.2 172.8L259.2 28.8"


# ---- the theme's colours ------------------------------------------------------------------------------

NAMED = ["BLUE", "ORANGE", "GREEN", "RED", "PURPLE", "FAINT"]
TAB10 = [to_hex(color) for color in mpl.colormaps["tab10"].colors]  # type: ignore[attr-defined]
PAPER, DARK_PAPER = "#ffffff", "#14181e"  # the theme's own


@pytest.mark.parametrize("color", NAMED)
def test_w7_labels_have_contrast_in_both_modes(color: str) -> None:
    light = getattr(colors, color)
    assert contrast(light, PAPER) >= 4.5
    assert contrast(colors.ON_DARK[light], DARK_PAPER) >= 4.5


@pytest.mark.parametrize("color", TAB10)
def test_the_default_styles_colours_have_contrast_on_a_dark_page(color: str) -> None:
    assert contrast(colors.ON_DARK.get(color, color), DARK_PAPER) >= 4.5


def test_black_text_of_the_default_style_has_the_colour_of_the_page() -> None:
    figure, axes = plt.subplots()
    axes.plot([0, 1], label="line")
    axes.legend()
    plt.close(figure)
    root = figure_svg(figure, "demo")
    assert root.get("fill") == "currentColor"
    for text in root.iter("text"):
        assert "fill" not in text.get("style", "") + str(text.attrib.keys())
    svg = ET.tostring(root, encoding="unicode")
    assert "fill:var(--ink-ffffff,#ffffff)" in svg  # the legend's box
    assert "#000000" not in svg
