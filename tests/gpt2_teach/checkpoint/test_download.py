"""Tests of downloads from a Hub that works, one that does not, and without any Hub."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gpt2_teach.checkpoint import download
from gpt2_teach.checkpoint.download import find_checkpoint
from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError
from gpt2_teach.checkpoint.model_source import DEFAULT_NAME, DEFAULT_REVISION, NAME_VARIABLE
from tests.gpt2_teach.checkpoint.fake_hub import NOWHERE, Fault, commit_of

Serve = Callable[..., Any]
CONFIGS = {"not a GPT-2": '{"model_type": "bert"}', "no safetensors": '{"model_type": "gpt2"}', "broken": "{"}


def fetch() -> Path:
    folder = find_checkpoint(download=True)[1]
    assert folder is not None
    return folder


def read_only(home: Path, mode: int) -> None:
    for folder in [home, *(path for path in home.rglob("*") if path.is_dir())]:
        folder.chmod(mode)


# ---- a Hub that works


def test_a_complete_cache_is_used_without_a_request_and_need_not_be_writable(
    serve: Serve, home: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as hub:
        folder = fetch()
        assert folder.name == DEFAULT_REVISION
        for file in ("config.json", "model.safetensors"):
            assert (folder / file).read_bytes() == (tiny / file).read_bytes()
        hub.requests.clear()
        assert fetch() == folder
        assert hub.requests == []
    read_only(home, 0o500)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert fetch() == folder
    read_only(home, 0o700)
    (folder / "model.safetensors").resolve().unlink()  # no longer complete
    with pytest.raises(HubUnreachableError):
        fetch()


def test_a_branch_is_looked_up_each_time_and_taken_from_the_cache_if_the_hub_does_not_work(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(NAME_VARIABLE, "someone/gpt2")
    with serve() as hub:
        folder = fetch()
        assert folder.name == commit_of("main")
        hub.requests.clear()
        assert fetch() == folder
        assert any("/main/" in request for request in hub.requests)
        hub.fault = "503"
        assert fetch() == folder
    assert fetch() == folder


def test_weights_in_several_files_are_downloaded_by_their_index(
    serve: Serve, tiny: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "sharded"
    folder.mkdir()
    shutil.copy(tiny / "config.json", folder)
    for shard in ("a.safetensors", "b.safetensors"):
        shutil.copy(tiny / "model.safetensors", folder / shard)
    index = '{"weight_map": {"wte.weight": "a.safetensors", "wpe.weight": "b.safetensors"}}'
    (folder / "model.safetensors.index.json").write_text(index)
    with serve(folder=folder):
        assert {path.name for path in fetch().iterdir()} == {path.name for path in folder.iterdir()}
    assert fetch().is_dir()


def test_an_interrupted_download_is_resumed(serve: Serve, tiny: Path) -> None:
    with serve("half then cut once"):
        assert (fetch() / "model.safetensors").read_bytes() == (tiny / "model.safetensors").read_bytes()


def test_an_expired_token_does_not_block_the_public_model(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_out_of_date")
    with serve("bad token"):
        assert fetch().is_dir()


def test_a_slow_download_is_no_error_nor_is_waiting_for_that_of_another_process(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "SILENCE_SECONDS", 3.0)
    with serve("slow") as hub, ThreadPoolExecutor() as pool:
        began = time.monotonic()
        both = [pool.submit(fetch) for _ in range(2)]
        assert both[0].result() == both[1].result()
        assert time.monotonic() - began > 3.0
        assert sum(line.startswith("GET") and "safetensors" in line for line in hub.requests) == 1


def test_a_check_without_a_download_says_where_the_checkpoint_is(
    serve: Serve, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve() as hub:
        assert find_checkpoint()[1] is None
        assert not any(line.startswith("GET") and "safetensors" in line for line in hub.requests)
        fetch()
    message, folder = find_checkpoint()
    assert DEFAULT_NAME in message
    assert folder is not None
    monkeypatch.setenv(NAME_VARIABLE, str(tiny))
    assert find_checkpoint() == (f"GPT-2 is read from the folder {tiny}", tiny)


# ---- wrong names are always errors


@pytest.mark.parametrize(
    "name", ["no/such-model", "not a name", "a//b", "./nowhere", "C:\\models", "models/"]
)
def test_b4_a_name_that_does_not_exist_is_an_error_that_names_the_variable(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(NAME_VARIABLE, name)
    with serve(), pytest.raises(CheckpointError, match=NAME_VARIABLE):
        fetch()


@pytest.mark.parametrize("config", CONFIGS)
def test_a_model_that_is_not_a_gpt2_in_safetensors_is_an_error(
    serve: Serve, tmp_path: Path, config: str
) -> None:
    (tmp_path / "pytorch_model.bin").write_bytes(b"a pickle")
    (tmp_path / "config.json").write_text(CONFIGS[config])
    with serve(folder=tmp_path) as hub, pytest.raises(CheckpointError):
        fetch()
    assert not any("pytorch_model" in line for line in hub.requests)


# ---- a Hub that does not work


@pytest.mark.parametrize("fault", ["429", "503", "nonsense", "429 at the file", "half then silence"])
def test_b4_a_hub_that_does_not_work_is_noticed(
    serve: Serve, home: Path, fault: Fault, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "SILENCE_SECONDS", 2.0)
    began = time.monotonic()
    with serve(fault), pytest.raises(HubUnreachableError):
        fetch()
    assert time.monotonic() - began < 15
    assert not list(home.rglob("*.incomplete"))


@pytest.mark.parametrize("endpoint", [NOWHERE, "http://hub.invalid", "not an address"])
def test_b4_a_missing_network_is_noticed(monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    with pytest.raises(HubUnreachableError):
        fetch()


def never_answers(serve: Serve, home: Path, tmp_path: Path, patch: pytest.MonkeyPatch) -> Any:
    return serve("never answers")


def no_name_server(serve: Serve, home: Path, tmp_path: Path, patch: pytest.MonkeyPatch) -> Any:
    code = "import socket, time\nsocket.getaddrinfo = lambda *args, **kwargs: time.sleep(600)\n"
    (tmp_path / "sitecustomize.py").write_text(code)
    patch.setenv("PYTHONPATH", str(tmp_path))
    return serve()


def held_lock(serve: Serve, home: Path, tmp_path: Path, patch: pytest.MonkeyPatch) -> Any:
    with serve():
        folder = fetch()
    for lock in home.rglob("*.lock"):
        fcntl.flock(os.open(lock, os.O_RDWR), fcntl.LOCK_EX)  # until these tests end
    (folder / "config.json").resolve().unlink()
    return serve()


@pytest.mark.parametrize(
    ("silence", "limit", "whole_download"),
    [
        (no_name_server, download.ANSWER_SECONDS, True),
        (no_name_server, 2.0, False),
        (never_answers, 2.0, True),
        (held_lock, 2.0, True),
    ],
)
def test_b4_silence_from_the_start_is_noticed_within_15_seconds(
    serve: Serve,
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    silence: Any,
    limit: float,
    whole_download: bool,
) -> None:
    with silence(serve, home, tmp_path, monkeypatch):
        monkeypatch.setattr(download, "ANSWER_SECONDS", limit)
        began = time.monotonic()
        with pytest.raises(HubUnreachableError):
            find_checkpoint(download=whole_download)
        assert time.monotonic() - began < limit + 3


@pytest.mark.slow
def test_b4_silence_in_a_download_is_noticed_within_90_seconds(serve: Serve) -> None:
    with serve("half then silence"):
        began = time.monotonic()
        with pytest.raises(HubUnreachableError):
            fetch()
        assert time.monotonic() - began < 90


def test_b4_a_cache_that_cannot_be_written_is_named(serve: Serve, home: Path) -> None:
    home.write_text("a file where the folder should be")
    with serve(), pytest.raises(HubUnreachableError, match=str(home)):
        fetch()


def test_b4_an_interrupt_leaves_no_process_and_no_file_behind(serve: Serve, home: Path) -> None:
    # a process that a shell starts in the background ignores interrupts
    code = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    code += "from gpt2_teach.checkpoint.download import find_checkpoint as f; f(download=True)"
    with serve("half then silence") as hub:
        running = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        while not any(line.startswith("GET") and "safetensors" in line for line in hub.requests):
            time.sleep(0.1)
        [child] = Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        running.send_signal(signal.SIGINT)
        running.wait(timeout=10)
    assert not Path("/proc", child).exists()
    assert not list(home.rglob("*.incomplete"))


def test_b3_the_download_process_needs_no_installed_package_and_runs_in_any_folder(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('the wrong json module')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    with serve():
        assert fetch().is_dir()
