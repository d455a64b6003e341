"""What in a graded notebook somebody should look at."""

from __future__ import annotations

from typing import Any

_TOLD = {
    "SyntaxError": "syntax error",
    "IndentationError": "syntax error",
    "CellTimeoutError": "ran out of time",
    "KeyboardInterrupt": "ran out of time",
    "MemoryError": "ran out of memory",
}


def outcome(graded: Any) -> list[str]:
    """Flags of an executed notebook: cells that do not parse, or ran out of time or memory."""
    flags = []
    for cell in graded.cells:
        where = cell.metadata.get("nbgrader", {}).get("grade_id") or "a cell of the student's own"
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                told = _TOLD.get(output.ename)
                if "not enough memory" in output.evalue:  # how PyTorch puts it
                    told = "ran out of memory"
                if told:
                    flags.append(f"{told}: {where}")
    return list(dict.fromkeys(flags))
