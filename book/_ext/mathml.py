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

# What latex2mathml does not know, and what it knows in another form: patterns and their replacements.
LATEX = (
    (r"\\(begin|end)\{aligned\}", r"\\\1{split}"),
    (r"\\(mathcal|mathbb) (\w)", r"\\\1{\2}"),  # only with braces it becomes a character that browsers show
)
# What browsers would display badly.
MATHML = (
    ("<mi>&#x0007E;</mi>", "<mo>∼</mo>"),  # an operator has space on both sides, a letter has none
    (r"<mo>([A-Za-z]+)</mo>", r"<mi>\1</mi>"),  # the name of a function, conversely
    (r"<mo [^>]*fence[^>]*/>", ""),  # from \left. and \right.; space would be reserved for it
    # A strut makes roots equally high over n and N, and lifts them above the baseline.
    ("<msqrt>", '<msqrt><mspace height="0.75em" width="0"></mspace>'),
)


def convert(latex: str, display: str = "inline") -> str:
    r"""Convert a formula to MathML that browsers support.

    >>> convert(r"\mathcal N")
    '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><mi>&#x1D4A9;</mi></mrow></math>'
    """
    for pattern, replacement in LATEX:
        latex = re.sub(pattern, replacement, latex)
    mathml: str = converter.convert(latex, display=display)
    for pattern, replacement in MATHML:
        mathml = re.sub(pattern, replacement, mathml)
    return mathml


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
