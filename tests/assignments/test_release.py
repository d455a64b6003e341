"""What students get holds no solution, links to itself, and is committed without the history of the source.

One run of `make branch` in a copy of the repository makes a release of all problem sets and commits it. The
release is searched for leaks, together with the wheel and the sdist made from it, and the whole site.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import nbformat
import pytest

from assignments.course import release_without_solutions
from tests.assignments.leak_check import SECRETS, TAUGHT, leaks_in_file, leaks_in_folder, squeezed, strings_in
from tests.assignments.tasks import PROBLEM_SETS, ROOT, SOLUTION, notebook
from tests.book.test_launch import path_in_tree
from tests.small_books import Book, environment

ADDRESS = "https://github.com/owner/name"
AUTHOR = {f"GIT_{role}_{key}": "t" for role in ("AUTHOR", "COMMITTER") for key in ("NAME", "EMAIL")}
VARIABLES = AUTHOR | {"BOOK_REPOSITORY": ADDRESS, "BOOK_BRANCH": "students"}
GENERATED = shutil.ignore_patterns(
    "_build", ".venv", ".git", "__pycache__", ".*_cache", ".hypothesis", "grading"
)


def git(folder: Path, *arguments: str) -> list[str]:
    """Run git and return the words that it prints."""
    command = ["git", "-C", str(folder), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment(**AUTHOR))
    return done.stdout.split()


def commit_all(folder: Path) -> None:
    """Make a repository with one commit."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "-m", "source")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """Copy this repository, with whatever is changed in it, and make the branch for students."""
    book = Book(tmp_path_factory.mktemp("source") / "book")
    shutil.copytree(ROOT, book.root, ignore=GENERATED)
    commit_all(book.root)
    made = book.make("branch", env=VARIABLES)
    assert made.returncode == 0, made.stderr
    assert f"for the branch students of {ADDRESS}" in made.stdout
    assert "git push origin refs/heads/students" in made.stdout
    return book


@pytest.fixture(scope="module")
def release(repository: Book) -> Path:
    """Return the folder of the release."""
    return repository.root / "_build" / "release"


# ---- no leak


def test_every_problem_set_has_secret_lines_and_what_is_allowed_is_taught_elsewhere() -> None:
    assert len(SECRETS) > 100
    assert set(SECRETS.values()) == set(PROBLEM_SETS)
    for line, path in TAUGHT.items():
        assert squeezed(line) in SECRETS
        text = (ROOT / path).read_text(encoding="utf-8")
        shown = "\n".join(strings_in(json.loads(text))) if path.endswith(".ipynb") else text
        assert squeezed(line) in squeezed(shown)


def test_leaks_are_found_in_every_file_type(tmp_path: Path) -> None:
    cell = next(cell for cell in notebook(PROBLEM_SETS[0]).cells if SOLUTION.search(cell.source))
    page = "".join(f"<span>{word}</span> " for word in cell.source.replace("<", "&lt;").split())
    lines = json.dumps({"cells": [{"source": cell.source.splitlines(keepends=True)}]})
    for name, text in {"a.ipynb": lines, "b.html": page, "c.py": cell.source}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert {leak.partition(" ")[0] for leak in leaks_in_folder(tmp_path)} == {"a.ipynb", "b.html", "c.py"}


def test_g1_the_release_has_no_leak(release: Path) -> None:
    assert leaks_in_folder(release) == []
    for name in PROBLEM_SETS:
        text = (release / "problem_sets" / name / f"{name}.ipynb").read_text(encoding="utf-8")
        assert "raise NotImplementedError()" in text
        assert not re.search("BEGIN SOLUTION|HIDDEN TESTS|MARK SCHEME", text)


def test_g1_wheel_and_sdist_have_no_leak(release: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", tmp_path], cwd=release, check=True)
    with (
        zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel,
        tarfile.open(next(tmp_path.glob("*.gz"))) as sdist,
    ):
        files = {name: wheel.read(name) for name in wheel.namelist()}
        files |= {one.name: opened.read() for one in sdist if (opened := sdist.extractfile(one))}
    assert [leak for name, content in files.items() for leak in leaks_in_file(name, content)] == []


@pytest.mark.site
def test_g1_the_site_has_no_leak(site: Path) -> None:
    assert leaks_in_folder(site) == []


def test_the_release_has_exactly_the_files_for_students(release: Path, repository: Book) -> None:
    hidden = {".made-by-release", ".gitignore"}
    assert {path.name for path in release.iterdir()} - hidden == set(
        "book notebooks explorable gpt2_teach problem_sets binder .devcontainer _config.yml _toc.yml "
        "requirements.txt requirements.lock pyproject.toml Makefile README.md "
        "LICENSE CITATION.cff CHANGELOG.md".split()
    )
    assert sorted(path.name for path in (release / "problem_sets").iterdir()) == PROBLEM_SETS
    names = git(repository.root, "ls-tree", "-r", "--name-only", "students")
    assert "problem_sets/ps3-variance/ps3-variance.ipynb" in names
    assert not any(name.startswith(("assignments/", "tests/")) or "__pycache__" in name for name in names)


# ---- links, and a chapter alone


def setup_cell(chapter: Path) -> str:
    """Return the source of a notebook's first cell."""
    return str(nbformat.read(chapter, as_version=4).cells[0].source)


