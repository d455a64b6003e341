"""Submissions are assigned to students by folder names and by the names that learning platforms give."""

from __future__ import annotations

import os
import unicodedata
import zipfile
from pathlib import Path, PurePosixPath

import nbformat
import pytest

from assignments.course.collect_submissions import collect
from assignments.course.platform_folders import owner_of
from assignments.course.platform_zip import MAX_FILE_BYTES
from assignments.course.roster import read_roster

PS = "ps1-tying"
MOODLE = "assignsubmission_file_"


def write(folder: Path, *paths: str) -> None:
    """Write files that contain their own path; a path that ends in a slash is an empty folder."""
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("/"):
            (folder / path).mkdir(parents=True)
        else:
            (folder / path).write_text(path, encoding="utf-8")


def write_zip(path: Path, *names: str, content: bytes = b"text", method: int = zipfile.ZIP_DEFLATED) -> None:
    """Write an archive of files with one content."""
    with zipfile.ZipFile(path, "w", method) as archive:
        for name in names:
            archive.writestr(name, content)


@pytest.mark.parametrize(
    ("path", "student"),
    [
        (f"ada/{PS}.ipynb", "ada"),
        (f"ada/homework/{PS}.ipynb", "ada"),
        (f"{PS}/ada/{PS} (1).ipynb", "ada"),
        (f"Jürgen Müller_880123_assignsubmission_file/{PS}.ipynb", "Jürgen-Müller"),  # Moodle
        (f"Jürgen Müller_880123_{MOODLE}/{PS}.ipynb", "Jürgen-Müller"),  # before its version 4.1
        (f"Anna Maria S_1815_{MOODLE}{PS}.ipynb", "Anna-Maria-S"),  # without folders
        (f"all.zip/Ada Lovelace_1815_{MOODLE}/{PS}.ipynb", "Ada-Lovelace"),
        (f"lovelaceada_1815_9923_{PS}.ipynb", "1815"),  # Canvas
        (f"lovelaceada_LATE_1815_9923_{PS}-3.ipynb", "1815"),
        (f"anon_aB3xZ_9907_{PS}.ipynb", ""),
        (f"LATE_anon_aB3xZ_9907_{PS}.ipynb", ""),
        (f"gradebook_2026_Week 3_ada1815_attempt_2026-11-30-10-20-30_{PS}.ipynb", "ada1815"),  # Blackboard
        (f"../../etc/{PS}.ipynb", "nobody"),
        (f"a b;c/{PS}.ipynb", "a-b-c"),
        (f"week_1_2_x/{PS}.ipynb", "week_1_2_x"),  # a folder is not a file of Canvas
        # a name chosen by a student does not make it another student's file
        (f"Mallory X_1999_{MOODLE}x_1906_{MOODLE}{PS}.ipynb", "Mallory-X"),
        (f"Mallory X_1999_{MOODLE}/x_1906_{MOODLE}{PS}.ipynb", "Mallory-X"),
        (f"mallory/x_1906_1_{PS}.ipynb", "mallory"),
        (f"mallory/work.zip/grace/{PS}.ipynb", "mallory"),
        (f"{unicodedata.normalize('NFD', 'Zoë')}/{PS}.ipynb", "Zoë"),
    ],
)
def test_the_path_names_the_student(path: str, student: str) -> None:
    found = owner_of(PurePosixPath(path))
    assert found is not None
    assert found.student == student


def test_what_belongs_to_nobody_is_reported_and_the_others_count(tmp_path: Path) -> None:
    write(tmp_path, f"{PS}.ipynb", "ada/essay.ipynb", f"section/bob/{PS}.ipynb", f"section/eve/{PS}.ipynb")
    write(tmp_path, *(f"all/{student}_99_{PS}.ipynb" for student in ("lovelaceada_1815", "hoppergrace_1906")))
    write(tmp_path, f"1815/lovelaceada_1815_99_{PS}.ipynb", f"cleo/homework/{PS}.ipynb")
    found, rejected = collect(tmp_path)
    assert [one.student for one in found] == ["1815", "cleo"]
    assert sorted(line.partition(":")[0] for line in rejected) == [
        "ada/essay.ipynb",
        "all",
        f"{PS}.ipynb",
        "section",
    ]
    report = "\n".join(rejected)
    assert "section/bob, section/eve" in report
    assert f"all: {PS} by several students, hoppergrace_1906, lovelaceada_1815" in report


