"""A figure as SVG that stands in a page."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree as ET

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Circle

from explorable import colors
from explorable.colors import ORANGE
from explorable.figure_svg import figure_svg
from tests.colors import contrast
from tests.explorable.drawings import line_to


def source() -> str:
    return ET.tostring(figure_svg(line_to(50), "walk"), encoding="unicode")


def test_a_picture_is_the_same_every_time_and_leaves_the_readers_settings_alone() -> None:
    before = dict(mpl.rcParams)
    assert source() == source()
    assert dict(mpl.rcParams) == before


def test_text_stays_text_in_the_readers_own_font() -> None:
    texts = [element.text for element in figure_svg(line_to(50), "walk").iter("text")]
    assert {"steps", "end 50", "way & <means>"} <= set(texts)
    assert "font-family" not in source()


def test_w7_ink_and_colours_follow_the_theme_and_no_background_is_painted() -> None:
    svg = source()
    assert "fill:currentColor" in svg
    assert f"var(--ink-{ORANGE[1:]},{ORANGE})" in svg
    assert not re.search(r"(?<!,)#[0-9a-fA-F]{6}", svg)  # every colour is one of the palette's variables
    assert not re.search(r'fill:var\(--ink-ffffff,[^)]*\)"', svg)


def test_ids_are_those_referred_to_and_begin_with_the_prefix() -> None:
    ids = re.findall(r' id="([^"]*)"', source())
    assert ids
    assert len(set(ids)) == len(ids)
    assert set(ids) == set(re.findall(r"#(walk\.\d+)", source()))


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


def test_a_picture_keeps_its_place_and_shape_in_short_coordinates_and_its_style_to_itself() -> None:
    root = figure_svg(line_to(100), "walk")
    assert root.get("viewBox") == "0 0 288 216"  # 4 by 3 inches, in points
    line = next(path for path in root.iter("path") if ORANGE in path.get("style", ""))
    # axes 0.6 to 3.6 inches across and 0.6 to 2.6 inches up, in points from the top
    assert line.get("d") == "M43.2 172.8L259.2 28.8"
    assert not re.search(r"\d\.\d\d", " ".join(path.get("d", "") for path in root.iter("path")))
    assert root.find(".//style") is None  # matplotlib's own would set the joins of every line of the page
    assert root.get("stroke-linejoin") == "round"


@pytest.mark.parametrize("kind", ["outline", "stairs", "circle", "arrow"])
def test_f1_half_transparent_outlines_are_drawn(kind: str) -> None:
    figure, axes = plt.subplots()
    match kind:
        case "outline":
            axes.hist([1, 2, 2, 3], histtype="step", alpha=0.5, color="red")
        case "stairs":
            axes.stairs([1, 2], fill=False, alpha=0.5, color="red")
        case "circle":
            axes.add_patch(Circle((0, 0), 1, fill=False, alpha=0.05, edgecolor="red"))
        case "arrow":
            axes.annotate("", (0, 0), (1, 1), arrowprops=dict(arrowstyle="->", alpha=0.5, color="red"))
    plt.close(figure)
    assert "stroke:#ff0000" in ET.tostring(figure_svg(figure, "demo"), encoding="unicode")


@pytest.mark.parametrize("size", [10, 768, 6000])
def test_f2_an_image_without_interpolation_fills_its_axes(size: int) -> None:
    figure = plt.figure(figsize=(4, 3))
    figure.add_axes((0, 0, 1, 1)).imshow(np.zeros((size, size)), interpolation="none", aspect="auto")
    plt.close(figure)
    (image,) = figure_svg(figure, "demo").iter("image")
    factors = [float(word) for word in re.findall(r"[-\d.e]+", image.get("transform", ""))]
    width, height = (float(image.get(name, "0")) for name in ("width", "height"))
    assert abs(factors[0]) * width == pytest.approx(288, rel=0.01)  # 4 inches, in points
    assert abs(factors[3]) * height == pytest.approx(216, rel=0.01)


# ---- the theme's colours ------------------------------------------------------------------------------

NAMED = [colors.BLUE, colors.ORANGE, colors.GREEN, colors.RED, colors.PURPLE, colors.FAINT]
TAB10 = [to_hex(color) for color in mpl.colormaps["tab10"].colors]  # type: ignore[attr-defined]
PAPER, DARK_PAPER = "#ffffff", "#14181e"  # the theme's own


def test_w7_labels_have_contrast_in_both_modes() -> None:
    assert all(contrast(color, PAPER) >= 4.5 for color in NAMED)
    assert all(contrast(colors.ON_DARK[color], DARK_PAPER) >= 4.5 for color in NAMED)


def test_w7_the_default_styles_colours_are_readable_and_different_on_a_dark_page() -> None:
    dark = [colors.ON_DARK.get(color, color) for color in TAB10]
    assert all(contrast(color, DARK_PAPER) >= 4.5 for color in dark)
    assert all(np.linalg.norm(np.subtract(to_rgb(a), to_rgb(b))) > 0.15 for a, b in combinations(dark, 2))


def test_w7_black_text_of_the_default_style_has_the_colour_of_the_page() -> None:
    figure, axes = plt.subplots()
    axes.plot([0, 1], label="line")
    axes.legend()
    plt.close(figure)
    root = figure_svg(figure, "demo")
    assert root.get("fill") == "currentColor"
    assert not any("fill" in ET.tostring(text, encoding="unicode") for text in root.iter("text"))
    svg = ET.tostring(root, encoding="unicode")
    assert "fill:var(--ink-ffffff,#ffffff)" in svg  # the legend's box
    assert "#000000" not in svg


@pytest.mark.parametrize(("light", "dark"), colors.ON_DARK.items())
def test_each_replaced_colour_has_one_dark_value(light: str, dark: str) -> None:
    declared = dict(pair.split(":") for pair in colors.dark_variables().split(";"))
    name = colors.themed(light).removeprefix("var(").partition(",")[0]
    assert declared.get(name, "currentColor") == dark
