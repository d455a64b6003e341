"""`explore`: which of its two faces is shown, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from explorable import BOOK_VARIABLE, explore
from tests.explorable.drawings import draw, page


def test_the_book_gets_html_whose_ids_differ_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BOOK_VARIABLE, "1")
    demo, again = (explore(draw, alt="A line.", n=[1, 2], labels={"n": "Steps"}) for _ in range(2))
    assert demo._repr_mimebundle_().keys() == {"text/html", "text/plain"}
    shown = [page(each._repr_mimebundle_()["text/html"]) for each in (demo, again, demo)]
    ids = [element["id"] for root in shown for element in [root, *root.find_all(id=True)]]
    assert len(set(ids)) == len(ids)
    assert shown[0].label.get_text() == "Steps"  # type: ignore[union-attr]


def test_a_kernel_gets_a_widget_and_no_frames() -> None:
    drawn = []

    def counted(n: int) -> Any:
        drawn.append(n)
        return draw(n)

    bundle = explore(counted, alt="A line.", n=range(1, 60), start={"n": 7})._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "text/html" not in bundle
    assert drawn == [7]


@pytest.mark.parametrize("in_book", ["1", "0"])
@pytest.mark.parametrize(
    ("arguments", "error", "name"),
    [
        (dict(draw=3, n=[1]), TypeError, "draw"),
        (dict(alt=3, n=[1]), TypeError, "alt"),
        (dict(alt=" ", n=[1]), ValueError, "alt"),
        (dict(), ValueError, "parameter"),
        (dict(n=[1], labels="n"), TypeError, "labels"),
        (dict(n=[1], units={"m": "steps"}), ValueError, "units"),
        (dict(n=[1], start=0), TypeError, "start"),
        (dict(n=[2, 1]), ValueError, "n must"),
        ({"a b": [1]}, ValueError, "a b"),
    ],
)
def test_an_impossible_call_is_refused_by_name_on_both_sides(
    monkeypatch: pytest.MonkeyPatch,
    in_book: str,
    arguments: dict[str, Any],
    error: type[Exception],
    name: str,
) -> None:
    monkeypatch.setenv(BOOK_VARIABLE, in_book)
    with pytest.raises(error, match=name):
        explore(**{"draw": draw, "alt": "A line.", **arguments})
