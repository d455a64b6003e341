"""The doctor's command: run every check and report whether the chapters will run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from gpt2_teach.doctor import memory_and_disk, software, trained_model
from gpt2_teach.doctor.findings import Finding

MARKS = {"ok": "  ok ", "note": "note ", "fault": "FAULT", "skip": "  -  "}
CHECKPOINT_PACKAGES = ("torch", "numpy", "huggingface-hub", "safetensors", "transformers")

Check = Callable[[], Iterator[Finding]]
CHECKS: tuple[tuple[str, Check, tuple[str, ...]], ...] = (  # subject, check, packages that the check needs
    ("Python", software.python, ()),
    ("gpt2-teach", software.package, ()),
    ("packages", software.packages, ()),
    ("notebooks", software.notebooks, ()),
    ("PyTorch", software.torch_works, ("torch",)),
    ("memory", memory_and_disk.memory, ()),
    ("folders", memory_and_disk.folders, ()),
    ("the checkpoint", trained_model.checkpoint, CHECKPOINT_PACKAGES),
)


def run_checks(checks: tuple[tuple[str, Check, tuple[str, ...]], ...] = CHECKS) -> Iterator[Finding]:
    """Yield all findings; a check whose packages are missing or do not work is reported as skipped."""
    unusable: set[str] = set()
    for subject, check, needed in checks:
        missing = [name for name in needed if name in unusable or software.version(name) is None]
        if missing:
            yield Finding("skip", f"{subject}: not checked, needs {', '.join(missing)}")
            continue
        for finding in check():
            unusable.add(finding.unusable)
            yield finding


def main() -> int:
    """Print the report; return 1 if a chapter would not run."""
    faults, printed = 0, set()
    for finding in run_checks():
        faults += finding.state == "fault"
        print(f"{MARKS[finding.state]} {finding.what}", flush=True)
        if finding.advice and finding.advice not in printed:
            printed.add(finding.advice)
            print(f"      → {finding.advice}", flush=True)
    print("The chapters will run here." if not faults else f"Faults to fix before the chapters run: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
