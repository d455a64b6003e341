"""Fills one folder with what students may get: the book, the packages, and the problem sets without answers.

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

from address import Address, find  # book/_ext
from setup_cell import add_setup

from assignments.course import ROOT, chosen
from assignments.course.nbgrader import configure, nbgrader
from assignments.course.published import links

# What travels. Tests, deploy/ and the sources of the problem sets do not.
BOOK = "book explorable gpt2_teach notebooks _config.yml _toc.yml".split()
SET_UP = "requirements.txt requirements.lock pyproject.toml Makefile".split()
STARTS = "binder .devcontainer".split()  # of machines that others lend
ABOUT = "LICENSE CITATION.cff CHANGELOG.md .gitignore".split()
TRAVEL = BOOK + SET_UP + STARTS + ABOUT
README = ROOT / "assignments" / "students.md"
MARK = ".made-by-release"  # in the folder: the list of what this script put there


def release(into: Path, names: list[str], address: Address | None = None) -> None:
    """Fill the folder `into`, anew; what no release put there, such as `.git`, stays.

    `address` is where the folder will be published as a branch, if that is known.

    Raises FileExistsError if `into` is a file, or holds something and no release was ever made there, and
    RuntimeError if nbgrader refuses the source of a problem set; then the folder is as it was.
    """
    if into.exists() and not into.is_dir():
        raise FileExistsError(f"INTO: {into} is a file; name a folder")
    if into.exists() and any(into.iterdir()) and not (into / MARK).exists():
        raise FileExistsError(f"INTO: {into} is not empty, and no release filled it; name another folder")
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"INTO: {into} cannot be used as a folder: {error.strerror}") from error
    with tempfile.TemporaryDirectory() as course:
        made = _problem_sets(Path(course), names)  # first: with one that fails, the folder stays as it was
        tracked = _tracked()
        put = {"README.md", *map(Path.as_posix, tracked), *made}
        _clear(into)
        # Before the first copy, so that a release that was cut short can be made again.
        (into / MARK).write_text("\n".join(sorted(put)) + "\n", encoding="utf-8")
        for file in tracked:
            (into / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, into / file)
        shutil.copy2(README, into / "README.md")
        for name, file in made.items():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, into / name)
    if address:
        _publish(into, address)


def _problem_sets(course: Path, names: list[str]) -> dict[str, Path]:
    """What nbgrader makes of the problem sets, without answers: where each file goes, and where it lies."""
    configure(course)
    found: dict[str, Path] = {}
    for name in names:
        made = nbgrader("generate_assignment", name, "--create", course=course)
        if made.returncode:
            raise RuntimeError(f"nbgrader could not release {name}:\n{made.stdout}")
        files = [path for path in (course / "release" / name).rglob("*") if path.is_file()]
        found |= {f"problem_sets/{path.relative_to(course / 'release').as_posix()}": path for path in files}
    return found


def _publish(into: Path, address: Address) -> None:
    """Let README and chapters know where the folder is published."""
    chapters = sorted((into / "notebooks").glob("*.ipynb"))
    for chapter in chapters:
        add_setup(chapter, address)
    readme = into / "README.md"
    text = readme.read_text(encoding="utf-8")
    found = links(address, [chapter.relative_to(into).as_posix() for chapter in chapters])
    readme.write_text(text.replace("## Read\n", f"## Open\n\n{found}\n\n## Read\n", 1), encoding="utf-8")


def _clear(into: Path) -> None:
    """Remove what an earlier release put there, and the folders that are empty then."""
    mark = into / MARK
    for name in mark.read_text(encoding="utf-8").splitlines() if mark.exists() else ():
        (into / name).unlink(missing_ok=True)
    folders = [path for path in into.rglob("*") if path.is_dir() and ".git" not in path.parts]
    for folder in sorted(folders, reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def _tracked() -> list[Path]:
    """What belongs to the book, and no more than git knows of where there is git."""
    asked = ["git", "-C", str(ROOT), "ls-files", "-z", *TRAVEL]
    try:
        listed = subprocess.run(asked, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        listed = ""
    if not listed:  # no git, or a copy inside of somebody else's repository
        parts = [ROOT / name for name in TRAVEL]
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
        into, address = options.into.expanduser().resolve(), find(ROOT)
        release(into, names, address)
    except (ValueError, OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"released {', '.join(names)} with the book to {into}")
    if address:
        print(f"for the branch {address.branch} of {address.url}")
    else:
        print("without links to Binder, Colab or Codespaces: BOOK_REPOSITORY says where it will be published")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
