"""Folds the solutions of sphinx-exercise once, by a native `<details>` that needs no script.

Plain Jupyter has no directives. There each Markdown cell of a solution is folded by itself, by
`<details><summary>Solution</summary>`, and above each exercise stands its number, to which links lead. On the
page all of a solution is one fold and the directive gives the number: what is for plain Jupyter is taken out.
"""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.typing import ExtensionMetadata
from sphinx.writers.html5 import HTML5Translator
from sphinx_exercise.nodes import is_exercise_node, is_solution_node, solution_node

NUMBER = re.compile(r"\s*<b id=\"[\w-]+\">Exercise [\d.]+</b>\s*")
INNER_FOLD = re.compile(r"\s*(<details>\s*<summary>Solution[^<]*</summary>|</details>)\s*")


def unwrap(section: nodes.Element) -> None:
    """Leave only what is in it: its id would be on the page as often as there are exercises."""
    parent, place = section.parent, section.parent.index(section)
    parent[place : place + 1] = section.children  # replace_self would hand the id down


class OneFold(SphinxPostTransform):
    """Takes out what is for plain Jupyter, and calls each solution by the number of its exercise alone."""

    default_priority = 30  # once sphinx-exercise has written the titles

    def run(self, **kwargs: Any) -> None:
        """Do so on one page."""
        for exercise in list(self.document.findall(is_exercise_node)):
            unwrap(exercise.children[-1])
            place = exercise.parent.index(exercise)
            numbered = exercise.parent[place - 1] if place else None
            if numbered is not None and NUMBER.fullmatch(numbered.astext()):
                exercise.parent.remove(numbered)
        for solution in list(self.document.findall(is_solution_node)):
            for raw in list(solution.findall(nodes.raw)):
                if INNER_FOLD.fullmatch(raw.astext()):
                    raw.parent.remove(raw)
            unwrap(solution.children[-1])
            title = solution.children[0]
            solution["summary"] = title.astext().partition(" (")[0]  # no link: a summary is a button
            solution.remove(title)


def visit_solution(self: HTML5Translator, node: nodes.Element) -> None:
    """Begin the fold; `class` says whether it is closed, as `dropdown` has it, or open."""
    folded = "dropdown" in node["classes"]
    self.body.append(self.starttag(node, "details", CLASS="solution", **({} if folded else {"open": ""})))
    self.body.append(f"<summary>{self.encode(node['summary'])}</summary>\n")


def depart_solution(self: HTML5Translator, node: nodes.Element) -> None:
    """End it."""
    self.body.append("</details>\n")


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register with Sphinx, after sphinx-exercise."""
    app.setup_extension("sphinx_exercise")
    app.add_post_transform(OneFold)
    app.add_node(solution_node, override=True, html=(visit_solution, depart_solution))
    app.add_css_file("exercises.css")
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
