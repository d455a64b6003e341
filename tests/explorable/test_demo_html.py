"""A demo as it stands in a page, before any browser sees it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from bs4 import Tag
from matplotlib.figure import Figure

from explorable.controls import Parameter, as_parameter
from explorable.demo_html import MOST_VALUES, demo_html
from explorable.figure_svg import Draw
from tests.explorable.drawings import draw, line_to, page


def shown(*parameters: Parameter, draw: Draw = draw) -> Tag:
    return page(demo_html(draw, parameters, "A line & its end.", "demo"))


def steps() -> Tag:
    return shown(as_parameter("n", [1, 50, 100], label="Steps <n>", unit=("step", "steps"), start=50))


def data(root: Tag) -> Any:
    assert root.script
    return json.loads(root.script.get_text())


def text(root: Tag, selector: str) -> str:
    (found,) = root.select(selector)
    return found.get_text()


def test_w9_a_slider_has_a_label_and_tells_its_value_in_words() -> None:
    root = steps()
    (control,) = root.select("input[type=range]")
    assert (control["min"], control["max"], control["step"], control["value"]) == ("0", "2", "1", "1")
    assert control["aria-valuetext"] == text(root, ".explore-range span") == "50 steps"
    assert text(root, f"label[for='{control['id']}']") == "Steps <n>"


def test_w2_the_picture_the_words_and_a_note_are_there_without_a_script() -> None:
    root = steps()
    assert root.select(".explore-controls[hidden]")  # nothing that could not work
    assert "end 50" in text(root, "svg")
    assert text(root, ".explore-words") == "The line ends at 50."
    assert "Steps <n> from 1 step to 100 steps" in text(root, ".explore-note")


def test_w8_the_picture_is_named_by_the_alternative_and_by_the_words() -> None:
    root = steps()
    (picture,) = root.select("svg[role=img]")
    named = [text(root, f"[id='{name}']") for name in str(picture["aria-labelledby"]).split()]
    assert named == ["A line & its end.", "The line ends at 50."]
    assert root.select(".explore-words[aria-live=polite]")


def test_w1_the_data_holds_every_value_and_what_is_said_of_it() -> None:
    held = data(steps())
    assert held["parameters"] == [["n", ["1 step", "50 steps", "100 steps"], ["1", "50", "100"]]]
    assert held["words"] == [f"The line ends at {n}." for n in (1, 50, 100)]
    texts = [values for _, attribute, values, _ in held["changes"] if attribute == ""]
    assert ["end 1", "end 50", "end 100"] in texts


def test_the_page_does_not_grow_with_the_number_of_values() -> None:
    few, many = (shown(as_parameter("n", range(1, count))) for count in (3, 12))
    assert len(few.find_all(True)) == len(many.find_all(True))


def test_a_script_end_in_the_words_does_not_end_the_data() -> None:
    root = shown(as_parameter("n", [1, 2]), draw=lambda n: (line_to(n), "</script><b>"))
    assert data(root)["words"] == ["</script><b>"] * 2
    assert not root.select("b")


@pytest.mark.parametrize(("count", "selector"), [(4, "fieldset input[checked]"), (5, "option[selected]")])
def test_choices_are_radios_and_many_of_them_a_list(count: int, selector: str) -> None:
    kind = as_parameter("kind", [str(10 * i) for i in range(count)], start="20")
    (chosen,) = shown(kind, draw=lambda kind: draw(int(kind))).select(selector)
    assert chosen["value"] == "2"


def test_every_combination_is_drawn_with_the_last_parameter_fastest() -> None:
    def both(a: int, b: int) -> tuple[Figure, str]:
        return line_to(10 * a + b), f"{a} and {b}"

    held = data(shown(as_parameter("a", [1, 2]), as_parameter("b", [3, 4, 5]), draw=both))
    assert held["words"] == [f"{a} and {b}" for a in (1, 2) for b in (3, 4, 5)]


def test_more_values_than_a_page_can_bear_are_refused_before_any_is_drawn() -> None:
    with pytest.raises(ValueError, match=rf"at most {MOST_VALUES}, got 65 \(5 of a × 13 of b\)"):
        shown(as_parameter("a", range(5)), as_parameter("b", range(13)), draw=lambda a, b: 1 / 0)  # type: ignore[arg-type,return-value]


def test_too_heavy_a_demo_is_refused_with_its_weight_and_the_reason() -> None:
    def noise(n: int) -> tuple[Figure, str]:
        figure = line_to(50)
        figure.axes[0].plot(np.linspace(0, 100, 9000), np.random.default_rng(n).uniform(0, 100, 9000))
        return figure, "Noise."

    with pytest.raises(ValueError, match=r"40 KB gzipped, and this demo has [\d.]+: .* its 2 values"):
        shown(as_parameter("n", [1, 2]), draw=noise)


@pytest.mark.parametrize("returned", [None, Figure(), (Figure(), ""), (Figure(), 3), ("words", Figure())])
def test_a_drawing_function_must_return_a_picture_and_words(returned: Any) -> None:
    with pytest.raises(TypeError, match=r"^draw must return a matplotlib Figure and a string .*, got \S"):
        shown(as_parameter("n", [1, 2]), draw=lambda n: returned)
