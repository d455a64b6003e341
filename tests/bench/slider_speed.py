"""Measures the time of a live slider's move in the kernel."""

from __future__ import annotations

import io
from collections.abc import Iterator
from itertools import cycle
from typing import Any

from costs.costs_file import Line

from tests.bench.measuring import compare, median_times


def live() -> Iterator[Line]:
    """Compare a move in `explore`, from value to picture, with drawing alone and drawing to a file."""
    from explorable.controls import as_parameter
    from explorable.demo_widgets import demo_widgets
    from gpt2_teach import demos, random_walk

    steps = [1, 3, 10, 30, 100, 300, 1000]
    walks = {n: (random_walk(n, generator=n), random_walk(n, scaled=True, generator=n + 1)) for n in steps}
    draw = demos.walk_of_steps(walks)
    control, picture, _ = demo_widgets(draw, [as_parameter("n", steps)], "A walk.", "demo").children
    ours, bare, interact = (cycle(steps) for _ in range(3))

    def move() -> None:
        before = picture.value
        control.value = next(ours)
        if picture.value == before and control.value != steps[0]:
            raise RuntimeError("the picture did not follow the slider")

    def save(values: Iterator[int], **options: Any) -> None:
        figure, _ = draw(next(values))
        figure.savefig(io.BytesIO(), **options)

    bare_values = cycle(steps)
    moved, drawn, svg, png = median_times(
        move,
        lambda: draw(next(bare_values)),
        lambda: save(bare, format="svg"),
        lambda: save(interact, format="png", bbox_inches="tight"),
        runs=28,
    )
    what = "a move of chapter 3's slider"
    yield compare(what, "the drawing function alone, no picture written", moved, drawn, 4.0)
    yield compare(what, "drawing, and matplotlib writing the SVG", moved, svg, 1.2)
    yield compare(what, "drawing, and the PNG that a notebook shows", moved, png, 1.0)
