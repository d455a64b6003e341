"""Whose file is which: folders, and the names that learning platforms give."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePosixPath

import pytest

from assignments.course.handed_in import LARGEST, handed_in, whose

PS = "ps1-tying"


@pytest.mark.parametrize(
    ("place", "student"),
    [
        (f"ada/{PS}.ipynb", "ada"),
        (f"ada/{PS}/{PS}.ipynb", "ada"),
        (f"{PS}/ada/{PS}.ipynb", "ada"),
        (f"ada/{PS} (1).ipynb", "ada"),
        (f"Ada Lovelace_1815_assignsubmission_file_/{PS}.ipynb", "1815"),  # Moodle
        (f"Ada Lovelace_1815_assignsubmission_file_{PS}.ipynb", "1815"),  # Moodle, without folders
        (f"lovelaceada_1815_9923_{PS}.ipynb", "1815"),  # Canvas
        (f"lovelaceada_LATE_1815_9923_{PS}-3.ipynb", "1815"),
        (f"gradebook_2026_Week 3_ada1815_attempt_2026-11-30-10-20-30_{PS}.ipynb", "ada1815"),  # Blackboard
        (f"../../etc/{PS}.ipynb", "etc"),
        (f"a b;c/{PS}.ipynb", "a-b-c"),
    ],
)
def test_names_tell_the_student(place: str, student: str) -> None:
    found = whose(PurePosixPath(place))
    assert found is not None
    assert found[:2] == (student, PS)


@pytest.mark.parametrize("place", [f"{PS}.ipynb", "ada/essay.ipynb", "ada/ps1.ipynb"])
def test_names_that_tell_nothing_are_told(place: str, tmp_path: Path) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).write_text("{}")
    assert handed_in(tmp_path) == ([], [place])


def test_an_archive_of_a_platform_is_read_and_the_last_attempt_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "Course-Week 3.zip", "w") as archive:
        for minute, text in ((5, "second"), (1, "first")):
            name = f"lovelaceada_1815_{minute}_{PS}{'-1' if minute == 5 else ''}.ipynb"
            archive.writestr(zipfile.ZipInfo(name, (2026, 11, 30, 10, minute, 0)), text)
        archive.writestr("__MACOSX/x_1_2_ps1-tying.ipynb", "")
        archive.writestr(f"Grace Hopper_1906_assignsubmission_file_/{PS}.pdf", "%PDF")
    found, strange = handed_in(tmp_path)
    assert strange == []
    assert [(one.student, one.content) for one in found] == [("1815", b"second"), ("1906", b"%PDF")]


def test_a_notebook_counts_before_what_was_handed_in_beside_it(tmp_path: Path) -> None:
    for name in (f"{PS}.ipynb", f"{PS}.pdf"):
        (tmp_path / "ada").mkdir(exist_ok=True)
        (tmp_path / "ada" / name).write_text(name)
    (one,), _ = handed_in(tmp_path)
    assert one.content == f"{PS}.ipynb".encode()


def test_what_is_huge_is_not_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"ada_1_2_{PS}.ipynb", b"\0" * (LARGEST + 1))
    (one,), _ = handed_in(tmp_path)
    assert one.content is None


def test_an_empty_or_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="SUBMISSIONS"):
        handed_in(tmp_path)
    with pytest.raises(ValueError, match="SUBMISSIONS"):
        handed_in(tmp_path / "nowhere")


def test_a_time_that_nbgrader_wrote_down_goes_along_and_another_does_not(tmp_path: Path) -> None:
    for student, text in (("ada", "2027-03-01 18:00:00.000001 UTC\n"), ("bob", "yesterday")):
        (tmp_path / student / PS).mkdir(parents=True)
        (tmp_path / student / PS / f"{PS}.ipynb").write_text("{}")
        (tmp_path / student / PS / "timestamp.txt").write_text(text)
    found, strange = handed_in(tmp_path)
    assert [one.stamp for one in found] == ["2027-03-01 18:00:00.000001 UTC", ""]
    assert strange == []
