"""What differs between the pictures of a demo."""

from __future__ import annotations

from copy import deepcopy
from xml.etree import ElementTree as ET

import matplotlib.pyplot as plt
import pytest

from explorable.figure_svg import figure_svg
from explorable.frame_patches import frame_patches
from tests.explorable.drawings import line_to


def frames(*sources: str) -> list[ET.Element]:
    return [ET.fromstring(f"<svg>{source}</svg>") for source in sources]


def test_applying_the_changes_of_a_frame_to_the_first_gives_that_frame() -> None:
    drawn = [figure_svg(line_to(n), "demo") for n in (1, 50, 100, 50)]
    differing = frame_patches(drawn, list("abcd"))
    for number, wanted in enumerate(drawn):
        picture = deepcopy(drawn[0])
        elements = list(picture.iter())[1:]
        for index, attribute, values, which in differing:
            value = values[which[number]]
            if attribute:
                elements[index].set(attribute, str(value))
            else:
                elements[index].text = value
        assert ET.tostring(picture) == ET.tostring(wanted)


def test_only_what_differs_is_listed_each_value_once_and_none_for_a_missing_attribute() -> None:
    drawn = frames(
        *(f'<path a="1" d="{d}"/><g {clip}/>' for d, clip in (("a", ""), ("b", 'clip="c"'), ("b", "")))
    )
    assert frame_patches(drawn, list("xyz")) == [
        (0, "d", ["a", "b"], [0, 1, 1]),
        (1, "clip", [None, "c"], [0, 1, 0]),
    ]


@pytest.mark.parametrize(
    ("first", "other", "words"),
    [
        ("<path/>", "<path/><path/>", r"element 1: none at n = 0, <path> at n = 1\."),
        ("<path/>", "<text>a</text>", "element 0: <path> at n = 0, <text> with the text 'a' at n = 1"),
        ("<g><path/></g>", "<g/><path/>", "element 1: <path> at n = 0, <path> at n = 1"),
    ],
)
def test_another_structure_is_refused_and_the_first_difference_is_named(
    first: str, other: str, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        frame_patches(frames(first, other), ["n = 0", "n = 1"])


@pytest.mark.parametrize("bbox", [None, "tight"])
def test_f3_pictures_of_several_sizes_are_refused(bbox: str | None) -> None:
    drawn = []
    with plt.rc_context({"savefig.bbox": bbox}):
        for n in (1, 100):
            figure = plt.figure(figsize=(4, n if bbox is None else 3))
            figure.text(0.5, 0.5, "x" * n)
            plt.close(figure)
            drawn.append(figure_svg(figure, "demo"))
    with pytest.raises(ValueError, match="one size"):
        frame_patches(drawn, ["n = 1", "n = 100"])
