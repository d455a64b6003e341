"""Removes from a feedback page what its student must not see: hidden tests, and what their code could read.

The code ran on a machine with the solutions and could have printed them. So a page shows only the error
message of a failed test, cut short, and the type of any other error. Students can see what their own code
prints at home.
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
_MIN_SECRET = 12  # characters without spaces: a shorter line of a test or a solution reveals nothing
_MAX_MESSAGE = 250  # characters of one test's message; the longest of ours has about 200
_MAX_MESSAGES = 2000  # characters of all messages on a page; the tests after that show only the error type
_STDERR = "This test wrote to stderr, so nbgrader gave it no points."
_ERRORS = {name for name, kind in vars(builtins).items() if isinstance(kind, type)} | {"CellTimeoutError"}


class HideTests(NbGraderPreprocessor):
    """Removes hidden tests, and all outputs except the message of a failed test."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Clear the test cells, then the outputs."""
        name = resources["nbgrader"]["assignment"]
        secrets = _secret_lines([nb, nbformat.read(SOURCE / name / f"{name}.ipynb", as_version=4)])
        nb.cells = [cell for cell in nb.cells if cell.source != CANARY]
        left = _MAX_MESSAGES
        for cell in nb.cells:
            if cell.cell_type != "code":
                continue
            cell.source = _HIDDEN.sub("", cell.source)
            errors = [output for output in cell.outputs if output.output_type == "error"]
            text = _error_type(errors[-1]) if errors else ""
            if cell.metadata.get("nbgrader", {}).get("grade"):
                message = _message(errors[-1]) if errors else ""
                if message and len(message) <= left and not _shows_secret(message, secrets):
                    text, left = message, left - len(message)
                if not errors and any(output.get("name") == "stderr" for output in cell.outputs):
                    text = _STDERR
            cell.outputs = [_output(text, error=bool(errors))] if text else []
        return nb, resources


def _message(error: Any) -> str:
    name = error.ename if error.ename.isidentifier() else "Exception"
    text = _COLOR.sub("", f"{name[:40]}: {error.evalue}")
    return text if len(text) <= _MAX_MESSAGE else f"{text[:_MAX_MESSAGE]} …"


def _error_type(error: Any) -> str:
    """Return the type of an error; empty if it is not one of Python's, since a student chose its name."""
    return str(error.ename) if error.ename in _ERRORS else ""


def _output(text: str, *, error: bool) -> Any:
    if error:
        return nbformat.v4.new_output("error", ename="", evalue="", traceback=[text])
    return nbformat.v4.new_output("stream", name="stderr", text=text)


def _secret_lines(notebooks: list[Any]) -> set[str]:
    """Return the lines of hidden tests and solutions without spaces, except the shortest ones."""
    regions = [
        region
        for notebook in notebooks
        for cell in notebook.cells
        for region in (*_HIDDEN.findall(cell.source), *_SOLUTION.findall(cell.source))
    ]
    lines = {"".join(line.split()) for line in "\n".join(regions).splitlines()}
    return {line for line in lines if len(line) >= _MIN_SECRET}


def _shows_secret(text: str, secrets: set[str]) -> bool:
    squeezed = "".join(text.split())
    return any(line in squeezed for line in secrets)
