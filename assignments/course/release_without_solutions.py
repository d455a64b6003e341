"""Fills a folder with what students may get: the book, the package, and problem sets without solutions.

Everything published (a branch, Binder, Colab, nbgitpuller, a zip, the wheel) is made from that folder, so
that no source with a solution gets out. tests/assignments/leak_check.py looks for leaks in all of them.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from colab_setup_cell import add_setup_cell
from repository_address import Address, find_address  # book/_ext

from assignments.course import ROOT, select_problem_sets
from assignments.course.launch_links import launch_links
from assignments.course.run_nbgrader import run_nbgrader, write_config

# What is copied. Tests, deploy/ and the sources of the problem sets are not.
BOOK = "book explorable gpt2_teach notebooks _config.yml _toc.yml".split()
SETUP = "requirements.txt requirements.lock pyproject.toml Makefile".split()
HOSTED = "binder .devcontainer".split()
ABOUT = "LICENSE CITATION.cff CHANGELOG.md .gitignore".split()
COPIED = BOOK + SETUP + HOSTED + ABOUT
README = ROOT / "assignments" / "students.md"
MANIFEST = ".made-by-release"  # in the folder: the list of files that a release copied there


def release(into: Path, names: list[str], address: Address | None = None) -> None:
    """Replace an earlier release in the folder `into`; other files there, such as `.git`, are kept.

    `address` is where the folder will be published as a branch, if that is known.

    Raises FileExistsError if `into` is a file, or is not empty and was not made by a release, and
    RuntimeError if nbgrader rejects a problem set; the folder is then unchanged.
    """
    if into.exists() and not into.is_dir():
        raise FileExistsError(f"INTO: {into} is a file; choose a folder")
    if into.exists() and any(into.iterdir()) and not (into / MANIFEST).exists():
        raise FileExistsError(f"INTO: {into} is not empty and not a release; choose another folder")
    try:
        into.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"INTO: {into} cannot be used as a folder: {error.strerror}") from error
    with tempfile.TemporaryDirectory() as course:
        stripped = _problem_sets(Path(course), names)  # first, so that a failure leaves the folder unchanged
        tracked = _tracked()
        copied = {"README.md", *map(Path.as_posix, tracked), *stripped}
        _clear(into)
        # Before the first copy, so that an interrupted release can be repeated.
        (into / MANIFEST).write_text("\n".join(sorted(copied)) + "\n", encoding="utf-8")
        for file in tracked:
            (into / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, into / file)
        shutil.copy2(README, into / "README.md")
        for name, file in stripped.items():
            (into / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, into / name)
    if address:
        _publish(into, address)


def _problem_sets(course: Path, names: list[str]) -> dict[str, Path]:
    """Have nbgrader remove the solutions; return its files by their path in the release."""
    write_config(course)
    found: dict[str, Path] = {}
    for name in names:
        run = run_nbgrader("generate_assignment", name, "--create", course=course)
        if run.returncode:
            raise RuntimeError(f"nbgrader could not release {name}:\n{run.stdout}")
        files = [path for path in (course / "release" / name).rglob("*") if path.is_file()]
        found |= {f"problem_sets/{path.relative_to(course / 'release').as_posix()}": path for path in files}
    return found


def _publish(into: Path, address: Address) -> None:
    """Add the address of the published folder to its README and chapters."""
    chapters = sorted((into / "notebooks").glob("*.ipynb"))
    for chapter in chapters:
        add_setup_cell(chapter, address)
    readme = into / "README.md"
    text = readme.read_text(encoding="utf-8")
    links = launch_links(address, [chapter.relative_to(into).as_posix() for chapter in chapters])
    readme.write_text(text.replace("## Read\n", f"## Open\n\n{links}\n\n## Read\n", 1), encoding="utf-8")


def _clear(into: Path) -> None:
    """Remove the files of an earlier release, and the folders that become empty."""
    manifest = into / MANIFEST
    for name in manifest.read_text(encoding="utf-8").splitlines() if manifest.exists() else ():
        (into / name).unlink(missing_ok=True)
    folders = [path for path in into.rglob("*") if path.is_dir() and ".git" not in path.parts]
    for folder in sorted(folders, reverse=True):
        if not any(folder.iterdir()):
            folder.rmdir()


def _tracked() -> list[Path]:
    """Return the files to copy: those that git tracks, or all of them if this is not a git repository."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", *COPIED]
    try:
        listed = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        listed = ""
    if not listed:  # no git, or a copy inside another repository
        parts = [ROOT / name for name in COPIED]
        found = [path for part in parts for path in ([part] if part.is_file() else sorted(part.rglob("*")))]
        files = [path for path in found if path.is_file() and "__pycache__" not in path.parts]
        return [path.relative_to(ROOT) for path in files]
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]


def main(arguments: list[str]) -> int:
    """Make the release and print where it is."""
    parser = argparse.ArgumentParser(prog="release", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--into", type=Path, default=ROOT / "_build" / "release", help="folder to fill")
    parser.add_argument("--ps", default="", help="problem sets, separated by spaces (default: all)")
    options = parser.parse_args(arguments)
    try:
        names = select_problem_sets(options.ps)
        into, address = options.into.expanduser().resolve(), find_address(ROOT)
        release(into, names, address)
    except (ValueError, OSError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 2
    print(f"released the book and {', '.join(names)} in {into}")
    if address:
        print(f"for the branch {address.branch} of {address.url}")
    else:
        print("no links to Binder, Colab or Codespaces: set BOOK_REPOSITORY to where it will be published")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
