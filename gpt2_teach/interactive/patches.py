"""Many pictures as one and its changes: a frame of a demo is what differs in it from the default frame.

This works because the frames have the same elements in the same order, as pictures with fixed axes and a
fixed number of artists do; where they do not, the first difference is named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

# (index of the element among all inside the <svg>, attribute or "" for its text, the different values that it
# takes with None for no such attribute, and for each frame which of these)
Change = tuple[int, str, list[str | None], list[int]]


def changes(frames: Sequence[ET.Element], names: Sequence[str], default: int = 0) -> list[Change]:
    """What differs between the `frames`, whose values are called `names` in errors.

    Raises ValueError if one of them has other elements than the `default`, which the page shows.

    >>> one, two = (ET.fromstring(f'<svg><path d="M0 {y}"/></svg>') for y in (1, 2))
    >>> changes([one, two, one], ["n = 1", "n = 2", "n = 3"])
    [(0, 'd', ['M0 1', 'M0 2'], [0, 1, 0])]
    """
    listed = [list(_walk(frame)) for frame in frames]
    for name, elements in zip(names, listed):
        _same_structure(names[default], listed[default], name, elements)
    found = []
    for index, column in enumerate(zip(*listed)):
        here = [element for _, element in column]
        attributes = dict.fromkeys(key for element in here for key in element.attrib)
        values = {key: [element.get(key) for element in here] for key in attributes}
        values[""] = [element.text for element in here]
        for key, series in values.items():
            different = list(dict.fromkeys(series))
            if len(different) > 1:
                place = {value: number for number, value in enumerate(different)}
                found.append((index, key, different, [place[value] for value in series]))
    return found


def _walk(parent: ET.Element, depth: int = 0) -> Iterator[tuple[int, ET.Element]]:
    for child in parent:
        yield depth, child
        yield from _walk(child, depth + 1)


def _same_structure(
    name: str, elements: list[tuple[int, ET.Element]], other: str, others: list[tuple[int, ET.Element]]
) -> None:
    for number in range(max(len(elements), len(others))):
        here, there = (
            (all_[number][0], all_[number][1].tag) if number < len(all_) else None
            for all_ in (elements, others)
        )
        if here != there:
            raise ValueError(
                "draw must give every value a picture with the same elements, but the first difference is "
                f"element {number}: {_described(elements, number)} at {name}, {_described(others, number)} "
                f"at {other}. Fix the axes' limits and ticks, and draw as many artists for every value."
            )


def _described(elements: list[tuple[int, ET.Element]], number: int) -> str:
    if number >= len(elements):
        return "none"
    element = elements[number][1]
    return f"<{element.tag}>" + (f" with the text {element.text!r}" if element.text else "")
