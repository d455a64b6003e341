"""Formulas as MathML, set while the book is built: no script, no font, no other host.

Browsers lay MathML Core out by themselves, and screen readers read it. The conversion is latex2mathml's.
"""

from __future__ import annotations

import re

from docutils import nodes
from latex2mathml import converter
from sphinx.application import Sphinx
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator


def convert(latex: str, display: str = "inline") -> str:
    """The formula as MathML; rows are aligned by the one of two like environments that latex2mathml knows."""
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
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
