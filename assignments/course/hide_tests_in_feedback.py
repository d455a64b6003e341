"""Takes from a graded notebook what its student must not see: hidden tests, and what their code could read.

The code ran where the solutions lie, and could have printed them. So a page shows no output of the run but
what a test says, cut short, and of other cells the name of an error: what a student's own code prints, they
can see at home.
"""

from __future__ import annotations

import builtins
import re
from typing import Any

import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor

from assignments.course import SOURCE
from assignments.course.rebuild_from_release import CANARY

_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_HIDDEN = re.compile(r"^[^\n]*BEGIN HIDDEN TESTS[^\n]*\n(.*?)^[^\n]*END HIDDEN TESTS[^\n]*$\n?", re.M | re.S)
_SOLUTION = re.compile(r"^[^\n]*BEGIN SOLUTION[^\n]*\n(.*?)^[^\n]*END SOLUTION[^\n]*$", re.M | re.S)
_TELLING = 12  # characters but spaces: a shorter line of a test or a solution tells nobody anything
_LONGEST = 250  # characters of what a test says; our longest sentence has some 200
_TOGETHER = 2000  # characters of what the tests of one page say; then only the kinds of errors
_WROTE = "Something was written to stderr while this test ran, which costs its points."
_NAMES = {name for name, kind in vars(builtins).items() if isinstance(kind, type)} | {"CellTimeoutError"}


class HideChecks(NbGraderPreprocessor):
    """Leaves of a hidden test only what its assertion says, and of other outputs nothing."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Clear the test cells, then the outputs."""
        name = resources["nbgrader"]["assignment"]
        secret = _lines([nb, nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)])
        nb.cells = [cell for cell in nb.cells if cell.source != CANARY]
        left = _TOGETHER
        for cell in nb.cells:
            if cell.cell_type != "code":
                continue
            cell.source = _HIDDEN.sub("", cell.source)
            errors = [output for output in cell.outputs if output.output_type == "error"]
            text = _named(errors[-1]) if errors else ""
            if cell.metadata.get("nbgrader", {}).get("grade"):
                told = _told(errors[-1]) if errors else ""
                if told and len(told) <= left and not _shows(told, secret):
                    text, left = told, left - len(told)
                if not errors and any(output.get("name") == "stderr" for output in cell.outputs):
                    text = _WROTE  # nbgrader gives no points to such a test
            cell.outputs = [_said(text, error=bool(errors))] if text else []
        return nb, resources


def _told(error: Any) -> str:
    """What a test has to say: the error that ended it, and nothing that was put out on the way."""
    name = error.ename if error.ename.isidentifier() else "Exception"
    text = _COLOR.sub("", f"{name[:40]}: {error.evalue}")
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _named(error: Any) -> str:
    """The kind of an error, if Python knows it."""
    return str(error.ename) if error.ename in _NAMES else ""


def _said(text: str, *, error: bool) -> Any:
    """An output of that text and nothing else."""
    if error:
        return nbformat.v4.new_output("error", ename="", evalue="", traceback=[text])
    return nbformat.v4.new_output("stream", name="stderr", text=text)


def _lines(notebooks: list[Any]) -> set[str]:
    """Every line of a hidden test or a solution that tells something, without its spaces."""
    regions = [
        region
        for notebook in notebooks
        for cell in notebook.cells
        for region in (*_HIDDEN.findall(cell.source), *_SOLUTION.findall(cell.source))
    ]
    lines = {"".join(line.split()) for line in "\n".join(regions).splitlines()}
    return {line for line in lines if len(line) >= _TELLING}


def _shows(text: str, secret: set[str]) -> bool:
    plain = "".join(text.split())
    return any(line in plain for line in secret)
