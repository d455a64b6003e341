"""An interrupted or rejected release leaves a folder in which it can be repeated."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from assignments.course import release_without_solutions as release

NAMES = ["ps1-tying"]
SHEET = "problem_sets/ps1-tying/ps1-tying.ipynb"


@pytest.fixture(autouse=True)
def problem_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the problem sets by a file, because nbgrader is slow."""
    sheet = tmp_path / "sheet.ipynb"
    sheet.write_text("{}", encoding="utf-8")
    monkeypatch.setattr(release, "_problem_sets", lambda course, names: {SHEET: sheet})


def files(folder: Path) -> list[str]:
    """Return the files in a folder."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("copied", [0, 1, 60])
def test_an_interrupted_release_can_be_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copied: int
) -> None:
    whole, into = tmp_path / "whole", tmp_path / "into"
    release.release(whole, NAMES)
    assert (whole / SHEET).exists()

    def until(left: list[int], copy: Callable[..., object]) -> Callable[..., object]:
        def copy2(*arguments: object) -> object:
            if not left[0]:
                raise KeyboardInterrupt
            left[0] -= 1
            return copy(*arguments)

        return copy2

    with monkeypatch.context() as cut:
        cut.setattr(release.shutil, "copy2", until([copied], shutil.copy2))
        with pytest.raises(KeyboardInterrupt):
            release.release(into, NAMES)
    assert len(files(into)) == copied + 1
    release.release(into, NAMES)
    assert files(into) == files(whole)


def test_a_rejected_problem_set_is_reported_and_the_folder_is_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    into = tmp_path / "into"
    release.release(into, NAMES)
    before = files(into)

    def refuse(course: Path, names: list[str]) -> None:
        raise RuntimeError("nbgrader could not release ps1-tying:\nwhy")

    monkeypatch.setattr(release, "_problem_sets", refuse)
    assert release.main(["--into", str(into)]) == 2
    assert capsys.readouterr().err == "nbgrader could not release ps1-tying:\nwhy\n"
    assert files(into) == before
    assert release.main(["--into", str(tmp_path / "new")]) == 2
    assert files(tmp_path / "new") == []
