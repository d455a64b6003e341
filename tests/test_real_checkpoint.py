"""A build and the real GPT-2: fetched before notebooks run, and never forgotten once it can be had."""

from __future__ import annotations

from pathlib import Path

from gpt2_teach.checkpoint.load import DEFAULT_NAME, DEFAULT_REVISION
from tests.checkpoint.fake_hub import environment, fake_hub
from tests.checkpoint.gpt2_files import TINY, gpt2, write
from tests.small_books import Book

NOWHERE = "http://127.0.0.1:9"
ASKS = "print('a notebook that names load_gpt2')"


def test_b4_a_stand_in_is_kept_until_the_real_checkpoint_can_be_had(toy: Book, tmp_path: Path) -> None:
    toy.notebook(ASKS)
    offline = environment(NOWHERE, tmp_path / "home")
    first = toy.make("book", env=offline)
    assert first.returncode == 0, first.stderr
    assert "The pages will show a stand-in" in first.stdout
    assert "The pages show a stand-in for GPT-2" in first.stdout.partition("Executed notebook")[2]
    assert "Executed notebook" in first.stdout
    assert (
        "Executed notebook" not in toy.make("book", env=offline).stdout
    )  # still no network: nothing to redo

    folder = write(gpt2(**TINY), tmp_path / "tiny")
    with fake_hub({DEFAULT_NAME: {DEFAULT_REVISION: folder}}) as hub:
        online = toy.make("book", env=environment(hub.endpoint, tmp_path / "home"))
    assert f"{DEFAULT_NAME} is in the cache" in online.stdout
    assert "Executed notebook" in online.stdout

    again = toy.make("book", env=offline)
    assert "Executed notebook" not in again.stdout
    assert DEFAULT_NAME not in again.stdout  # nobody is asked any more


def test_b4_a_build_for_publishing_fails_rather_than_show_a_stand_in(toy: Book, tmp_path: Path) -> None:
    toy.notebook(ASKS)
    built = toy.make("book", "PUBLISH=1", env=environment(NOWHERE, tmp_path / "home"))
    assert built.returncode != 0
    assert "no stand-in for openai-community/gpt2 will do" in built.stderr


def test_a_book_that_never_loads_the_checkpoint_asks_nobody(toy: Book, tmp_path: Path) -> None:
    with fake_hub({}) as hub:
        assert toy.make("book", env=environment(hub.endpoint, tmp_path / "home")).returncode == 0
        assert hub.asked == []
