"""What turns the problem sets into a course: release them, collect submissions, grade, and report.

nbgrader does the releasing, grading and exporting; here stands what it leaves to whoever runs it.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCE = ROOT / "assignments" / "source"
HERE = str(Path(sys.executable).parent)  # where nbgrader looks for alembic, by the PATH
PATH = os.pathsep.join([HERE, os.environ.get("PATH", os.defpath)])


def problem_sets() -> list[str]:
    """The names of all problem sets, in their order."""
    return sorted(path.stem for path in SOURCE.glob("*/*.ipynb") if path.stem == path.parent.name)


def chosen(names: str) -> list[str]:
    """The problem sets that `names`, separated by spaces or commas, asks for; all of them if it is empty.

    Raises ValueError if a name is not among them.
    """
    asked = names.replace(",", " ").split()
    if unknown := [name for name in asked if name not in problem_sets()]:
        raise ValueError(f"PS: there is no problem set {unknown[0]!r}; there are {', '.join(problem_sets())}")
    return list(dict.fromkeys(asked)) or problem_sets()