def test_b5_every_link_of_its_readme_names_a_published_file(release: Path) -> None:
    links = re.findall(r"\((https://[^)]*)\)", (release / "README.md").read_text(encoding="utf-8"))
    opened = [path for link in links if "owner/name" in link and (path := path_in_tree(link))]
    chapters = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    assert opened == ["book/intro.md", *chapters]
    assert [path for path in opened if not (release / path).is_file()] == []
    assert (release / "binder" / "postBuild").stat().st_mode & 0o111
    assert "pip" not in "".join(
        map(setup_cell, (ROOT / "notebooks").glob("*.ipynb"))
    )  # no address in the source


def test_b6_a_chapter_alone_installs_the_package_once_and_keeps_torch(
    release: Path, repository: Book, tmp_path: Path
) -> None:
    (cell,) = {setup_cell(chapter) for chapter in (release / "notebooks").glob("*.ipynb")}
    assert f'"gpt2-teach @ git+{ADDRESS}@students"' in cell
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    # Everything installed here is available except the package, which a .pth file adds.
    packages = sysconfig.get_paths()["purelib"]
    check = "\nimport gpt2_teach, torch\nprint(gpt2_teach.__file__, torch.__file__, sep='\\n')"

    def run(repository: Path) -> subprocess.CompletedProcess[str]:
        """Run the cell where git finds the address in a folder, and pip finds nothing."""
        redirected = {"GIT_CONFIG_KEY_0": f"url.{repository}.insteadOf", "GIT_CONFIG_VALUE_0": ADDRESS}
        offline = {
            "GIT_CONFIG_COUNT": "1",
            "PIP_NO_INDEX": "1",
            "PIP_NO_BUILD_ISOLATION": "0",
        }  # 0 is read as yes
        variables = environment(PYTHONPATH=packages, **offline, **redirected)
        command = [str(tmp_path / "env/bin/python"), "-c", cell + check]
        return subprocess.run(
            command, cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
        )

    failed = run(tmp_path / "nowhere")
    assert failed.returncode != 0
    assert ADDRESS in failed.stderr
    for folder in (repository.root, tmp_path / "nowhere"):  # once installed, nothing is downloaded
        done = run(folder)
        assert done.returncode == 0, done.stderr
        package, torch = done.stdout.splitlines()
        assert Path(package).is_relative_to(tmp_path / "env")
        assert Path(torch).is_relative_to(packages)  # the one that was installed before


# ---- the folder


def test_another_release_replaces_the_first_and_keeps_what_is_not_its_own(
    repository: Book, tmp_path: Path
) -> None:
    into = tmp_path / "x"
    shutil.copytree(repository.root / "_build" / "release", into)
    for kept in (".git/HEAD", "notes.md"):
        (into / kept).parent.mkdir(exist_ok=True)
        (into / kept).write_text("mine", encoding="utf-8")
    again = repository.make(
        "release", "INTO=~/x", "PS=ps3-variance ps3-variance", env={"HOME": str(tmp_path)}
    )
    assert again.returncode == 0, again.stderr
    assert [path.name for path in (into / "problem_sets").iterdir()] == ["ps3-variance"]
    assert [(into / kept).read_text(encoding="utf-8") for kept in (".git/HEAD", "notes.md")] == ["mine"] * 2


