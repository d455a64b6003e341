"""No line of a solution or of a hidden test is in anything that students get.

Looked through are the folder that `make release` fills, the wheel and the sdist made from it, and the whole
site with its sources, downloads and search index. Lines that a chapter teaches anyway stand in taught_lines.yml,
each with the place that teaches it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from bs4 import BeautifulSoup

from tests.assignments.tasks import HIDDEN, PROBLEM_SETS, ROOT, SOLUTION, notebook
from tests.small_books import Book

SHORT = 12  # characters: a shorter line, such as `return total`, tells nothing
SCHEME = re.compile(r"=== BEGIN MARK SCHEME ===\n(.*?)=== END MARK SCHEME ===", flags=re.S)
TAUGHT = yaml.safe_load((ROOT / "tests" / "assignments" / "taught_lines.yml").read_text(encoding="utf-8"))
TEXT = {".html", ".js", ".json", ".ipynb", ".md", ".py", ".txt", ".css", ".svg", ".xml", ".yml", ".toml", ""}


def squeezed(text: str) -> str:
    """Text without white space, which differs wherever code is shown."""
    return "".join(text.split())


def secrets() -> dict[str, str]:
    """Every line of a solution, a hidden test or a rubric, squeezed, with the task that it is from."""
    found = {}
    for name in PROBLEM_SETS:
        for cell in notebook(name).cells:
            regions = [match[2] for match in SOLUTION.finditer(cell.source)]
            regions += [
                region.partition("\n")[2].rpartition("\n")[0] for region in HIDDEN.findall(cell.source)
            ]
            regions += SCHEME.findall(cell.source)
            label = cell.metadata.get("nbgrader", {}).get("grade_id")
            for line in "\n".join(regions).splitlines():
                if len(squeezed(line)) >= SHORT:
                    found[squeezed(line)] = f"{name}, {label}: {line.strip()}"
    return found


SECRETS = secrets()
ALLOWED = {squeezed(line) for line in TAUGHT}


def leaks(name: str, content: bytes) -> list[str]:
    """The lines that a file shows, as it is, and as a reader sees it."""
    text = content.decode("utf-8", errors="replace")
    forms = [text]
    if name.endswith(".html"):
        forms.append(BeautifulSoup(text, "html.parser").get_text())
    if name.endswith((".ipynb", ".json")):
        plain = re.sub(r"^\s*//.*", "", text, flags=re.M)  # of a devcontainer
        forms.append("\n".join(_strings(json.loads(plain))))
    squeezed_forms = [squeezed(form) for form in forms]
    return [
        f"{name} shows {where}"
        for line, where in SECRETS.items()
        if line not in ALLOWED and any(line in form for form in squeezed_forms)
    ]


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        yield "".join(value)
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def in_folder(folder: Path) -> list[str]:
    """Leaks of every text file in a folder."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in TEXT]
    assert files
    return [leak for path in files for leak in leaks(path.relative_to(folder).as_posix(), path.read_bytes())]


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make release` fills."""
    folder = tmp_path_factory.mktemp("release") / "folder"
    made = Book(ROOT).make("release", f"INTO={folder}")
    assert made.returncode == 0, made.stderr
    return folder


@pytest.fixture(scope="module")
def distributions(release: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The wheel and the sdist made from it."""
    dist = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", dist], cwd=release, check=True)
    return sorted(dist.iterdir())


def test_there_is_something_to_look_for() -> None:
    assert len(SECRETS) > 100
    assert {where.partition(",")[0] for where in SECRETS.values()} == set(PROBLEM_SETS)


def test_g1_the_released_folder_shows_nothing(release: Path) -> None:
    assert in_folder(release) == []


def test_g1_wheel_and_sdist_show_nothing(distributions: list[Path]) -> None:
    found = []
    wheel, sdist = distributions
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            found += leaks(name, archive.read(name))
    with tarfile.open(sdist) as archive:
        for member in archive.getmembers():
            if opened := archive.extractfile(member):
                found += leaks(member.name, opened.read())
    assert found == []


@pytest.mark.site
def test_g1_the_site_shows_nothing(site: Path) -> None:
    assert in_folder(site) == []


def test_the_released_folder_holds_what_students_get_and_nothing_else(release: Path) -> None:
    names = {path.name for path in release.iterdir()} - {".made-by-release", ".gitignore"}
    assert names == {
        *"book notebooks gpt2_teach problem_sets".split(),
        *"_config.yml _toc.yml requirements.txt requirements.lock pyproject.toml Makefile README.md".split(),
        *"binder .devcontainer".split(),
        *"LICENSE CITATION.cff CHANGELOG.md".split(),
    }
    assert sorted(path.name for path in (release / "problem_sets").iterdir()) == PROBLEM_SETS
    assert not list(release.rglob("__pycache__"))


def test_a_home_folder_in_into_is_expanded(tmp_path: Path) -> None:
    made = Book(ROOT).make("release", "INTO=~/x", "PS=ps1-tying", env={"HOME": str(tmp_path)})
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "x" / "problem_sets" / "ps1-tying").is_dir()


def test_a_second_release_keeps_what_the_first_did_not_put_there(tmp_path: Path) -> None:
    into = tmp_path / "folder"
    book = Book(ROOT)
    assert book.make("release", f"INTO={into}", "PS=ps1-tying ps1-tying").returncode == 0
    for kept in (".git/HEAD", "notes.md"):
        (into / kept).parent.mkdir(exist_ok=True)
        (into / kept).write_text("mine", encoding="utf-8")
    assert book.make("release", f"INTO={into}", "PS=ps3-variance").returncode == 0
    assert [path.name for path in (into / "problem_sets").iterdir()] == ["ps3-variance"]
    assert [(into / kept).read_text(encoding="utf-8") for kept in (".git/HEAD", "notes.md")] == ["mine"] * 2
    for taken in (into / "notes.md", into / "notes.md" / "below", tmp_path):
        refused = book.make("release", f"INTO={taken}")
        assert refused.returncode != 0
        assert "INTO: " in refused.stderr
        assert "Traceback" not in refused.stderr


@pytest.mark.parametrize("name", PROBLEM_SETS)
def test_g1_released_notebooks_have_their_stubs_and_no_marks(name: str, release: Path) -> None:
    text = (release / "problem_sets" / name / f"{name}.ipynb").read_text(encoding="utf-8")
    assert "raise NotImplementedError()" in text
    for mark in ("BEGIN SOLUTION", "HIDDEN TESTS", "MARK SCHEME"):
        assert mark not in text


@pytest.mark.parametrize(("line", "place"), TAUGHT.items())
def test_a_line_that_is_allowed_is_secret_elsewhere_and_taught_where_it_says(line: str, place: str) -> None:
    assert squeezed(line) in SECRETS
    text = (ROOT / place).read_text(encoding="utf-8")
    shown = "\n".join(_strings(json.loads(text))) if place.endswith(".ipynb") else text
    assert squeezed(line) in squeezed(shown)


def test_a_leak_is_found_in_every_form(tmp_path: Path) -> None:
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
    assert {leak.partition(" ")[0] for leak in in_folder(tmp_path)} >= {"a.ipynb", "b.html", "c.py"}
