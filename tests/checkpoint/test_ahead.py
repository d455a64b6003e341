"""Fetching before pages are made: what there is then, in words."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gpt2_teach.checkpoint.ahead import fetch_ahead
from gpt2_teach.checkpoint.load import DEFAULT_NAME, DEFAULT_REVISION, load_gpt2
from tests.checkpoint.fake_hub import environment, fake_hub, variables_of_this_machine
from tests.checkpoint.gpt2_files import TINY, gpt2, write

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in variables_of_this_machine():
        monkeypatch.delenv(name)
    for name, value in environment(NOWHERE, tmp_path / "home").items():
        monkeypatch.setenv(name, value)


def test_what_was_fetched_ahead_is_loaded_without_a_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(gpt2(**TINY), tmp_path / "tiny")
    with fake_hub({DEFAULT_NAME: {DEFAULT_REVISION: folder}}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.endpoint)
        assert fetch_ahead() == f"{DEFAULT_NAME} is in the cache, at revision {DEFAULT_REVISION}."
    assert not load_gpt2().is_stand_in


def test_without_a_network_it_says_that_there_will_be_a_stand_in() -> None:
    assert fetch_ahead().endswith("refused). The pages will show a stand-in, and say so.")


def test_a_folder_is_named_and_a_wrong_one_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", str(tmp_path))
    assert fetch_ahead() == f"GPT-2 is read from the folder {tmp_path}."
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", str(tmp_path / "nowhere"))
    with pytest.raises(ValueError, match="there is no such folder"):
        fetch_ahead()


def test_a_build_for_publishing_ends_here_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    ran = subprocess.run(
        [sys.executable, "-m", "gpt2_teach.checkpoint.ahead"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.startswith(
        f"GPT2_TEACH_REQUIRE_REAL is set, so no stand-in for {DEFAULT_NAME} will do. "
    )
    assert ran.stderr.count("\n") == 1