def test_what_is_interrupted_or_rejected_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, name = tmp_path / "sheet.ipynb", "problem_sets/ps1-tying/ps1-tying.ipynb"
    sheet.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(release_without_solutions, "_problem_sets", lambda course, names: {name: sheet})
    whole, into, left = tmp_path / "whole", tmp_path / "into", iter(range(60))

    def files(folder: Path) -> set[Path]:
        return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}

    def copy(source: Path, to: Path) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        shutil.copyfile(source, to)

    def refuse(course: Path, names: list[str]) -> None:
        raise RuntimeError("nbgrader could not release ps1-tying:\nwhy")

    release_without_solutions.release(whole, ["ps1-tying"])
    with monkeypatch.context() as patch:
        patch.setattr(release_without_solutions.shutil, "copy2", copy)
        with pytest.raises(KeyboardInterrupt):
            release_without_solutions.release(into, ["ps1-tying"])
    assert len(files(into)) == 60 + 1
    release_without_solutions.release(into, ["ps1-tying"])
    assert files(into) == files(whole)
    for unusable in (tmp_path, sheet, sheet / "below"):
        assert release_without_solutions.main(["--into", str(unusable)]) == 2
        assert "INTO: " in capsys.readouterr().err
    monkeypatch.setattr(release_without_solutions, "_problem_sets", refuse)
    assert release_without_solutions.main(["--into", str(into)]) == 2
    assert capsys.readouterr().err == "nbgrader could not release ps1-tying:\nwhy\n"
    assert files(into) == files(whole)


# ---- the branch


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Make a repository with the command and nothing to release."""
    for part in ("assignments/course", "book/_ext"):
        shutil.copytree(ROOT / part, tmp_path / "toy" / part, ignore=GENERATED)
    (tmp_path / "toy" / "README.md").write_text("A toy\n", encoding="utf-8")
    commit_all(tmp_path / "toy")
    return tmp_path / "toy"


def branch(folder: Path, text: str = "for students", name: str = "students") -> tuple[int, str]:
    """Commit a release with that text; return the exit code and everything printed."""
    into = folder.parent / "released"
    into.mkdir(exist_ok=True)
    (into / "a.md").write_text(text, encoding="utf-8")
    (into / ".made-by-release").write_text("a.md\n", encoding="utf-8")
    variables = VARIABLES | {"PYTHONPATH": str(folder / "book" / "_ext"), "BOOK_BRANCH": name}
    command = [sys.executable, "-m", "assignments.course.published_branch", str(into)]
    done = subprocess.run(
        command, cwd=folder, env=environment(**variables), capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def test_a_clone_continues_the_branch_which_has_no_history_of_the_source(toy: Path, tmp_path: Path) -> None:
    commit = git(toy, "rev-parse", "--short", "HEAD")[0]
    code, output = branch(toy)
    assert code == 0
    assert output.splitlines()[0].endswith(f", made from {commit}")
    assert git(toy, "rev-list", "--count", "students") == ["1"]
    assert git(toy, "status", "--porcelain") == []
    git(tmp_path, "clone", "--quiet", str(toy), "second")
    second = tmp_path / "second"
    assert "students is up to date" in branch(second)[1]
    git(second, "update-ref", "-d", "refs/heads/students")
    (second / "assignments" / "course" / "new.py").touch()
    assert f"made from {commit} with uncommitted changes\n" in branch(second, "a second text")[1]
    git(second, "push", "--quiet", "origin", "refs/heads/students")  # fails unless it is a fast-forward
    assert branch(toy, "a third text")[0] == 0
    git(second, "fetch", "--quiet")
    assert branch(second, "a fourth text")[0] == 0  # its own branch is behind
    assert git(second, "rev-list", "--count", "students") == ["4"]


def test_a_branch_that_must_not_be_written_is_refused(toy: Path, tmp_path: Path) -> None:
    code, output = branch(toy, name="main")
    assert (code, "has commits that are not releases" in output) == (2, True)
    code, output = branch(toy, name="HEAD")  # its push would publish the source
    assert (code, "BOOK_BRANCH is 'HEAD'" in output, "git push" in output) == (2, True, False)
    assert branch(toy)[0] == 0
    git(toy, "worktree", "add", "--quiet", str(tmp_path / "open"), "students")
    before = git(toy, "rev-parse", "students")
    code, output = branch(toy, "a second text")
    assert (code, f"is checked out in {tmp_path / 'open'}" in output) == (2, True)
    assert git(toy, "rev-parse", "students") == before


def test_the_folder_must_be_the_top_of_a_repository_with_a_commit(toy: Path, tmp_path: Path) -> None:
    shutil.rmtree(toy / ".git")
    assert branch(toy) == (2, "make branch needs git, and this folder must be the top of a repository\n")
    git(tmp_path, "init", "--quiet")
    code, output = branch(toy)
    assert (code, f"not a folder in {tmp_path}" in output) == (2, True)
    git(toy, "init", "--quiet")
    code, output = branch(toy)
    assert (code, "has none: commit first" in output) == (2, True)
