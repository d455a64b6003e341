"""Submissions are assigned to students by folder names and by the names that learning platforms give."""

from __future__ import annotations

import os
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from assignments.course.collect_submissions import collect
from assignments.course.platform_folders import student_and_time
from assignments.course.platform_zip import MAX_FILE_BYTES

PS = "ps1-tying"


def write_files(folder: Path, *paths: str) -> None:
    """Write files that contain their own path."""
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path, encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "student"),
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
        (f"week_1_2_x/{PS}.ipynb", "week_1_2_x"),  # a folder is not a file of Canvas
        # a name chosen by a student does not make it another student's file
        (f"Mallory X_1999_assignsubmission_file_/x_1906_assignsubmission_file_{PS}.ipynb", "1999"),
        (f"mallory/x_1906_1_{PS}.ipynb", "mallory"),
        (f"mallory/work.zip/grace/{PS}.ipynb", "mallory"),
        (f"{unicodedata.normalize('NFD', 'Zoë')}/{PS}.ipynb", "Zoë"),
    ],
)
def test_the_path_names_the_student(path: str, student: str) -> None:
    found = student_and_time(PurePosixPath(path))
    assert found is not None
    assert found[0] == student


@pytest.mark.parametrize("path", [f"{PS}.ipynb", "ada/essay.ipynb", "ada/ps1.ipynb"])
def test_paths_without_student_or_problem_set_are_reported(path: str, tmp_path: Path) -> None:
    write_files(tmp_path, path)
    found, (line,) = collect(tmp_path)
    assert found == []
    assert line.startswith(f"{path}: ")


def test_a_platforms_zip_is_read_and_the_latest_attempt_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "Course-Week 3.zip", "w") as archive:
        for minute, text in ((5, "second"), (1, "first")):
            name = f"lovelaceada_1815_{minute}_{PS}{'-1' if minute == 5 else ''}.ipynb"
            archive.writestr(zipfile.ZipInfo(name, (2026, 11, 30, 10, minute, 0)), text)
        archive.writestr("__MACOSX/x_1_2_ps1-tying.ipynb", "")
        archive.writestr(f"Grace Hopper_1906_assignsubmission_file_/{PS}.pdf", "%PDF")
    found, rejected = collect(tmp_path)
    assert rejected == []
    assert [(one.student, one.content) for one in found] == [("1815", b"second"), ("1906", b"%PDF")]
    assert found[0].notes == [f"2 files, the latest counts: lovelaceada_1815_5_{PS}-1.ipynb"]
    assert found[1].notes == []


def test_the_newer_of_two_versions_counts_with_a_note(tmp_path: Path) -> None:
    write_files(tmp_path, f"ben/{PS}.ipynb", f"ben/{PS} (1).ipynb")
    os.utime(tmp_path / f"ben/{PS}.ipynb", (1, 1))
    (one,), _ = collect(tmp_path)
    assert one.path == f"ben/{PS} (1).ipynb"
    assert one.notes == [f"2 files, the latest counts: {PS} (1).ipynb"]


def test_a_notebook_counts_before_other_files(tmp_path: Path) -> None:
    write_files(tmp_path, f"ada/{PS}.ipynb", f"ada/{PS}.pdf")
    (one,), _ = collect(tmp_path)
    assert one.content == f"ada/{PS}.ipynb".encode()


def test_a_folder_of_students_is_not_a_student(tmp_path: Path) -> None:
    write_files(tmp_path, f"section/ada/{PS}.ipynb", f"section/bob/{PS}.ipynb", f"cleo/homework/{PS}.ipynb")
    found, (line,) = collect(tmp_path)
    assert [one.student for one in found] == ["cleo"]
    assert "several folders: section/ada, section/bob" in line


def test_an_unreadable_archive_does_not_stop_the_others(tmp_path: Path) -> None:
    write_files(tmp_path, f"ada/{PS}.ipynb", "all.zip")
    with zipfile.ZipFile(tmp_path / "wrong.zip", "w") as archive:
        archive.writestr(f"x_1_2_{PS}.ipynb", "text that will not have this checksum")
    broken = (tmp_path / "wrong.zip").read_bytes().replace(b"text that", b"test that")
    (tmp_path / "wrong.zip").write_bytes(broken)
    found, rejected = collect(tmp_path)
    assert [one.student for one in found] == ["ada"]
    assert [line.partition(":")[0] for line in rejected] == ["all.zip", "wrong.zip"]
    assert all("cannot be read" in line for line in rejected)


