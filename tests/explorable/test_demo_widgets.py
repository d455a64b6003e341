"""A demo with a kernel: ipywidgets, moved here as their front end would."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import ipywidgets as widgets
import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

from explorable.colors import ON_DARK, ORANGE
from explorable.controls import as_parameter
from explorable.demo_widgets import demo_widgets
from explorable.figure_svg import Draw
from tests.explorable.drawings import draw, line_to


def parts(draw: Draw) -> tuple[Any, Any, Any]:
    """The slider, the picture and the words."""
    n = as_parameter("n", [1, 50, 100], label="Steps", unit="steps", start=50)
    slider, picture, words = demo_widgets(draw, [n], "A line.", "demo").children
    return slider, picture, words


def test_w1_w7_w8_moving_the_slider_changes_picture_words_and_alternative() -> None:
    slider, picture, words = parts(draw)
    assert (slider.value, slider.label, slider.description) == (50, "50 steps", "Steps")
    assert "end 50" in picture.value
    slider.index = 2
    assert "end 100" in picture.value
    assert "The line ends at 100." in words.value
    assert 'aria-label="A line. The line ends at 100."' in picture.value
    assert f"--ink-{ORANGE[1:]}:{ON_DARK[ORANGE]}" in picture.value  # for a dark notebook


def test_an_exception_shows_where_the_picture_would_be_and_the_slider_lives_on() -> None:
    def fails_at_one(n: int) -> tuple[Figure, str]:
        if n == 1:
            raise ValueError("n must not be <one>")
        return draw(n)

    slider, picture, words = parts(fails_at_one)
    slider.index = 0
    assert 'role="alert"' in picture.value
    assert "ValueError: n must not be &lt;one&gt;" in picture.value
    assert "of fails_at_one: raise ValueError" in picture.value
    assert words.value == ""
    slider.index = 1
    assert "end 50" in picture.value


def test_f4_other_figures_that_draw_opens_are_closed() -> None:
    def draw_two(n: int) -> tuple[Figure, str]:
        plt.figure()
        return plt.figure(), f"Nothing at {n}."

    kept = plt.figure()
    parts(draw_two)
    assert plt.get_fignums() == [kept.number]
    plt.close(kept)


def test_f4_a_figure_that_draw_shows_is_shown_once() -> None:
    code = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("%matplotlib inline")
import matplotlib.pyplot as plt
from explorable import explore
def draw(n):
    figure = plt.figure()
    plt.show()
    return figure, f"Nothing at {n}."
explore(draw, alt="Nothing.", n=[1, 2])
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Figure" not in shown.stdout


def test_what_is_no_picture_with_words_says_so_in_its_place() -> None:
    _, picture, _ = parts(line_to)  # type: ignore[arg-type]
    assert "TypeError: draw must return a matplotlib Figure and a string" in picture.value


@pytest.mark.parametrize(("count", "kind"), [(4, widgets.RadioButtons), (5, widgets.Dropdown)])
def test_the_picture_follows_each_of_two_controls(count: int, kind: Any) -> None:
    choice, n = as_parameter("tens", [str(i) for i in range(count)]), as_parameter("n", [3, 4])
    demo = demo_widgets(lambda tens, n: draw(10 * int(tens) + n), [choice, n], "A line.", "demo")
    tens, ones, picture, _ = demo.children
    assert isinstance(tens, kind)
    tens.value, ones.index = "2", 1
    assert "end 24" in picture.value
