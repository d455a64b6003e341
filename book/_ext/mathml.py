"""A math renderer for Sphinx that converts LaTeX to MathML during the build, with latex2mathml.

Browsers display MathML Core without a script, and screen readers read it.
"""

from __future__ import annotations

import re

from docutils import nodes
from latex2mathml import converter
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator


def convert(latex: str, display: str = "inline") -> str:
    """Convert a formula to MathML; `aligned` becomes `split`, the equivalent that latex2mathml supports."""
    return converter.convert(re.sub(r"\\(begin|end)\{aligned\}", r"\\\1{split}", latex), display=display)


def _inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _block(self: HTML5Translator, node: nodes.math_block) -> None:
    self.body.append(self.starttag(node, "div", CLASS="math", role="group"))
    self.body.append(convert(node.astext(), display="block"))
    if node.get("number"):
        self.body.append(f'<span class="eqno">({node["number"]})</span>')
    self.body.append("</div>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register with Sphinx."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
