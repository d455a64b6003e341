"""The frames of a demo as patches: the attributes and texts that differ from the default frame.

Frames must have the same elements in the same order, as pictures with fixed axes and a fixed number of
artists do. If they do not, the error names the first difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from xml.etree import ElementTree as ET

# (index of the element within the <svg>; attribute, or "" for the text; distinct values, None for a missing
# attribute; for each frame, the index of its value)
Patch = tuple[int, str, list[str | None], list[int]]
Placed = tuple[int, ET.Element]  # depth within the <svg>, and the element


def frame_patches(frames: Sequence[ET.Element], names: Sequence[str], default: int = 0) -> list[Patch]:
    """Return the differences between the `frames`, which errors refer to by `names`.

    Raises ValueError if a frame's elements differ from the `default` frame's, which the page shows.

    >>> one, two = (ET.fromstring(f'<svg><path d="M0 {y}"/></svg>') for y in (1, 2))
    >>> frame_patches([one, two, one], ["n = 1", "n = 2", "n = 3"])
    [(0, 'd', ['M0 1', 'M0 2'], [0, 1, 0])]
    """
    listed = [list(_walk(frame)) for frame in frames]
    sizes = [frame.get("viewBox") for frame in frames]
    for name, size, elements in zip(names, sizes, listed):
        if size != sizes[default]:
            raise ValueError(
                f"draw must return a figure of one size for every value, but the sizes at {name} and at "
                f"{names[default]} differ. Fix figsize, and do not set savefig.bbox to 'tight'."
            )
        _check_structure(names[default], listed[default], name, elements)
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


def _walk(parent: ET.Element, depth: int = 0) -> Iterator[Placed]:
    for child in parent:
        yield depth, child
        yield from _walk(child, depth + 1)


def _check_structure(name: str, elements: list[Placed], other: str, others: list[Placed]) -> None:
    for number, (here, there) in enumerate(zip_longest(elements, others)):
        if not (here and there and (here[0], here[1].tag) == (there[0], there[1].tag)):
            raise ValueError(
                "draw must return a picture with the same elements for every value; the first difference is "
                f"element {number}: {_described(here)} at {name}, {_described(there)} at {other}. "
                "Fix the axes' limits and ticks, and the number of artists."
            )


def _described(placed: Placed | None) -> str:
    if placed is None:
        return "none"
    element = placed[1]
    return f"<{element.tag}>" + (f" with the text {element.text!r}" if element.text else "")
