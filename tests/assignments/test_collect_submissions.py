"""Whose file is which: folders, and the names that learning platforms give."""

from __future__ import annotations

import os
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from assignments.course.collect_submissions import LARGEST, handed_in
from assignments.course.platform_folders import whose

PS = "ps1-tying"


def put(folder: Path, *places: str) -> None:
    """Files that hold their own place."""
    for place in places:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(place, encoding="utf-8")


@pytest.mark.parametrize(
    ("place", "student"),
    [
        (f"ada/{PS}.ipynb", "ada"),
        (f"ada/{PS}/{PS}.ipynb", "ada"),
        (f"ada/homework/{PS}.ipynb", "ada"),
        (f"{PS}/ada/{PS}.ipynb", "ada"),
        (f"ada/{PS} (1).ipynb", "ada"),
        (f"Ada Lovelace_1815_assignsubmission_file_/{PS}.ipynb", "1815"),  # Moodle
        (f"Ada Lovelace_1815_assignsubmission_file_{PS}.ipynb", "1815"),  # Moodle, without folders
        (f"Anna_Maria S_1815_assignsubmission_file_/{PS}.ipynb", "1815"),
        (f"Mallory X_1999_assignsubmission_file_x_1906_assignsubmission_file_{PS}.ipynb", "1999"),
        (f"all.zip/Ada Lovelace_1815_assignsubmission_file_/{PS}.ipynb", "1815"),
        (f"lovelaceada_1815_9923_{PS}.ipynb", "1815"),  # Canvas
        (f"lovelaceada_LATE_1815_9923_{PS}-3.ipynb", "1815"),
        (f"gradebook_2026_Week 3_ada1815_attempt_2026-11-30-10-20-30_{PS}.ipynb", "ada1815"),  # Blackboard
        (f"../../etc/{PS}.ipynb", "nobody"),
        (f"a b;c/{PS}.ipynb", "a-b-c"),
        (f"week_1_2_x/{PS}.ipynb", "week_1_2_x"),  # a folder is no file of Canvas
        # what a student named does not make it another's
        (f"Mallory X_1999_assignsubmission_file_/x_1906_assignsubmission_file_{PS}.ipynb", "1999"),
        (f"mallory/x_1906_1_{PS}.ipynb", "mallory"),
        (f"mallory/work.zip/grace/{PS}.ipynb", "mallory"),
        (f"{unicodedata.normalize('NFD', 'Zoë')}/{PS}.ipynb", "Zoë"),
    ],
)
def test_names_tell_the_student(place: str, student: str) -> None:
    found = whose(PurePosixPath(place))
    assert found is not None
    assert found[0] == student


@pytest.mark.parametrize("place", [f"{PS}.ipynb", "ada/essay.ipynb", "ada/ps1.ipynb"])
def test_names_that_tell_nothing_are_told(place: str, tmp_path: Path) -> None:
    put(tmp_path, place)
    found, (told,) = handed_in(tmp_path)
    assert found == []
    assert told.startswith(f"{place}: ")


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
    assert found[0].notes == [f"2 files, the last counts: lovelaceada_1815_5_{PS}-1.ipynb"]
    assert found[1].notes == []


def test_of_two_versions_in_a_folder_the_newer_counts_and_that_is_said(tmp_path: Path) -> None:
    put(tmp_path, f"ben/{PS}.ipynb", f"ben/{PS} (1).ipynb")
    os.utime(tmp_path / f"ben/{PS}.ipynb", (1, 1))
    (one,), _ = handed_in(tmp_path)
    assert one.place == f"ben/{PS} (1).ipynb"
    assert one.notes == [f"2 files, the last counts: {PS} (1).ipynb"]


def test_a_notebook_counts_before_what_was_handed_in_beside_it(tmp_path: Path) -> None:
    put(tmp_path, f"ada/{PS}.ipynb", f"ada/{PS}.pdf")
    (one,), _ = handed_in(tmp_path)
    assert one.content == f"ada/{PS}.ipynb".encode()


def test_a_folder_of_students_is_no_student(tmp_path: Path) -> None:
    put(tmp_path, f"section/ada/{PS}.ipynb", f"section/bob/{PS}.ipynb", f"cleo/homework/{PS}.ipynb")
    found, (told,) = handed_in(tmp_path)
    assert [one.student for one in found] == ["cleo"]
    assert "several folders: section/ada, section/bob" in told


def test_an_archive_that_cannot_be_read_stops_nobody(tmp_path: Path) -> None:
    put(tmp_path, f"ada/{PS}.ipynb", "all.zip")
    with zipfile.ZipFile(tmp_path / "wrong.zip", "w") as archive:
        archive.writestr(f"x_1_2_{PS}.ipynb", "text that will not have this checksum")
    broken = (tmp_path / "wrong.zip").read_bytes().replace(b"text that", b"test that")
    (tmp_path / "wrong.zip").write_bytes(broken)
    found, strange = handed_in(tmp_path)
    assert [one.student for one in found] == ["ada"]
    assert [told.partition(":")[0] for told in strange] == ["all.zip", "wrong.zip"]
    assert all("cannot be read" in told for told in strange)