def test_a_platforms_zip_is_read_and_the_latest_attempt_counts(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "Course-Week 3.zip", "w") as archive:
        for minute, text in ((5, "second"), (1, "first")):
            name = f"lovelaceada_1815_{minute}_{PS}{'-1' if minute == 5 else ''}.ipynb"
            archive.writestr(zipfile.ZipInfo(name, (2026, 11, 30, 10, minute, 0)), text)
        archive.writestr("__MACOSX/x_1_2_ps1-tying.ipynb", "")
        archive.writestr(f"Grace Hopper_1906_{MOODLE}/{PS}.pdf", "%PDF")
    write(
        tmp_path, f"ben/{PS}.ipynb", f"ben/{PS} (1).ipynb", f"ben/{PS}.pdf"
    )  # a notebook counts before others
    os.utime(tmp_path / f"ben/{PS}.ipynb", (1, 1))
    found, rejected = collect(tmp_path)
    assert rejected == []
    content = {one.student: one.content for one in found}
    assert content == {"1815": b"second", "Grace-Hopper": b"%PDF", "ben": f"ben/{PS} (1).ipynb".encode()}
    assert [note for one in found for note in one.notes] == [
        f"2 files, the latest counts: lovelaceada_1815_5_{PS}-1.ipynb",
        f"2 files, the latest counts: {PS} (1).ipynb",
    ]


def test_damaged_archives_and_names_do_not_stop_the_others(tmp_path: Path) -> None:
    write(tmp_path, f"ada/{PS}.ipynb", "all.zip")
    (tmp_path / "ada" / os.fsdecode(f"{PS} L".encode() + b"\xf6sung.ipynb")).write_text("{}")
    name = f"Zoë_1_2_{PS}.ipynb"
    header = 30 + len(name.encode())  # of the archive's entry
    for archive, method, bad in (
        ("wrong.zip", zipfile.ZIP_STORED, lambda data: data.replace(b"some text", b"same text", 1)),
        ("name.zip", zipfile.ZIP_STORED, lambda data: data.replace("ë".encode(), b"\xeb\xeb")),
        ("data.zip", zipfile.ZIP_LZMA, lambda data: data[: header + 12] + b"\x55" * 28 + data[header + 40 :]),
    ):
        write_zip(tmp_path / archive, name, content=b"some text " * 500, method=method)
        (tmp_path / archive).write_bytes(bad((tmp_path / archive).read_bytes()))
    (one,), rejected = collect(tmp_path)
    assert one.student == "ada"
    assert (one.notes[0] + one.path).encode()  # printable
    assert [line.partition(":")[0] for line in rejected] == ["all.zip", "data.zip", "name.zip", "wrong.zip"]
    assert all("cannot be read" in line for line in rejected)


def test_an_empty_folder_is_an_empty_submission(tmp_path: Path) -> None:
    write(tmp_path, f"ada/{PS}.ipynb", "dora/.DS_Store", "bob/", f"cleo/{PS}/", "ada/plots/")
    found, rejected = collect(tmp_path)
    assert rejected == []
    assert [one.problem_set for one in found] == [PS] * 4
    assert [one.student for one in found if one.content == b""] == ["bob", "cleo", "dora"]


def test_huge_files_and_archives_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_zip(tmp_path / "all.zip", f"ada_1_2_{PS}.ipynb", content=b"\0" * (MAX_FILE_BYTES + 1))
    (one,), _ = collect(tmp_path)
    assert one.content is None
    monkeypatch.setattr("assignments.course.platform_zip.MAX_ARCHIVE_BYTES", 1000)
    for size in (500, 501):
        names = [f"x_{size}{number}_2_{PS}.ipynb" for number in (0, 1)]
        write_zip(tmp_path / f"{size}.zip", *names, content=b"\0" * size)
    found, rejected = collect(tmp_path)
    assert [one.student for one in found] == ["5000", "5001"]
    assert "501.zip: its files exceed 1,000 bytes in all" in rejected


def test_ids_that_differ_only_by_case_are_rejected(tmp_path: Path) -> None:
    names = [f"X_attempt_{student}/{PS}.ipynb" for student in ("ada", "Ada", "bob")]
    write_zip(tmp_path / "all.zip", *(name.replace("X_attempt_", "") for name in names))
    found, rejected = collect(tmp_path)
    assert [one.student for one in found] == ["bob"]
    assert "differ only by case: Ada, ada" in "".join(rejected)


