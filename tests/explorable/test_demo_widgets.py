"""A demo with a kernel: ipywidgets, moved here as their front end would."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from explorable.colors import ON_DARK, ORANGE
from explorable.controls import as_parameter
from explorable.demo_widgets import demo_widgets
from tests.explorable.drawings import draw

N = as_parameter("n", [1, 50, 100], label="Steps", unit="steps", start=50)


def parts(demo: Any) -> tuple[Any, Any, Any]:
    """The first control, the picture and the words."""
    control, *_, picture, words = demo.children
    return control, picture, words


def test_it_begins_where_it_should_and_draws_no_frame_ahead() -> None:
    drawn = []

    def counted(n: int) -> tuple[Figure, str]:
        drawn.append(n)
        return draw(n)

    control, picture, words = parts(demo_widgets(counted, [N], "A line.", "demo"))
    assert drawn == [50]
    assert isinstance(control, widgets.SelectionSlider)
    assert (control.value, control.label, control.description) == (50, "50 steps", "Steps")
    assert "end 50" in picture.value
    assert "The line ends at 50." in words.value


def test_w1_moving_the_slider_changes_picture_words_and_alternative() -> None:
    control, picture, words = parts(demo_widgets(draw, [N], "A line.", "demo"))
    control.index = 2
    assert "end 100" in picture.value
    assert "The line ends at 100." in words.value
    assert 'aria-label="A line. The line ends at 100."' in picture.value
    assert plt.get_fignums() == []


def test_an_exception_shows_where_the_picture_would_be_and_the_slider_lives_on() -> None:
    def fails_at_one(n: int) -> tuple[Figure, str]:
        if n == 1:
            raise ValueError("n must not be <one>")
        return draw(n)

    control, picture, words = parts(demo_widgets(fails_at_one, [N], "A line.", "demo"))
    control.index = 0
    assert "ValueError: n must not be &lt;one&gt;" in picture.value
    assert 'role="alert"' in picture.value
    assert "of fails_at_one: raise ValueError" in picture.value
    assert words.value == ""
    control.index = 1
    assert "end 50" in picture.value


def test_w7_a_dark_notebook_has_the_colours_of_the_dark_book() -> None:
    _, picture, _ = parts(demo_widgets(draw, [N], "A line.", "demo"))
    assert f"--ink-{ORANGE[1:]}:{ON_DARK[ORANGE]}" in picture.value


def test_two_parameters_are_two_controls_and_the_picture_follows_both() -> None:
    def both(a: int, b: int) -> tuple[Figure, str]:
        return draw(10 * a + b)

    demo = demo_widgets(both, [as_parameter("a", [1, 2]), as_parameter("b", [3, 4])], "A line.", "demo")
    a, b, picture, _ = demo.children
    a.index, b.index = 1, 1
    assert "end 24" in picture.value
