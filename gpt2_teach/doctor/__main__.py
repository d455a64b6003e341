"""The doctor's report: every look in turn, and whether the chapters will run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from gpt2_teach.doctor import machine, software, trained
from gpt2_teach.doctor.findings import Finding

MARKS = {"ok": "  ok ", "note": "note ", "fault": "FAULT", "skip": "  -  "}
READS = ("torch", "numpy", "huggingface-hub", "safetensors", "transformers")  # what a checkpoint is read with

Look = Callable[[], Iterator[Finding]]
LOOKS: tuple[tuple[str, Look, tuple[str, ...]], ...] = (  # at what, how, and the packages that it takes
    ("Python", software.python, ()),
    ("gpt2-teach", software.package, ()),
    ("packages", software.packages, ()),
    ("notebooks", software.notebooks, ()),
    ("PyTorch", software.torch_works, ("torch",)),
    ("memory", machine.memory, ()),
    ("folders", machine.folders, ()),
    ("the checkpoint", trained.checkpoint, READS),
)


def examine(looks: tuple[tuple[str, Look, tuple[str, ...]], ...] = LOOKS) -> Iterator[Finding]:
    """All findings; where a package cannot be used, what takes it is not looked at, and that is said."""
    lacking: set[str] = set()
    for subject, look, needs in looks:
        wanting = [name for name in needs if name in lacking or software.version(name) is None]
        if wanting:
            yield Finding("skip", f"{subject}: not looked at, since that takes {', '.join(wanting)}")
            continue
        for finding in look():
            lacking.add(finding.lacks)
            yield finding


def main() -> int:
    """Print the report; 1 if a chapter would not run."""
    faults, said = 0, set()
    for finding in examine():
        faults += finding.state == "fault"
        print(f"{MARKS[finding.state]} {finding.what}", flush=True)
        if finding.advice and finding.advice not in said:  # once is enough
            said.add(finding.advice)
            print(f"      → {finding.advice}", flush=True)
    print("The chapters will run here." if not faults else f"To be mended before the chapters run: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
