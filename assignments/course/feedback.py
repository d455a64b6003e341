"""Takes from a graded notebook what its student must not see: hidden tests, in cells and in outputs."""

from __future__ import annotations

import re
from typing import Any

from nbgrader.preprocessors import NbGraderPreprocessor

from assignments.course.rebuild import CANARY

_COLOR = re.compile(r"\x1b\[[0-9;]*m")
_HIDDEN = re.compile(r"^[^\n]*BEGIN HIDDEN TESTS[^\n]*\n(.*?)^[^\n]*END HIDDEN TESTS[^\n]*$\n?", re.M | re.S)
_TELLING = 12  # characters: a shorter line of a hidden test tells nobody anything


class HideChecks(NbGraderPreprocessor):
    """Leaves of a hidden test only what its assertion says."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Clear the test cells, then whatever output repeats them."""
        cells = [cell for cell in nb.cells if cell.cell_type == "code"]
        hidden = [region for cell in cells for region in _HIDDEN.findall(cell.source)]
        lines = {line.strip() for line in "\n".join(hidden).splitlines() if len(line.strip()) >= _TELLING}
        nb.cells = [cell for cell in nb.cells if cell.source != CANARY]
        for cell in cells:
            tests = _HIDDEN.search(cell.source) is not None
            cell.source = _HIDDEN.sub("", cell.source)
            for output in cell.outputs:
                if output.output_type == "error" and tests:
                    output.traceback = [f"{output.ename}: {output.evalue}"]
            # a student's own cell may print what ran before it
            cell.outputs = [output for output in cell.outputs if not _shows(output, lines)]
        return nb, resources


def _shows(output: Any, lines: set[str]) -> bool:
    text = str(output.get("text", "")) + "".join(output.get("traceback", ())) + str(output.get("data", ""))
    plain = _COLOR.sub("", text)
    return any(line in plain for line in lines)
