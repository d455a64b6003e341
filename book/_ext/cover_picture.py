"""Draws the book's cover picture in place of the comment `<!-- cover -->`.

It is a comment rather than a directive because JupyterLab, in which Binder opens that page, would not know
it.
"""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

ALT = (
    "One red matrix stands at the left and again at the right, joined by a line. Between them, random walks "
    "leave one point: the orange ones spread as the dashed root of the distance, the blue a third as far."
)


PLACEHOLDER = "<!-- cover -->"


def add_cover(app: Sphinx, doctree: nodes.document) -> None:
    """Draw the cover and insert it at the placeholder."""
    for node in [node for node in doctree.findall(nodes.raw) if node.astext().strip() == PLACEHOLDER]:
        picture = Path(app.outdir).parent / ".drawn" / "cover.svg"
        draw_cover(picture)
        app.env.note_dependency(str(Path(__file__).with_name("card_drawings.py")))
        path = posixpath.relpath(picture.as_posix(), Path(app.srcdir).as_posix())
        image = nodes.image(uri=f"/{path}", alt=ALT)
        node.replace_self(nodes.container("", image, classes=["book-cover"]))


def draw_cover(path: Path) -> None:
    """Draw the cover, with the same bytes each time."""
    import matplotlib.pyplot as plt  # here, since the package loads PyTorch
    from card_drawings import tied

    from gpt2_teach.plots.style import STYLE

    path.parent.mkdir(parents=True, exist_ok=True)
    with plt.rc_context(STYLE | {"figure.constrained_layout.use": False}):  # type: ignore[arg-type]
        figure = plt.figure(figsize=(9, 3.75))
        tied(figure.add_axes((0, 0, 1, 1)))
        figure.savefig(path, transparent=True, metadata={"Date": None})
        plt.close(figure)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.connect("doctree-read", add_cover, priority=400)  # before Sphinx collects pictures, at 500
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
