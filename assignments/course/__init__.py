"""The course around the problem sets: release them, collect submissions, grade them and report.

nbgrader releases, grades and exports; these modules add what it leaves to the instructor.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "assignments" / "source"
SCRIPTS = str(Path(sys.executable).parent)  # nbgrader looks for alembic on the PATH
PATH = os.pathsep.join([SCRIPTS, os.environ.get("PATH", os.defpath)])


def problem_sets() -> list[str]:
    """Return the names of all problem sets, sorted."""
    return sorted(path.stem for path in SOURCE.glob("*/*.ipynb") if path.stem == path.parent.name)


def select_problem_sets(names: str) -> list[str]:
    """Return the problem sets in `names`, separated by spaces or commas; all of them if it is empty.

    Raises ValueError if a name is unknown.
    """
    selected = names.replace(",", " ").split()
    if unknown := [name for name in selected if name not in problem_sets()]:
        raise ValueError(f"PS: unknown problem set {unknown[0]!r}; choose from {', '.join(problem_sets())}")
    return list(dict.fromkeys(selected)) or problem_sets()
