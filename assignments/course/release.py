"""Fills one folder with what students may get: the book, the package, and the problem sets without answers.

Every way out (a branch, Binder, Colab, nbgitpuller, a zip, the wheel) is made from that folder, so that no
source with a solution can take one of them.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from assignments.course import ROOT, chosen
from assignments.course.nbgrader import nbgrader

# What travels. Tests, deploy/ and the sources of the problem sets do not.
BOOK = "book gpt2_teach notebooks _config.yml _toc.yml requirements.txt pyproject.toml Makefile".split()
ABOUT = "LICENSE CITATION.cff CHANGELOG.md .gitignore".split()
README = ROOT / "assignments" / "students.md"
MARK = ".made-by-release"  # in the folder: nothing but this script filled it


def release(into: Path, names: list[str]) -> None:
    """Fill the folder `into`, anew. Raises FileExistsError if it holds what no release put there."""
    if into.exists() and any(into.iterdir()) and not (into / MARK).exists():
        raise FileExistsError(f"INTO: {into} is not empty, and no release filled it; name another folder")
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    (into / MARK).touch()
    for file in _tracked():
        (into / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, into / file)
    shutil.copy2(README, into / "README.md")
    with tempfile.TemporaryDirectory() as course:
        for name in names:
            made = nbgrader("generate_assignment", name, "--create", course=Path(course))
            if made.returncode:
                raise RuntimeError(f"nbgrader could not release {name}:\n{made.stdout}")
            shutil.copytree(Path(course) / "release" / name, into / "problem_sets" / name)


def _tracked() -> list[Path]:
    """What belongs to the book, and no more than git knows of where there is git."""
    asked = ["git", "-C", str(ROOT), "ls-files", "-z", *BOOK, *ABOUT]
    try:
        listed = subprocess.run(asked, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        parts = [ROOT / name for name in BOOK + ABOUT]
        found = [path for part in parts for path in ([part] if part.is_file() else sorted(part.rglob("*")))]
        files = [path for path in found if path.is_file() and "__pycache__" not in path.parts]
        return [path.relative_to(ROOT) for path in files]
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]


def main(arguments: list[str]) -> int:
    """Release, and say where to."""
    parser = argparse.ArgumentParser(prog="release", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--into", type=Path, default=ROOT / "_build" / "release", help="the folder to fill")
    parser.add_argument("--ps", default="", help="problem sets, separated by spaces; all if left out")
    options = parser.parse_args(arguments)
    try:
        names = chosen(options.ps)
        release(options.into.resolve(), names)
    except (ValueError, FileExistsError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"released {', '.join(names)} with the book to {options.into}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