def test_any_damage_of_an_archive_stops_nobody(tmp_path: Path) -> None:
    put(tmp_path, f"ada/{PS}.ipynb")
    for name, kind in (("name.zip", zipfile.ZIP_STORED), ("data.zip", zipfile.ZIP_LZMA)):
        with zipfile.ZipFile(tmp_path / name, "w", kind) as archive:
            archive.writestr(f"Zo\u00eb_1_2_{PS}.ipynb", b"some text " * 500)
        whole = (tmp_path / name).read_bytes()
        bad = whole.replace("\u00eb".encode(), b"\xeb\xeb")  # no UTF-8, though the archive says that it is
        if kind == zipfile.ZIP_LZMA:
            start = 30 + len(f"Zo\u00eb_1_2_{PS}.ipynb".encode())  # behind the header of the entry
            bad = whole[: start + 12] + bytes(byte ^ 0x55 for byte in whole[start + 12 : start + 40])
            bad += whole[start + 40 :]
        (tmp_path / name).write_bytes(bad)
    found, strange = handed_in(tmp_path)
    assert [one.student for one in found] == ["ada"]
    assert [told.partition(":")[0] for told in strange] == ["data.zip", "name.zip"]
    assert all("cannot be read" in told for told in strange)


def test_a_name_that_is_no_text_can_be_written(tmp_path: Path) -> None:
    put(tmp_path, f"ada/{PS}.ipynb")
    (tmp_path / "ada" / os.fsdecode(f"{PS} L".encode() + b"\xf6sung.ipynb")).write_text("{}")
    (one,), _ = handed_in(tmp_path)
    assert "\ufffd" in one.notes[0] + one.place
    assert (one.notes[0] + one.place).encode()


def test_an_unpacked_archive_of_a_platform_is_no_student(tmp_path: Path) -> None:
    put(tmp_path, f"all/lovelaceada_1815_9923_{PS}.ipynb", f"all/hoppergrace_1906_9924_{PS}.ipynb")
    put(tmp_path, f"1815/lovelaceada_1815_9923_{PS}.ipynb")
    found, (told,) = handed_in(tmp_path)
    assert [one.student for one in found] == ["1815"]
    assert told.startswith(f"all: {PS} by several students, 1815, 1906")


def test_who_has_an_empty_folder_handed_in_nothing(tmp_path: Path) -> None:
    put(tmp_path, f"ada/{PS}.ipynb", "dora/.DS_Store")
    for place in ("bob", f"cleo/{PS}", "ada/plots"):
        (tmp_path / place).mkdir(parents=True)
    found, strange = handed_in(tmp_path)
    assert strange == []
    assert [(one.student, one.problem_set, one.content) for one in found if one.student != "ada"] == [
        (student, PS, b"") for student in ("bob", "cleo", "dora")
    ]
    assert next(one for one in found if one.student == "ada").content


def test_what_is_huge_is_not_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"ada_1_2_{PS}.ipynb", b"\0" * (LARGEST + 1))
    (one,), _ = handed_in(tmp_path)
    assert one.content is None


def test_an_archive_that_holds_too_much_together_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assignments.course.collect_submissions.TOGETHER", 1000)
    for name, size in (("fits.zip", 500), ("full.zip", 501)):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(2):
                archive.writestr(f"x_{size}{number}_2_{PS}.ipynb", b"\0" * size)
            archive.writestr("lecture.mp4", b"\0" * 5000)  # what is not read does not count
    found, strange = handed_in(tmp_path)
    assert [one.student for one in found] == ["5000", "5001"]
    assert "full.zip: its files hold more than 1,000 bytes together" in strange


def test_ids_that_differ_by_case_only_are_nobodys(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:  # for a disk that knows no case
        for student in ("ada", "Ada", "bob"):
            archive.writestr(f"X_{student}_assignsubmission_file_{PS}.ipynb", student)
    found, strange = handed_in(tmp_path)
    assert [one.student for one in found] == ["bob"]
    told = f"{PS}: ids that differ by case only: Ada, ada"
    assert strange == [f"Ada: {told}", f"ada: {told}"]


def test_an_empty_or_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="SUBMISSIONS"):
        handed_in(tmp_path)
    with pytest.raises(ValueError, match="SUBMISSIONS"):
        handed_in(tmp_path / "nowhere")


def test_a_time_that_nbgrader_wrote_down_goes_along_and_another_does_not(tmp_path: Path) -> None:
    for student, text in (("ada", "2027-03-01 18:00:00.000001 UTC\n"), ("bob", "yesterday")):
        put(tmp_path, f"{student}/{PS}/{PS}.ipynb")
        (tmp_path / student / PS / "timestamp.txt").write_text(text)
    found, strange = handed_in(tmp_path)
    assert [one.stamp for one in found] == ["2027-03-01 18:00:00.000001 UTC", ""]
    assert strange == []
