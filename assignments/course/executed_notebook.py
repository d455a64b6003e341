"""Reads an executed notebook: what to flag, the student id it computed with, and outputs to cut short."""

from __future__ import annotations

from typing import Any

from assignments.course.rebuild_from_release import CANARY

MAX_OUTPUT = 20_000  # characters kept of one output: a loop that prints can write a hundred million
_FLAGS = {
    "SyntaxError": "syntax error",
    "IndentationError": "syntax error",
    "CellTimeoutError": "ran out of time",
    "KeyboardInterrupt": "ran out of time",
    "MemoryError": "ran out of memory",
}


def execution_flags(executed: Any) -> list[str]:
    """Return a flag for each cell that does not parse or ran out of time or memory."""
    flags = []
    for cell in executed.cells:
        if cell.source == CANARY:
            continue
        name = cell.metadata.get("nbgrader", {}).get("grade_id") or "a cell added by the student"
        for output in cell.get("outputs", ()):
            if output.output_type == "error":
                flag = _FLAGS.get(output.ename)
                if "not enough memory" in output.evalue:  # PyTorch's wording
                    flag = "ran out of memory"
                if flag:
                    flags.append(f"{flag}: {name}")
    return list(dict.fromkeys(flags))


def final_student_id(executed: Any) -> str | None:
    """Return the repr of `STUDENT_ID` when the last cell ran; None if that cell did not run."""
    last = executed.cells[-1]
    for output in last.get("outputs", ()) if last.source == CANARY else ():
        if output.output_type == "error" and output.ename == "AssertionError":
            return str(output.evalue).removeprefix("STUDENT_ID is ")
        if output.output_type == "error" and output.ename == "NameError":
            return "''"
    return None


def shorten_outputs(executed: Any) -> bool:
    """Cut the texts of all outputs to `MAX_OUTPUT` characters; return whether any was longer."""
    shortened = False
    for cell in executed.cells:
        for output in cell.get("outputs", ()):
            for texts in (output, output.get("data", {})):
                for kind, content in texts.items():
                    lines = content if kind == "traceback" else [content]
                    if kind.startswith(("text", "evalue", "traceback")) and sum(map(len, lines)) > MAX_OUTPUT:
                        text = "\n".join(lines)
                        text = f"{text[:MAX_OUTPUT]}\n… {len(text) - MAX_OUTPUT:,} characters left out"
                        texts[kind] = [text] if kind == "traceback" else text
                        shortened = True
    return shortened
