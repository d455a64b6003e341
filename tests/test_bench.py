"""`make bench` and `book/costs.yml`: what is written, read and refused. No test depends on time."""

from __future__ import annotations

import datetime
import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from bs4 import BeautifulSoup
from costs import format_cells
from costs.costs_file import COSTS_FILE, Group, Line, load_costs, write_costs

from tests.bench import __main__ as bench
from tests.bench import notebook_memory, page_weight
from tests.bench.measuring import compare, median_times
from tests.small_books import ROOT, Book

DAY = datetime.date(2026, 1, 31)
LINES = (
    compare("a walk", "a loop", 0.0125, 0.0318, 0.6),
    Line(what="peak memory of 01_toy.ipynb", unit="GB", ours=1.23, target=1.5),
)
GROUP = Group(DAY, "abc1234", "2 cores, 8 GB of memory", LINES)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file of costs with one group."""
    write_costs({"walk": GROUP}, tmp_path / "costs.yml")
    return tmp_path / "costs.yml"


# ---- the file


def test_what_is_written_is_read_again(kept: Path) -> None:
    assert load_costs(kept) == {"walk": GROUP}
    assert LINES[0] == Line("a walk", "ms", 12.5, 0.6, "a loop", 31.8, 0.393)
    assert format_cells(LINES[0]) == ("12.5 ms", "31.8 ms", "0.39", "0.6")
    assert format_cells(LINES[1]) == ("1.23 GB", "", "", "1.5 GB")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("walk:", "- walk:", r"costs\.yml"),
        ("walk:", "walk: [", "cannot be read"),
        ("commit:", "revision:", "walk: revision must be one of date, commit, machine, lines"),
        ("  commit: abc1234\n", "", "walk: commit is missing"),
        ("abc1234", "''", "walk: commit must be text, got ''"),
        ("2026-01-31", "soon", "date must be a date such as 2026-01-31, got 'soon'"),
        ("ours: 12.5", "ours: about 12", "line 1: ours must be a number above 0, got 'about 12'"),
        ("ours: 12.5", "ours: .nan", "line 1: ours must be a number above 0, got nan"),
        ("ours: 12.5", "ours: 125.0", "line 1: ratio must be ours over theirs, 3.93, got 0.393"),
        ("unit: GB", "unit: pages", "line 2: unit must be one of ms, s, KB, GB, got 'pages'"),
        ("    ratio: 0.393\n", "", "line 1: peer, theirs and ratio must be given together"),
    ],
)
def test_an_invalid_file_is_refused_with_the_problem(kept: Path, old: str, new: str, message: str) -> None:
    text = kept.read_text(encoding="utf-8")
    assert old in text
    kept.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        load_costs(kept)


def test_a_group_without_lines_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    write_costs({"walk": Group(DAY, "abc1234", "here", ())}, tmp_path / "costs.yml")
    with pytest.raises(ValueError, match="walk: lines must be a list of at least one line"):
        load_costs(tmp_path / "costs.yml")
    with pytest.raises(ValueError, match="`make bench` writes it"):
        load_costs(tmp_path / "nowhere.yml")


# ---- the page


@pytest.fixture
def priced(toy: Book) -> Book:
    """A small book whose first page shows costs of two runs."""
    (toy.root / "book" / "intro.md").write_text("# A toy book\n\n```{costs}\n```\n", encoding="utf-8")
    later = Group(datetime.date(2026, 2, 1), "def5678", "2 cores, 8 GB of memory", LINES[:1])
    write_costs({"walk": GROUP, "live": later}, toy.root / COSTS_FILE)
    return toy


def test_the_page_shows_each_run_and_each_line(priced: Book) -> None:
    built = priced.make("book")
    assert built.returncode == 0, built.stderr
    page = BeautifulSoup(priced.page("book/intro"), "html.parser")
    first, second = page.select("table.costs")
    assert [cell.get_text() for cell in first.select("td")][:5] == [
        "a walk, over a loop",
        "12.5 ms",
        "31.8 ms",
        "0.39",
        "0.6",
    ]
    assert len(second.select("tbody tr")) == 2
    text = page.get_text()
    assert "Measured on 2026-01-31 at commit abc1234: 2 cores, 8 GB of memory." in text
    assert "Measured on 2026-02-01 at commit def5678" in text
    assert "table.costs" in (priced.html / "_static" / "site.css").read_text(encoding="utf-8")


def test_a_broken_file_fails_the_build_and_says_what_is_wrong(priced: Book) -> None:
    path = priced.root / COSTS_FILE
    path.write_text(path.read_text(encoding="utf-8").replace("unit: ms", "unit: hours", 1), encoding="utf-8")
    built = priced.make("book")
    assert built.returncode != 0
    assert "costs.yml, walk, line 1: unit must be one of ms, s, KB, GB, got 'hours'" in built.stderr
    assert "Traceback" not in built.stderr


# ---- measuring


@pytest.fixture
def two_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench of two groups that take no time."""

    def walk() -> Iterator[Line]:
        yield LINES[0]

    def live() -> Iterator[Line]:
        yield LINES[1]

    monkeypatch.setattr(bench, "GROUPS", {"live": live, "walk": walk})
    monkeypatch.setattr(bench, "commit", lambda: "new")