def test_a_damaged_archive_does_not_stop_the_others(tmp_path: Path) -> None:
    write_files(tmp_path, f"ada/{PS}.ipynb")
    for name, kind in (("name.zip", zipfile.ZIP_STORED), ("data.zip", zipfile.ZIP_LZMA)):
        with zipfile.ZipFile(tmp_path / name, "w", kind) as archive:
            archive.writestr(f"Zo\u00eb_1_2_{PS}.ipynb", b"some text " * 500)
        whole = (tmp_path / name).read_bytes()
        bad = whole.replace("\u00eb".encode(), b"\xeb\xeb")  # not UTF-8, although the archive says so
        if kind == zipfile.ZIP_LZMA:
            start = 30 + len(f"Zo\u00eb_1_2_{PS}.ipynb".encode())  # after the header of the entry
            bad = whole[: start + 12] + bytes(byte ^ 0x55 for byte in whole[start + 12 : start + 40])
            bad += whole[start + 40 :]
        (tmp_path / name).write_bytes(bad)
    found, rejected = collect(tmp_path)
    assert [one.student for one in found] == ["ada"]
    assert [line.partition(":")[0] for line in rejected] == ["data.zip", "name.zip"]
    assert all("cannot be read" in line for line in rejected)


def test_an_undecodable_name_becomes_printable(tmp_path: Path) -> None:
    write_files(tmp_path, f"ada/{PS}.ipynb")
    (tmp_path / "ada" / os.fsdecode(f"{PS} L".encode() + b"\xf6sung.ipynb")).write_text("{}")
    (one,), _ = collect(tmp_path)
    assert "\ufffd" in one.notes[0] + one.path
    assert (one.notes[0] + one.path).encode()


def test_an_unpacked_archive_of_a_platform_is_not_a_student(tmp_path: Path) -> None:
    write_files(tmp_path, f"all/lovelaceada_1815_9923_{PS}.ipynb", f"all/hoppergrace_1906_9924_{PS}.ipynb")
    write_files(tmp_path, f"1815/lovelaceada_1815_9923_{PS}.ipynb")
    found, (line,) = collect(tmp_path)
    assert [one.student for one in found] == ["1815"]
    assert line.startswith(f"all: {PS} by several students, 1815, 1906")


def test_an_empty_folder_is_an_empty_submission(tmp_path: Path) -> None:
    write_files(tmp_path, f"ada/{PS}.ipynb", "dora/.DS_Store")
    for folder in ("bob", f"cleo/{PS}", "ada/plots"):
        (tmp_path / folder).mkdir(parents=True)
    found, rejected = collect(tmp_path)
    assert rejected == []
    assert [(one.student, one.problem_set, one.content) for one in found if one.student != "ada"] == [
        (student, PS, b"") for student in ("bob", "cleo", "dora")
    ]
    assert next(one for one in found if one.student == "ada").content


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"ada_1_2_{PS}.ipynb", b"\0" * (MAX_FILE_BYTES + 1))
    (one,), _ = collect(tmp_path)
    assert one.content is None


def test_an_archive_that_is_too_large_in_all_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assignments.course.platform_zip.MAX_ARCHIVE_BYTES", 1000)
    for name, size in (("fits.zip", 500), ("full.zip", 501)):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(2):
                archive.writestr(f"x_{size}{number}_2_{PS}.ipynb", b"\0" * size)
            archive.writestr("lecture.mp4", b"\0" * 5000)  # other files are not read and do not count
    found, rejected = collect(tmp_path)
    assert [one.student for one in found] == ["5000", "5001"]
    assert "full.zip: its files exceed 1,000 bytes in all" in rejected


def test_ids_that_differ_only_by_case_are_rejected(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:  # works on case-insensitive disks too
        for student in ("ada", "Ada", "bob"):
            archive.writestr(f"X_{student}_assignsubmission_file_{PS}.ipynb", student)
    found, rejected = collect(tmp_path)
    assert [one.student for one in found] == ["bob"]
    reason = f"{PS}: ids that differ only by case: Ada, ada"
    assert rejected == [f"Ada: {reason}", f"ada: {reason}"]


def test_an_empty_or_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="SUBMISSIONS"):
        collect(tmp_path)
    with pytest.raises(ValueError, match="SUBMISSIONS"):
        collect(tmp_path / "nowhere")


def test_only_a_timestamp_in_nbgraders_format_is_kept(tmp_path: Path) -> None:
    for student, text in (("ada", "2027-03-01 18:00:00.000001 UTC\n"), ("bob", "yesterday")):
        write_files(tmp_path, f"{student}/{PS}/{PS}.ipynb")
        (tmp_path / student / PS / "timestamp.txt").write_text(text)
    found, rejected = collect(tmp_path)
    assert [one.timestamp for one in found] == ["2027-03-01 18:00:00.000001 UTC", ""]
    assert rejected == []
