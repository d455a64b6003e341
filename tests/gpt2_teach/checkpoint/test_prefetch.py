"""Tests of the download before pages are built."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gpt2_teach.checkpoint.load import load_gpt2
from gpt2_teach.checkpoint.model_source import DEFAULT_NAME, DEFAULT_REVISION
from gpt2_teach.checkpoint.prefetch import prefetch
from tests.gpt2_teach.checkpoint.fake_hub import environment, fake_hub, variables_of_this_machine
from tests.gpt2_teach.checkpoint.gpt2_files import TINY, gpt2, write

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture(autouse=True)
def no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in variables_of_this_machine():
        monkeypatch.delenv(name)
    for name, value in environment(NOWHERE, tmp_path / "home").items():
        monkeypatch.setenv(name, value)


def test_a_prefetched_checkpoint_is_loaded_without_a_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(gpt2(**TINY), tmp_path / "tiny")
    with fake_hub({DEFAULT_NAME: {DEFAULT_REVISION: folder}}) as server:
        monkeypatch.setenv("HF_ENDPOINT", server.endpoint)
        assert prefetch() == f"{DEFAULT_NAME} is in the cache, at revision {DEFAULT_REVISION}."
    assert not load_gpt2().is_stand_in


def test_without_a_network_it_announces_a_stand_in() -> None:
    assert prefetch().endswith("refused). The pages will show a labelled stand-in.")


def test_a_folder_is_named_and_a_wrong_one_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", str(tmp_path))
    assert prefetch() == f"GPT-2 is read from the folder {tmp_path}."
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", str(tmp_path / "nowhere"))
    with pytest.raises(ValueError, match="the folder does not exist"):
        prefetch()


def test_a_build_for_publishing_ends_here_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    ran = subprocess.run(
        [sys.executable, "-m", "gpt2_teach.checkpoint.prefetch"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert ran.stderr.startswith(f"{DEFAULT_NAME} could not be loaded: the connection to {NOWHERE} failed")
    assert ran.stderr.count("\n") == 1
