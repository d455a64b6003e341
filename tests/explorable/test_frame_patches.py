"""What differs between the pictures of a demo."""

from __future__ import annotations

from copy import deepcopy
from xml.etree import ElementTree as ET

import pytest

from explorable.figure_svg import figure_svg
from explorable.frame_patches import frame_patches
from tests.explorable.drawings import line_to


def frames(*sources: str) -> list[ET.Element]:
    return [ET.fromstring(f"<svg>{source}</svg>") for source in sources]


def names(count: int) -> list[str]:
    return [f"n = {i}" for i in range(count)]


def test_applying_the_changes_of_a_frame_to_the_first_gives_that_frame() -> None:
    drawn = [figure_svg(line_to(n), "demo") for n in (1, 50, 100, 50)]
    differing = frame_patches(drawn, names(4))
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


@pytest.mark.parametrize(
    ("first", "other", "words"),
    [
        ("<path/>", "<path/><path/>", r"element 1: none at n = 0, <path> at n = 1\."),
        (
            "<path/><text>std</text>",
            "<path/>",
            "element 1: <text> with the text 'std' at n = 0, none at n = 1",
        ),
        ("<path/>", "<text>a</text>", "element 0: <path> at n = 0, <text> with the text 'a' at n = 1"),
        ("<g><path/></g>", "<g/><path/>", "element 1: <path> at n = 0, <path> at n = 1"),
    ],
)
def test_another_structure_is_refused_and_the_first_difference_is_named(
    first: str, other: str, words: str
) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        frame_patches(frames(first, other), names(2))
    assert "Fix the axes' limits and ticks" in str(caught.value)
