"""`make bench`: what it prints and how it measures. No test depends on time."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench import __main__ as bench
from tests.bench.book_and_pages import page_weight
from tests.bench.measuring import Line, median_times


def test_named_groups_are_measured_and_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def walk() -> Iterator[Line]:
        yield Line("a walk", "ms", 0.0125, 0.6, "a loop", 0.0318)

    def notebooks() -> Iterator[Line]:
        yield Line("peak memory of 01_toy.ipynb", "GB", 1.23e9, 1.5)

    monkeypatch.setattr(bench, "GROUPS", {"walk": walk, "notebooks": notebooks})
    bench.main([])
    *_, first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["a", "walk", "a", "loop", "12.5", "ms", "31.8", "ms", "0.39", "0.6"]
    assert second.split() == [*"peak memory of 01_toy.ipynb 1.23 GB 1.5 GB".split()]
    bench.main(["notebooks"])
    assert "a walk" not in capsys.readouterr().out
    with pytest.raises(SystemExit, match="unknown group wolk; the groups are: walk, notebooks"):
        bench.main(["walk", "wolk"])


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
    assert page_weight(page) == sum(packed) + len(picture)
