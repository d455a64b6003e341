"""What in a graded notebook somebody should look at, and how much of what it put out is kept."""

from __future__ import annotations

from typing import Any

from assignments.course.rebuild_from_release import CANARY

LONGEST = 20_000  # characters of one output that are kept: a loop that prints makes a hundred million
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
        if cell.source == CANARY:
            continue
        where = cell.metadata.get("nbgrader", {}).get("grade_id") or "a cell of the student's own"
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                told = _TOLD.get(output.ename)
                if "not enough memory" in output.evalue:  # how PyTorch puts it
                    told = "ran out of memory"
                if told:
                    flags.append(f"{told}: {where}")
    return list(dict.fromkeys(flags))


def computed_for(graded: Any) -> str | None:
    """What `STUDENT_ID` was when the last cell ran, as Python writes it; None if that cell did not run."""
    last = graded.cells[-1]
    for output in last.get("outputs", ()) if last.source == CANARY else ():
        if output.output_type == "error" and output.ename == "AssertionError":
            return str(output.evalue).removeprefix("STUDENT_ID is ")
        if output.output_type == "error" and output.ename == "NameError":
            return "''"
    return None


def shorten(graded: Any) -> bool:
    """Cut the texts that an executed notebook put out to `LONGEST`; return whether any was longer."""
    cut = False
    for cell in graded.cells:
        for output in cell.get("outputs", ()):
            for held in (output, output.get("data", {})):
                for kind, content in held.items():
                    lines = content if kind == "traceback" else [content]
                    if kind.startswith(("text", "evalue", "traceback")) and sum(map(len, lines)) > LONGEST:
                        text = "\n".join(lines)
                        text = f"{text[:LONGEST]}\n… {len(text) - LONGEST:,} characters left out"
                        held[kind] = [text] if kind == "traceback" else text
                        cut = True
    return cut