@pytest.mark.parametrize(
    ("text", "timestamp"),
    [
        ("2027-03-01 18:00:00.000001 UTC\n", "2027-03-01 18:00:00.000001 UTC"),
        ("2027-03-01 18:00:00 America/Los_Angeles", "2027-03-02 02:00:00 UTC"),
        ("2027-03-01 18:00:00 -03", "2027-03-01 21:00:00 UTC"),
        ("yesterday", ""),
    ],
)
def test_f10_a_timestamp_of_the_exchange_is_read_or_flagged(
    tmp_path: Path, text: str, timestamp: str
) -> None:
    with pytest.raises(ValueError, match="SUBMISSIONS"):
        collect(tmp_path)  # an empty folder
    write(tmp_path, f"ada/{PS}/{PS}.ipynb")
    (tmp_path / "ada" / PS / "timestamp.txt").write_text(text)
    ((one,), _) = collect(tmp_path)
    assert one.timestamp == timestamp
    assert any("timestamp.txt" in note for note in one.notes) == (not timestamp)


# ---- the roster

ROSTER = """id,first_name,last_name,email,moodle
ada1815,Ada,Lovelace,ada@x.edu,
jm7,Jürgen,Müller,jm@x.edu,880123
a_doe,Ann,Doe,ann@x.edu,
b_doe,Bob,Doe,bob@x.edu,
jm8,Jürgen,Müller,jm8@x.edu,
"""


def hand_in(folder: Path, *paths: str, typed: str = "") -> None:
    """Write notebooks in which `typed` is the student's id."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f"STUDENT_ID = {typed!r}")])
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, folder / path)


@pytest.mark.parametrize(
    ("path", "typed", "student"),
    [
        (f"Ada Lovelace_7_assignsubmission_file/{PS}.ipynb", "", "ada1815"),  # Moodle, by the name
        (f"Jürgen Müller_880123_assignsubmission_file/{PS}.ipynb", "jm7", "jm7"),
        (f"Jürgen Müller_99_assignsubmission_file/{PS}.ipynb", "jm8", "jm8"),  # two have this name
        (f"Jürgen Müller_99_assignsubmission_file/{PS}.ipynb", "ada1815", None),
        (f"Participant_99_assignsubmission_file/{PS}.ipynb", "ada1815", "ada1815"),  # marked blindly
        (f"lovelaceada_1815_9923_{PS}.ipynb", "", "ada1815"),  # Canvas, by the name
        (f"anon_aB3xZ_9907_{PS}.ipynb", "ADA@x.edu", "ada1815"),
        (f"anon_aB3xZ_9907_{PS}.ipynb", "", None),
        (f"gradebook_2026_Week 3_a_doe_attempt_2026-11-30-10-20-30_{PS}.ipynb", "a_doe", "a_doe"),
        (f"gradebook_2026_Week 3_b_doe_attempt_2026-11-30-10-20-30_{PS}.ipynb", "", "b_doe"),
        (f"somebody/{PS}.ipynb", "", None),
    ],
)
def test_p10_p11_p12_the_roster_says_who_it_is(
    tmp_path: Path, path: str, typed: str, student: str | None
) -> None:
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    hand_in(tmp_path / "in", path, typed=typed)
    found, rejected = collect(tmp_path / "in", read_roster(tmp_path / "roster.csv"))
    assert [one.student for one in found] == [student] * (student is not None)
    assert len(rejected) == (student is None)


def test_two_files_for_one_student_are_neither_merged_nor_graded(tmp_path: Path) -> None:
    (tmp_path / "roster.csv").write_text(ROSTER, encoding="utf-8")
    hand_in(tmp_path / "in", f"Ada Lovelace_1_{MOODLE}/{PS}.ipynb", f"anon_x_9_{PS}.ipynb", typed="ada1815")
    hand_in(tmp_path / "in", f"Ann Doe_3_{MOODLE}/{PS}.ipynb", typed="b_doe")
    ((one,), (rejected,)) = collect(tmp_path / "in", read_roster(tmp_path / "roster.csv"))
    assert one.student == "a_doe"  # the flag says that another id was typed
    assert "ada1815" in rejected
    assert "anon_x" in rejected


@pytest.mark.parametrize("content", ["", "name\nada", "id\nada\nAda", b"\xff\xfe"])
def test_a_roster_that_cannot_be_used_is_refused(tmp_path: Path, content: str | bytes) -> None:
    (tmp_path / "roster.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match="ROSTER"):
        read_roster(tmp_path / "roster.csv")