def test_a_partial_run_leaves_the_other_groups_as_they_were(
    two_groups: None, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.main(["live"], kept)
    found = load_costs(kept)
    assert list(found) == ["live", "walk"]
    assert found["walk"] == GROUP
    assert (found["live"].commit, found["live"].lines) == ("new", LINES[1:])
    assert "a walk" not in capsys.readouterr().out


def test_a_whole_run_prints_every_line_and_replaces_a_broken_file(
    two_groups: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "costs.yml"
    path.write_text("walk: [", encoding="utf-8")
    bench.main([], path)
    assert {group.commit for group in load_costs(path).values()} == {"new"}
    printed = capsys.readouterr()
    assert "ignoring earlier costs: costs.yml cannot be read" in printed.err
    for words in ("a walk", "12.5 ms", "31.8 ms", "0.39", "peak memory of 01_toy.ipynb", "1.5 GB"):
        assert words in printed.out


def test_a_group_that_cannot_be_measured_is_refused_by_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match=r"unknown group wolk; the groups are: imports, build, .*"):
        bench.select_groups(["walk", "wolk"])
    monkeypatch.setattr(page_weight, "SITE", tmp_path)
    with pytest.raises(SystemExit, match="run `make book` first"):
        bench.select_groups(["pages"])
    assert bench.select_groups(["walk"]) == ["walk"]


def test_functions_run_in_turn_after_a_warm_up() -> None:
    ran: list[str] = []
    assert len(median_times(lambda: ran.append("a"), lambda: ran.append("b"), runs=2)) == 2
    assert "".join(ran) == "ababab"


def test_a_page_weighs_what_a_browser_loads_from_its_own_site(tmp_path: Path) -> None:
    style, picture = b"body { color: red }" * 100, b"\x89PNG" * 100
    (tmp_path / "style.css").write_bytes(style)
    (tmp_path / "picture.png").write_bytes(picture)
    page = tmp_path / "page.html"
    page.write_text(
        '<link rel="stylesheet" href="style.css?v=1"><link rel="next" href="other.html">'
        '<script src="https://elsewhere.example/x.js"></script>'
        '<img src="picture.png"><img src="picture.png"><img src="data:image/png;base64,AA">',
        encoding="utf-8",
    )
    packed = [len(gzip.compress(content, 9)) for content in (style, page.read_bytes())]
    assert page_weight.page_weight(page) == sum(packed) + len(picture)


# ---- the last measurements


def test_the_last_run_has_every_group_page_and_notebook() -> None:
    measured = load_costs(ROOT / COSTS_FILE)
    assert list(measured) == list(bench.GROUPS)
    assert [line.what for line in measured["pages"].lines] == [
        f"{name}.html" for name in page_weight.pages_in_toc(ROOT)
    ], "a page came or went: make bench ARGS=pages"


def test_the_page_names_every_group() -> None:
    text = (ROOT / "book" / "costs.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in bench.GROUPS)
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    assert {"file": "book/costs"} in toc["parts"][1]["chapters"]


def test_b7_every_notebook_as_last_measured_stays_under_its_limit() -> None:
    lines = {line.what: line for line in load_costs(ROOT / COSTS_FILE)["notebooks"].lines}
    assert lines.keys() == {notebook_memory.memory_label(path) for path in notebook_memory.chapters()}
    for line in lines.values():
        assert (line.unit, line.target) == ("GB", 1.5)
        assert line.ours < line.target, line.what
