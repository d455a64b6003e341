"""Folds each solution of sphinx-exercise in one native `<details>` element, which needs no script.

Plain Jupyter has no directives. For it, each Markdown cell of a solution has its own
`<details><summary>Solution</summary>`, and each exercise is preceded by its number, the target of links. On
the page a solution is one fold and the directive gives the number, so the parts for plain Jupyter are
removed.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator
from sphinx_exercise.nodes import is_exercise_node, solution_node

NUMBER = re.compile(r"\s*<b id=\"[\w-]+\">Exercise [\d.]+</b>\s*")
INNER_FOLD = re.compile(r"\s*(<details>\s*<summary>Solution[^<]*</summary>|</details>)\s*")


def unwrap(section: nodes.Element) -> None:
    """Replace a section by its children: every exercise has one with the same id."""
    parent, index = section.parent, section.parent.index(section)
    parent[index : index + 1] = section.children  # replace_self would pass the id on


class FoldSolutions(SphinxPostTransform):
    """Removes the parts for plain Jupyter, and the titles of solutions: a fold has a summary."""

    default_priority = 30  # after sphinx-exercise has written the titles

    def run(self, **kwargs: Any) -> None:
        """Transform one page."""
        for exercise in list(self.document.findall(is_exercise_node)):
            unwrap(exercise.children[-1])
            number = exercise.previous_sibling()
            if number is not None and NUMBER.fullmatch(number.astext()):
                number.parent.remove(number)
        for solution in list(self.document.findall(solution_node)):
            for raw in list(solution.findall(nodes.raw)):
                if INNER_FOLD.fullmatch(raw.astext()):
                    raw.parent.remove(raw)
            unwrap(solution.children[-1])
            # Without the link to the exercise: a summary is a button.
            solution["summary"] = solution.pop(0).astext().partition(" (")[0]


def visit_solution(self: HTML5Translator, node: nodes.Element) -> None:
    """Start the fold."""
    self.body.append(self.starttag(node, "details", CLASS="solution"))
    self.body.append(f"<summary>{self.encode(node['summary'])}</summary>\n")


def depart_solution(self: HTML5Translator, node: nodes.Element) -> None:
    """End the fold."""
    self.body.append("</details>\n")


def setup(app: Sphinx) -> None:
    """Register with Sphinx, after sphinx-exercise."""
    app.setup_extension("sphinx_exercise")
    app.add_post_transform(FoldSolutions)
    app.add_node(solution_node, override=True, html=(visit_solution, depart_solution))
