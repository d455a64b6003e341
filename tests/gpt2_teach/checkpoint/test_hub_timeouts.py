"""Tests of downloads from a Hub that works, one that does not, and without any Hub."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from explorable import BOOK_VARIABLE
from gpt2_teach.checkpoint import hub_timeouts
from gpt2_teach.checkpoint.errors import CheckpointError, HubUnreachableError
from tests.gpt2_teach.checkpoint.fake_hub import (
    FakeHub,
    Fault,
    commit_of,
    environment,
    fake_hub,
    variables_of_this_machine,
)
from tests.gpt2_teach.checkpoint.gpt2_files import TINY, gpt2, write

NAME = "someone/gpt2-tiny"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
NOWHERE = "http://127.0.0.1:9"  # the discard port, where nothing listens

Serve = Callable[..., AbstractContextManager[FakeHub]]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a tiny GPT-2."""
    return write(gpt2(**TINY), tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up an empty cache and no Hub."""
    for name in variables_of_this_machine():
        monkeypatch.delenv(name)
    for name, value in environment(NOWHERE, tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    return tmp_path / "home"


@pytest.fixture
def serve(tiny: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Run a Hub that has NAME at COMMIT and at `main`, optionally with a fault, until the block ends."""

    @contextmanager
    def serve(fault: Fault = "", folder: Path = tiny) -> Iterator[FakeHub]:
        with fake_hub({NAME: {COMMIT: folder, "main": folder}}, fault) as server:
            monkeypatch.setenv("HF_ENDPOINT", server.endpoint)
            yield server
        monkeypatch.setenv("HF_ENDPOINT", NOWHERE)

    return serve


def in_cache(home: Path, filename: str, revision: str = COMMIT) -> Path:
    return home / "hub" / f"models--{NAME.replace('/', '--')}" / "snapshots" / revision / filename


def leftovers(home: Path) -> list[Path]:
    return list(home.rglob("*.incomplete"))


# ---- a Hub that works


def test_a_download_is_reused_without_a_request(serve: Serve, tiny: Path) -> None:
    with serve() as server:
        fetched = hub_timeouts.download(NAME, COMMIT)
        count = len(server.requests)
        assert hub_timeouts.download(NAME, COMMIT) == fetched
        assert len(server.requests) == count
    assert fetched.commit == COMMIT
    for file in ("config.json", "model.safetensors"):
        assert (fetched.folder / file).read_bytes() == (tiny / file).read_bytes()
    assert hub_timeouts.download(NAME, COMMIT) == fetched  # with no Hub at all


def test_without_a_revision_the_branch_main_is_looked_up_each_time(serve: Serve) -> None:
    with serve() as server:
        assert hub_timeouts.download(NAME).commit == commit_of("main")
        count = len(server.requests)
        hub_timeouts.download(NAME)
        assert len(server.requests) > count


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
        fetched = hub_timeouts.download(NAME, COMMIT)
    assert {p.name for p in fetched.folder.iterdir()} == {p.name for p in folder.iterdir()}
    assert hub_timeouts.download(NAME, COMMIT) == fetched


def test_a_refused_token_does_not_block_a_public_model(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_out_of_date")
    with serve("bad token"):
        assert hub_timeouts.download(NAME, COMMIT).commit == COMMIT


def test_an_interrupted_download_is_resumed(serve: Serve, tiny: Path) -> None:
    with serve("half then cut once"):
        folder = hub_timeouts.download(NAME, COMMIT).folder
    assert (folder / "model.safetensors").read_bytes() == (tiny / "model.safetensors").read_bytes()


def test_a_slow_download_with_progress_is_not_an_error(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hub_timeouts, "SILENCE_SECONDS", 2.0)
    monkeypatch.setenv("HF_HUB_DISABLE_PROGRESS_BARS", "0")
    with serve("slow") as server:
        server.pause, server.pieces = 0.5, 10
        began = time.monotonic()
        assert hub_timeouts.download(NAME, COMMIT).commit == COMMIT
    assert time.monotonic() - began > 2.0  # longer than the limit, without an error
    assert "model.safetensors:" in capfd.readouterr().err  # the bar


def test_a_page_of_the_book_keeps_no_bar(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(BOOK_VARIABLE, "1")
    with serve():
        hub_timeouts.download(NAME, COMMIT)
    assert capfd.readouterr() == ("", "")


def test_bytes_of_xet_storage_count_as_progress_when_they_arrive(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub.utils._xet_progress_reporting import XetDownloadProgressReporter

    from gpt2_teach.checkpoint import events

    def transfer_events(received: int, written: int) -> list[dict[str, Any]]:
        monkeypatch.setattr(events, "_last_report", 0.0)  # not too soon after the last
        counts = dict(total_bytes_completed=written, total_transfer_bytes_completed=received, total_bytes=100)
        reporter.update_progress(
            SimpleNamespace(
                **counts, total_bytes_completion_rate=1.0, total_transfer_bytes_completion_rate=1.0
            )
        )
        return [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    bar: dict[str, Any] = dict(tqdm_class=events.ProgressReporter, log_level=30)
    with XetDownloadProgressReporter(reconstruction_desc="model.safetensors", total=100, **bar) as reporter:
        assert transfer_events(received=0, written=0) == []
        assert transfer_events(received=10, written=0) == [{"event": "progress"}]
        assert transfer_events(received=10, written=0) == []
        progress = {"event": "progress", "file": "model.safetensors", "n": 10, "total": 100}
        assert transfer_events(received=10, written=10) == [progress]


def test_waiting_for_another_process_with_the_same_download_is_not_silence(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_timeouts, "SILENCE_SECONDS", 3.0)
    with serve("slow") as server, ThreadPoolExecutor() as pool:
        server.pause, server.pieces = 0.5, 12
        both = [pool.submit(hub_timeouts.download, NAME, COMMIT) for _ in range(2)]
        assert both[0].result() == both[1].result()
        assert sum(line.startswith("GET") and "safetensors" in line for line in server.requests) == 1


# ---- wrong names are always errors


@pytest.mark.parametrize(
    ("name", "revision", "words"),
    [
        ("no/such-model", COMMIT, "no/such-model does not exist on http.*401"),
        (NAME, "no-such-branch", "has no revision 'no-such-branch'"),
        ("not a name", COMMIT, "not a valid name on the Hub"),
        ("a//b", None, "not a valid name on the Hub"),
    ],
)
def test_a_name_that_does_not_exist_is_an_error(
    serve: Serve, name: str, revision: str | None, words: str
) -> None:
    with serve(), pytest.raises(CheckpointError, match=words):
        hub_timeouts.download(name, revision)


@pytest.mark.parametrize("fault", ["bare 401", "bare 404"])
def test_a_refusal_without_the_hubs_own_codes_is_an_error_too(serve: Serve, fault: Fault) -> None:
    with serve(fault), pytest.raises(CheckpointError, match=f"does not exist on .*HTTP {fault[-3:]}"):
        hub_timeouts.download(NAME, COMMIT)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (None, "has no config.json"),
        ('{"model_type": "bert"}', "is not a GPT-2: its config.json has model_type 'bert'"),
        ('{"model_type": "gpt2"}', "has no model.safetensors"),
    ],
)
def test_a_model_that_is_not_a_gpt2_in_safetensors_is_an_error(
    serve: Serve, tmp_path: Path, config: str | None, words: str
) -> None:
    (tmp_path / "pytorch_model.bin").write_bytes(b"a pickle")
    if config is not None:
        (tmp_path / "config.json").write_text(config)
    with serve(folder=tmp_path) as server, pytest.raises(CheckpointError, match=words):
        hub_timeouts.download(NAME, COMMIT)
    assert not any("pytorch_model" in line for line in server.requests)


# ---- a Hub that does not work


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("429", "too many requests"),
        ("429 at the file", "the Hub sent no data for 2 s.*Rate limited"),
        ("503", "HTTP 503"),
        ("nonsense", "is not a Hub"),
        ("portal", "is not a Hub"),
        ("damaged", "model.safetensors arrived damaged"),
        ("never answers", "the Hub did not answer within 1 s"),
        ("half then silence", "the Hub sent no data for 2 s"),
    ],
)
def test_b4_a_hub_that_does_not_work_is_an_error(
    serve: Serve, home: Path, fault: Fault, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_timeouts, "ANSWER_SECONDS", 1.0 if fault == "never answers" else 8.0)
    monkeypatch.setattr(hub_timeouts, "SILENCE_SECONDS", 2.0)
    with serve(fault), pytest.raises(HubUnreachableError, match=words):
        hub_timeouts.download(NAME, COMMIT)
    assert not leftovers(home)


@pytest.mark.parametrize("fault", ["never answers", "half then silence"])
def test_b4_a_silent_hub_is_an_error_within_15_seconds(serve: Serve, fault: Fault) -> None:
    with serve(fault) as server:
        with pytest.raises(HubUnreachableError, match=r"did not answer within 8 s|sent no data for 12 s"):
            hub_timeouts.download(NAME, COMMIT)
        assert time.monotonic() - server.silent_since < 15  # the requirement, so a clock; it takes 8 and 12


@pytest.mark.parametrize("endpoint", [NOWHERE, "http://hub.invalid", "not an address"])
def test_b4_a_missing_network_is_an_error(home: Path, monkeypatch: pytest.MonkeyPatch, endpoint: str) -> None:
    monkeypatch.setenv("HF_ENDPOINT", endpoint)
    with pytest.raises(
        HubUnreachableError, match=f"the connection to {endpoint} failed|did not answer within 8 s"
    ):
        hub_timeouts.download(NAME, COMMIT)


def test_offline_mode_sends_no_request(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with serve() as server:
        with pytest.raises(HubUnreachableError, match="HF_HUB_OFFLINE is set"):
            hub_timeouts.download(NAME, COMMIT)
        assert server.requests == []
        monkeypatch.delenv("HF_HUB_OFFLINE")
        fetched = hub_timeouts.download(NAME)
        monkeypatch.setenv("HF_HUB_OFFLINE", "1")
        server.requests.clear()
        assert hub_timeouts.download(NAME) == fetched
        assert server.requests == []


@pytest.mark.parametrize("fault", ["503", "never answers", "nonsense"])
def test_a_cached_branch_is_used_if_the_hub_does_not_work(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    monkeypatch.setattr(hub_timeouts, "ANSWER_SECONDS", 2.0)
    with serve() as server:
        fetched = hub_timeouts.download(NAME)
        server.fault = fault
        assert hub_timeouts.download(NAME) == fetched


# ---- a cache that does not work


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-10] ^= 1
    path.write_bytes(content)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def cut_a_copy(path: Path) -> None:
    """Imitate a system without symbolic links, where the cache contains plain files."""
    blob = path.resolve()
    path.unlink()
    shutil.copy(blob, path)
    blob.unlink()
    cut(path)


@pytest.mark.parametrize(
    ("damage", "filename"),
    [
        *((damage, "model.safetensors") for damage in (cut, flip, empty, cut_a_copy)),
        *((damage, "config.json") for damage in (cut, empty, cut_a_copy)),  # the Hub has no checksum of it
    ],
)
def test_b4_a_damaged_cache_is_repaired_or_reported(
    serve: Serve, home: Path, tiny: Path, damage: Callable[[Path], None], filename: str
) -> None:
    with serve():
        folder = hub_timeouts.download(NAME, COMMIT).folder
    damage(in_cache(home, filename))
    with pytest.raises(HubUnreachableError, match=f"{filename} in the cache is damaged"):
        hub_timeouts.download(NAME, COMMIT)
    with serve():
        assert hub_timeouts.download(NAME, COMMIT).folder == folder
    assert (folder / filename).read_bytes() == (tiny / filename).read_bytes()


def test_a_missing_file_is_downloaded_again(serve: Serve, home: Path) -> None:
    with serve():
        folder = hub_timeouts.download(NAME, COMMIT).folder
        in_cache(home, "model.safetensors").resolve().unlink()  # the link dangles
        assert hub_timeouts.download(NAME, COMMIT).folder == folder


def test_b4_a_read_only_cache_is_an_error(serve: Serve, home: Path) -> None:
    home.write_text("a file where the folder should be")
    with serve(), pytest.raises(HubUnreachableError, match=r"cache .* is not usable"):
        hub_timeouts.download(NAME, COMMIT)


def test_b4_a_full_disk_is_an_error(serve: Serve, home: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with serve():
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))  # inherited by the download process
            with pytest.raises(HubUnreachableError, match=r"cache .* is not usable .*too large"):
                hub_timeouts.download(NAME, COMMIT)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not leftovers(home)


def test_an_intact_cache_need_not_be_writable(serve: Serve, home: Path) -> None:
    with serve():
        fetched = hub_timeouts.download(NAME, COMMIT)
    for folder in [home, *(p for p in home.rglob("*") if p.is_dir())]:
        folder.chmod(0o500)
    try:
        assert hub_timeouts.download(NAME, COMMIT) == fetched
    finally:
        for folder in [home, *(p for p in home.rglob("*") if p.is_dir())]:
            folder.chmod(0o700)


# ---- the download process


def test_a_process_that_ends_without_a_result_is_an_error(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_timeouts.sys, "executable", shutil.which("true"))
    with pytest.raises(HubUnreachableError, match="ended without a result"):
        hub_timeouts.download(NAME, COMMIT)


def test_no_process_is_left_behind(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []

    class Remembered(subprocess.Popen[str]):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            started.append(self)

    monkeypatch.setattr(hub_timeouts, "ANSWER_SECONDS", 0.5)
    monkeypatch.setattr(hub_timeouts.subprocess, "Popen", Remembered)
    with serve("never answers"), pytest.raises(HubUnreachableError):
        hub_timeouts.download(NAME, COMMIT)
    assert [process.poll() is not None for process in started] == [True]


def test_it_works_from_any_folder(serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("raise RuntimeError('the wrong json module')")
    monkeypatch.chdir(tmp_path)
    with serve():
        assert hub_timeouts.download(NAME, COMMIT).commit == COMMIT
