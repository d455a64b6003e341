"""Tests of a build with the real GPT-2: downloaded before notebooks run, and kept once available."""

from __future__ import annotations

from pathlib import Path

from gpt2_teach.checkpoint.model_source import DEFAULT_NAME, DEFAULT_REVISION
from tests.gpt2_teach.checkpoint.fake_hub import environment, fake_hub
from tests.gpt2_teach.checkpoint.gpt2_files import TINY, gpt2, write
from tests.small_books import Book

NOWHERE = "http://127.0.0.1:9"
LOADS = "print('a notebook that names load_gpt2')"


def test_b4_a_stand_in_is_kept_until_the_real_checkpoint_is_available(toy: Book, tmp_path: Path) -> None:
    toy.notebook(LOADS)
    offline = environment(NOWHERE, tmp_path / "home")
    first = toy.make("book", env=offline)
    assert first.returncode == 0, first.stderr
    assert "The pages will show a labelled stand-in" in first.stdout
    assert "The pages show a stand-in for GPT-2" in first.stdout.partition("Executed notebook")[2]
    assert "Executed notebook" in first.stdout
    assert "Executed notebook" not in toy.make("book", env=offline).stdout  # still offline: nothing to redo

    folder = write(gpt2(**TINY), tmp_path / "tiny")
    with fake_hub({DEFAULT_NAME: {DEFAULT_REVISION: folder}}) as hub:
        online = toy.make("book", env=environment(hub.endpoint, tmp_path / "home"))
    assert f"{DEFAULT_NAME} is in the cache" in online.stdout
    assert "Executed notebook" in online.stdout

    again = toy.make("book", env=offline)
    assert "Executed notebook" not in again.stdout
    assert DEFAULT_NAME not in again.stdout  # the Hub is not contacted again


def test_b4_a_build_for_publishing_fails_rather_than_show_a_stand_in(toy: Book, tmp_path: Path) -> None:
    toy.notebook(LOADS)
    built = toy.make("book", "PUBLISH=1", env=environment(NOWHERE, tmp_path / "home"))
    assert built.returncode != 0
    assert "GPT2_TEACH_REQUIRE_REAL is set, so a stand-in is not allowed" in built.stderr


def test_a_book_that_never_loads_the_checkpoint_sends_no_request(toy: Book, tmp_path: Path) -> None:
    with fake_hub({}) as hub:
        assert toy.make("book", env=environment(hub.endpoint, tmp_path / "home")).returncode == 0
        assert hub.requests == []
