"""No line of a solution or of a hidden test is in anything that students get.

The check covers the folder that `make release` fills, the wheel and the sdist made from it, and the whole
site with its sources, downloads and search index.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.assignments.leak_check import SECRETS, TAUGHT, leaks_in_file, leaks_in_folder, squeezed, strings_in
from tests.assignments.tasks import PROBLEM_SETS, ROOT, SOLUTION, notebook
from tests.small_books import Book


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a release of all problem sets."""
    folder = tmp_path_factory.mktemp("release") / "folder"
    made = Book(ROOT).make("release", f"INTO={folder}")
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="module")
def distributions(release: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Build the wheel and the sdist of the released package."""
    dist = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", dist], cwd=release, check=True)
    return sorted(dist.iterdir())


def test_every_problem_set_has_secret_lines() -> None:
    assert len(SECRETS) > 100
    assert {task.partition(",")[0] for task in SECRETS.values()} == set(PROBLEM_SETS)


def test_g1_the_release_has_no_leak(release: Path) -> None:
    assert leaks_in_folder(release) == []


def test_g1_wheel_and_sdist_have_no_leak(distributions: list[Path]) -> None:
    found = []
    wheel, sdist = distributions
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            found += leaks_in_file(name, archive.read(name))
    with tarfile.open(sdist) as archive:
        for member in archive.getmembers():
            if opened := archive.extractfile(member):
                found += leaks_in_file(member.name, opened.read())
    assert found == []


@pytest.mark.site
def test_g1_the_site_has_no_leak(site: Path) -> None:
    assert leaks_in_folder(site) == []


def test_the_release_has_exactly_the_files_for_students(release: Path) -> None:
    names = {path.name for path in release.iterdir()} - {".made-by-release", ".gitignore"}
    assert names == {
        *"book notebooks explorable gpt2_teach problem_sets".split(),
        *"_config.yml _toc.yml requirements.txt requirements.lock pyproject.toml Makefile README.md".split(),
        *"binder .devcontainer".split(),
        *"LICENSE CITATION.cff CHANGELOG.md".split(),
    }
    assert sorted(path.name for path in (release / "problem_sets").iterdir()) == PROBLEM_SETS
    assert not list(release.rglob("__pycache__"))


def test_a_tilde_in_into_is_expanded(tmp_path: Path) -> None:
    made = Book(ROOT).make("release", "INTO=~/x", "PS=ps1-tying", env={"HOME": str(tmp_path)})
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "x" / "problem_sets" / "ps1-tying").is_dir()


def test_a_second_release_keeps_files_that_the_first_did_not_copy(tmp_path: Path) -> None:
    into = tmp_path / "folder"
    book = Book(ROOT)
    assert book.make("release", f"INTO={into}", "PS=ps1-tying ps1-tying").returncode == 0
    for kept in (".git/HEAD", "notes.md"):
        (into / kept).parent.mkdir(exist_ok=True)
        (into / kept).write_text("mine", encoding="utf-8")
    assert book.make("release", f"INTO={into}", "PS=ps3-variance").returncode == 0
    assert [path.name for path in (into / "problem_sets").iterdir()] == ["ps3-variance"]
    assert [(into / kept).read_text(encoding="utf-8") for kept in (".git/HEAD", "notes.md")] == ["mine"] * 2
    for unusable in (into / "notes.md", into / "notes.md" / "below", tmp_path):
        refused = book.make("release", f"INTO={unusable}")
        assert refused.returncode != 0
        assert "INTO: " in refused.stderr
        assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("name", PROBLEM_SETS)
def test_g1_released_notebooks_have_stubs_and_no_markers(name: str, release: Path) -> None:
    text = (release / "problem_sets" / name / f"{name}.ipynb").read_text(encoding="utf-8")
    assert "raise NotImplementedError()" in text
    for marker in ("BEGIN SOLUTION", "HIDDEN TESTS", "MARK SCHEME"):
        assert marker not in text


@pytest.mark.parametrize(("line", "path"), TAUGHT.items())
def test_each_allowed_line_is_secret_and_taught_in_the_named_file(line: str, path: str) -> None:
    assert squeezed(line) in SECRETS
    text = (ROOT / path).read_text(encoding="utf-8")
    shown = "\n".join(strings_in(json.loads(text))) if path.endswith(".ipynb") else text
    assert squeezed(line) in squeezed(shown)


def test_leaks_are_found_in_every_file_type(tmp_path: Path) -> None:
    cell = next(cell for cell in notebook(PROBLEM_SETS[0]).cells if SOLUTION.search(cell.source))
    page = "".join(f"<span>{word}</span> " for word in cell.source.replace("<", "&lt;").split())
    files = {
        "a.ipynb": json.dumps({"cells": [{"source": cell.source.splitlines(keepends=True)}]}),
        "b.html": page,
        "c.py": cell.source,
        "d.js": json.dumps(cell.source),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert {leak.partition(" ")[0] for leak in leaks_in_folder(tmp_path)} >= {"a.ipynb", "b.html", "c.py"}
