"""A figure as SVG that stands in a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest

from gpt2_teach.interactive.svg import figure_svg
from gpt2_teach.plots import style
from tests.colors import contrast
from tests.interactive.pictures import line_to
from tests.small_books import ROOT


def source(n: int = 50, prefix: str = "demo") -> str:
    return ET.tostring(figure_svg(line_to(n), prefix), encoding="unicode")


def test_text_stays_text_in_the_readers_own_font() -> None:
    texts = [element.text for element in figure_svg(line_to(50), "demo").iter("text")]
    assert {"steps", "end 50", "way & <means>"} <= set(texts)
    assert "font-family" not in source()


def test_w7_ink_and_colours_follow_the_theme_and_no_background_is_painted() -> None:
    svg = source()
    assert "fill:currentColor" in svg
    assert f"var(--book-orange,{style.ORANGE})" in svg
    assert not re.search(r"(?<!,)#[0-9a-fA-F]{6}", svg)  # every colour is one of the palette's variables
    for element in figure_svg(line_to(50), "demo").iter("path"):
        assert not re.search(r"fill:var\(--book-paper,[^)]*\)$", element.get("style", "")), element.attrib


def test_ids_are_few_and_begin_with_the_prefix() -> None:
    ids = [element.get("id") for element in figure_svg(line_to(50), "walk").iter() if element.get("id")]
    assert ids
    assert len(set(ids)) == len(ids)
    assert all(str(name).startswith("walk.") for name in ids)
    used = re.findall(r"#(walk\.\d+)", source(prefix="walk"))
    assert set(used) == set(ids)


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


def test_no_style_leaks_out_of_the_picture() -> None:
    assert "<style" not in source()  # matplotlib's own would set the joins of every line of the page
    assert 'stroke-linejoin="round"' in source()


def test_coordinates_are_short_and_the_picture_is_the_same_every_time() -> None:
    assert not re.search(r"\d\.\d\d", " ".join(re.findall(r' d="([^"]*)"', source())))
    assert source() == source()


def test_a_picture_keeps_its_place_and_shape() -> None:
    root = figure_svg(line_to(100), "demo")
    assert root.get("viewBox") == "0 0 288 216"  # 4 by 3 inches, in points
    line = next(path for path in root.iter("path") if "book-orange" in path.get("style", ""))
    # axes 0.6 to 3.6 inches across and 0.6 to 2.6 inches up, in points from the top
    assert line.get("d") == "M43.2 172.8L259.2 28.8"


def test_the_readers_settings_are_left_alone() -> None:
    before = dict(mpl.rcParams)
    source()
    assert dict(mpl.rcParams) == before


# ---- the theme's colours ------------------------------------------------------------------------------

CSS = "book/_static/explore.css"


def palette(dark: bool) -> dict[str, str]:
    """The variables that explore.css sets in a mode."""
    css = (ROOT / CSS).read_text(encoding="utf-8")
    blocks = re.findall(r"^ *(html\[data-theme=\"dark\"\] )?\.explore \{([^}]*)\}", css, flags=re.M)
    rules = next(rules for mode, rules in blocks if bool(mode) == dark)
    return dict(re.findall(r"--book-(\w+): (#[0-9a-f]{6})", rules))


@pytest.mark.parametrize("color", ["blue", "orange", "green", "red", "purple", "faint"])
@pytest.mark.parametrize(("dark", "paper"), [(False, "#ffffff"), (True, "#14181e")])
def test_w7_labels_have_contrast_in_both_modes(color: str, dark: bool, paper: str) -> None:
    assert contrast(palette(dark)[color], paper) >= 4.5


def test_the_style_sheet_and_the_palette_agree() -> None:
    light, dark = palette(False), palette(True)
    for value, variable in style.THEME.items():
        name = variable.removeprefix("var(--book-").partition(",")[0]
        if name not in ("currentColor", "paper"):
            assert light[name] == value.lower()
            assert dark[name] == style.DARK[name]
