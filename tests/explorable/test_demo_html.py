"""A demo as it stands in a page, before any browser sees it."""

from __future__ import annotations

import gzip
import json
from typing import Any

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag
from matplotlib.figure import Figure

from explorable.controls import as_parameter
from explorable.demo_html import MOST_BYTES, MOST_VALUES, demo_html
from tests.explorable.drawings import draw, line_to


def html(prefix: str = "demo") -> str:
    n = as_parameter("n", [1, 50, 100], label="Steps <n>", unit=("step", "steps"), start=50)
    return demo_html(draw, [n], "A line & its end.", prefix)


def page(source: str) -> Tag:
    root = BeautifulSoup(source, "html.parser").select_one(".explore")
    assert root
    return root


def data(root: Tag) -> Any:
    script = root.script
    assert script
    return json.loads(script.get_text())


def test_w2_the_picture_the_words_and_a_note_are_there_without_a_script() -> None:
    root = page(html())
    assert root.select_one(".explore-controls[hidden]")  # nothing that could not work
    assert "end 50" in root.svg.get_text()  # type: ignore[union-attr]
    words, note = root.select_one(".explore-words"), root.select_one(".explore-note")
    assert words
    assert words.get_text() == "The line ends at 50."
    assert note
    assert "On a screen, with JavaScript, you can set Steps <n> from 1 step to 100 steps" in note.get_text()


def test_w8_the_picture_is_named_by_the_alternative_and_by_the_words() -> None:
    root = page(html())
    assert root.svg
    assert root.svg["role"] == "img"
    described_by = [root.select_one(f'[id="{name}"]') for name in str(root.svg["aria-labelledby"]).split()]
    texts = [element.get_text() for element in described_by if element]
    assert texts == ["A line & its end.", "The line ends at 50."]
    words = root.select_one(".explore-words")
    assert words
    assert words["aria-live"] == "polite"


def test_the_data_holds_every_value_and_what_is_said_of_it() -> None:
    held = data(page(html()))
    assert held["parameters"] == [["n", ["1 step", "50 steps", "100 steps"], ["1", "50", "100"]]]
    assert held["words"] == [f"The line ends at {n}." for n in (1, 50, 100)]
    texts = [values for _, attribute, values, _ in held["changes"] if attribute == ""]
    assert ["end 1", "end 50", "end 100"] in texts


def test_a_script_end_in_the_words_does_not_end_the_data() -> None:
    source = demo_html(lambda n: (line_to(n), "</script><b>"), [as_parameter("n", [1, 2])], "A line.", "demo")
    root = page(source)
    assert data(root)["words"] == ["</script><b>"] * 2
    assert not root.select("b")


def test_choices_are_radios_and_many_of_them_a_list() -> None:
    for count, selector in ((4, "fieldset input[type=radio]"), (5, "select option")):
        kind = as_parameter("kind", [str(10 * i) for i in range(count)], start="20")
        root = page(demo_html(lambda kind: draw(int(kind)), [kind], "A line.", "demo"))
        found = root.select(selector)
        assert len(found) == count
        chosen = [
            option["value"] for option in found if option.has_attr("checked") or option.has_attr("selected")
        ]
        assert chosen == ["2"]


def test_every_combination_is_drawn_with_the_last_parameter_fastest() -> None:
    drawn: list[tuple[int, int]] = []

    def both(a: int, b: int) -> tuple[Figure, str]:
        drawn.append((a, b))
        return line_to(10 * a + b), f"{a} and {b}"

    parameters = [as_parameter("a", [1, 2]), as_parameter("b", [3, 4, 5])]
    held = data(page(demo_html(both, parameters, "A line.", "demo")))
    assert held["words"] == [f"{a} and {b}" for a in (1, 2) for b in (3, 4, 5)]
    assert len(drawn) == 6


def test_more_values_than_a_page_can_bear_are_refused_before_any_is_drawn() -> None:
    def never(**values: object) -> tuple[Figure, str]:
        raise AssertionError

    parameters = [as_parameter("a", range(5)), as_parameter("b", range(13))]
    with pytest.raises(ValueError, match=rf"at most {MOST_VALUES}, got 65 \(5 of a × 13 of b\)"):
        demo_html(never, parameters, "A line.", "demo")


def test_too_heavy_a_demo_is_refused_with_its_weight_and_the_reason() -> None:
    def noise(n: int) -> tuple[Figure, str]:
        figure = line_to(50)
        values = np.random.default_rng(n).uniform(0, 100, 3000)
        figure.axes[0].plot(np.linspace(0, 100, 3000), values)
        return figure, "Noise."

    words = r"40 KB gzipped, and this demo has [\d.]+: [\d.]+ for the picture, .* its 8 values"
    with pytest.raises(ValueError, match=words) as caught:
        demo_html(noise, [as_parameter("n", range(8))], "Noise.", "demo")
    assert "Draw fewer points" in str(caught.value)
    assert len(gzip.compress(html().encode())) < MOST_BYTES / 10


@pytest.mark.parametrize(
    ("returned", "words"),
    [
        (None, "got NoneType"),
        (Figure(), "got Figure"),
        ((Figure(), ""), r"got \(Figure, str\)"),
        ((Figure(), 3), r"got \(Figure, int\)"),
        (("words", Figure()), r"got \(str, Figure\)"),
    ],
)
def test_a_drawing_function_must_return_a_picture_and_words(returned: object, words: str) -> None:
    with pytest.raises(TypeError, match=f"^draw must return a matplotlib Figure and a string .*{words}$"):
        demo_html(lambda n: returned, [as_parameter("n", [1, 2])], "A line.", "demo")  # type: ignore[arg-type,return-value]
