"""Late submissions lose points by the day, and the grades show how many."""

from __future__ import annotations

import csv
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from assignments.course.grade import main
from assignments.course.gradebook import open_gradebook
from assignments.course.grades_csv import GradesAndFlags

DUE = datetime(2027, 3, 1, 18)


@pytest.mark.filterwarnings("ignore:Object of type <Submitted")  # nbgrader adds rows in an odd order
@pytest.mark.parametrize(
    ("hours_late", "days", "score"),
    [(-1, "0", 10), (1, "1", 10), (47, "2", 10), (49, "3", 8), (24 * 30, "30", 0)],
)
def test_the_first_two_days_are_free_and_each_further_day_costs_a_fifth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hours_late: int, days: str, score: float
) -> None:
    monkeypatch.chdir(tmp_path)
    with open_gradebook(tmp_path) as book:
        book.add_assignment("ps1", duedate=DUE)
        book.add_notebook("ps1", "ps1")
        book.add_grade_cell("task-test", "ps1", "ps1", max_score=10, cell_type="code")
        book.add_student("ada", first_name="Ada", email="ada@x.edu")
        book.add_submission("ps1", "ada", timestamp=DUE + timedelta(hours=hours_late))
        book.find_grade("task-test", "ps1", "ps1", "ada").auto_score = 10
        book.db.commit()
        GradesAndFlags(to="grades.csv", late_days=2, late_loss=20).export(book)
    with Path("grades.csv").open(encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["days_late"], float(row["score"]), row["email"]) == (days, score, "ada@x.edu")
    assert float(row["raw_score"]) == 10 == float(row["score"]) + float(row["late_submission_penalty"])


@pytest.mark.parametrize("argument", ["--late-days=-1", "--late-loss=ten"])
def test_wrong_numbers_are_refused(argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["folder", argument])
    assert argument.partition("=")[0] in capsys.readouterr().err
