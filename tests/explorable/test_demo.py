"""`explore`: which of its two faces is shown, and what it refuses."""

from __future__ import annotations

import re
from typing import Any

import pytest

from explorable import BOOK_VARIABLE, explore
from explorable.demo import Explore
from tests.explorable.drawings import draw


@pytest.fixture
def in_book(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BOOK_VARIABLE, "1")


@pytest.fixture
def with_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(BOOK_VARIABLE, raising=False)


def html(demo: Explore) -> str:
    """What a page gets when the demo is shown."""
    return str(demo._repr_mimebundle_()["text/html"])


@pytest.mark.usefixtures("in_book")
def test_the_book_gets_html_and_no_widget() -> None:
    bundle = explore(draw, alt="A line.", n=[1, 2])._repr_mimebundle_()
    assert bundle.keys() == {"text/html", "text/plain"}
    assert bundle["text/html"].startswith('<div class="explore"')
    assert bundle["text/plain"] == "<explore: a demo over n, shown by a notebook>"


@pytest.mark.usefixtures("with_kernel")
def test_a_kernel_gets_a_widget_and_no_frames() -> None:
    drawn = []

    def counted(n: int) -> Any:
        drawn.append(n)
        return draw(n)

    bundle = explore(counted, alt="A line.", n=range(1, 60), start={"n": 7})._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "text/html" not in bundle
    assert drawn == [7]


@pytest.mark.usefixtures("in_book")
def test_the_same_demo_twice_has_ids_of_its_own() -> None:
    demo, again = (explore(lambda m: draw(m), alt="A line.", m=[1, 2]) for _ in range(2))
    shown = [html(demo), html(again), html(demo)]  # and so has one that is shown twice
    ids = [set(re.findall(r' id="([^"]*)"', source)) for source in shown]
    assert [f"explore-m{suffix}" in ids[i] for i, suffix in enumerate(("", "-2", "-3"))] == [True] * 3
    assert not ids[0] & ids[1] | ids[0] & ids[2] | ids[1] & ids[2]


@pytest.mark.parametrize("environment", ["in_book", "with_kernel"])
@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (dict(draw=3, n=[1]), TypeError, r"^draw must be a function, got 3 \(int\)$"),
        (dict(alt=3, n=[1]), TypeError, r"^alt must be a str, got 3 \(int\)$"),
        (dict(alt=" ", n=[1]), ValueError, "^alt must not be empty, got ' '$"),
        (dict(), ValueError, r"^explore needs at least one parameter to set, such as n=\[1, 10, 100\]$"),
        (dict(n=[1], labels="n"), TypeError, r"^labels must be a Mapping, got 'n' \(str\)$"),
        (dict(n=[1], units={"m": "steps"}), ValueError, "^units: a parameter must be one of 'n', got 'm'$"),
        (dict(n=[1, 2], start={"n": 3}), ValueError, r"^start\['n'\] must be one of n's values, got 3"),
        (dict(n=[2, 1]), ValueError, "^n must be increasing numbers"),
        (dict(n=[1], start=0), TypeError, r"^start must be a Mapping, got 0 \(int\)$"),
        ({"a b": [1]}, ValueError, "^a parameter's name must be an identifier, got 'a b'$"),
        (dict(m=[1, 2]), TypeError, "^draw must be a function of m: missing a required argument: 'n'"),
    ],
)
def test_an_impossible_call_is_refused_by_name_on_both_sides(
    environment: str,
    arguments: dict[str, Any],
    error: type[Exception],
    words: str,
    request: pytest.FixtureRequest,
) -> None:
    request.getfixturevalue(environment)
    with pytest.raises(error, match=words):
        explore(**{"draw": draw, "alt": "A line.", **arguments})
