"""Tests of `make doctor` on machines where something is missing or broken."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from gpt2_teach.checkpoint import availability
from gpt2_teach.checkpoint.model_source import DEFAULT_NAME, DEFAULT_REVISION
from gpt2_teach.doctor import findings, memory_and_disk, software, trained_model
from gpt2_teach.doctor.__main__ import CHECKS, run_checks
from gpt2_teach.doctor.findings import Finding
from tests.gpt2_teach.checkpoint import fake_hub as hub_of_tests
from tests.gpt2_teach.checkpoint.fake_hub import Fault, fake_hub
from tests.gpt2_teach.checkpoint.gpt2_files import TINY, gpt2, write
from tests.small_books import ROOT, environment

NAME = "someone/gpt2-tiny"
NOWHERE = "http://127.0.0.1:9"  # the discard port, where nothing listens


def states(found: list[Finding]) -> list[str]:
    return [finding.state for finding in found]


def without(monkeypatch: pytest.MonkeyPatch, *missing: str, **others: str) -> None:
    """Pretend that the packages `missing` are missing and `others` have other versions."""
    real = importlib.metadata.distribution

    def version(name: str) -> str:
        if name in missing:
            raise importlib.metadata.PackageNotFoundError(name)
        return others.get(name) or real(name).version

    monkeypatch.setattr(importlib.metadata, "version", version)


# ---- software and machine


def test_this_machine_has_everything_needed() -> None:
    for subject, check, _ in CHECKS[:-1]:
        found = list(check())
        assert found, subject
        assert set(states(found)) == {"ok"}, found


def test_an_old_python_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    (finding,) = software.python()
    assert finding.state == "fault"
    assert "3.9.2 is too old" in finding.what


def test_one_command_with_the_pins_installs_all_missing_and_wrong_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "tabulate", transformers="5.14.1")
    faults = [finding for finding in software.packages() if finding.state == "fault"]
    assert [finding.what for finding in faults] == [
        "tabulate is missing",
        "transformers is 5.14.1, but must be >=5.15",
    ]
    assert [finding.advice for finding in faults] == [
        "",
        f"in the folder {ROOT}: {sys.executable} -m pip install -r requirements.txt",
    ]


def test_outside_the_book_folder_the_command_lists_the_requirements(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(findings, "PACKAGE_PARENT", tmp_path)
    without(monkeypatch, "tabulate", transformers="5.14.1")
    *_, finding = software.packages()
    assert finding.advice == f"{sys.executable} -m pip install 'tabulate>=0.9' 'transformers>=5.15'"


def test_a_missing_kernel_is_a_fault_and_a_missing_notebook_application_is_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "ipykernel", "jupyterlab", "notebook")
    *_, finding = software.packages()
    assert finding.what == "ipykernel is missing (notebooks run in it)"
    assert states(list(software.notebooks())) == ["note"]
    without(monkeypatch, "jupyterlab", notebook="7.4.0")
    assert list(software.notebooks()) == [Finding("ok", "notebook 7.4.0")]


def test_without_torch_there_is_one_fault_and_checks_that_need_it_are_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "torch")
    found = list(run_checks())
    assert [finding.what for finding in found if finding.state == "fault"] == ["torch is missing"]
    assert [finding.what for finding in found if finding.state == "skip"] == [
        "PyTorch: not checked, needs torch",
        "the checkpoint: not checked, needs torch",
    ]


def test_a_torch_that_crashes_or_hangs_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    crashed = subprocess.CompletedProcess[str]([], -11, "", "")
    monkeypatch.setattr(software, "run_python", lambda *code, seconds: crashed)
    (finding,) = software.torch_works()
    assert finding.what == "PyTorch does not work: it crashed (exit code -11)"
    assert finding.unusable == "torch"
    monkeypatch.setattr(software, "run_python", lambda *code, seconds: None)
    assert states(list(software.torch_works())) == ["fault"]


def test_little_memory_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        memory_and_disk.os, "sysconf", lambda name: 1 << 9 if name == "SC_PAGE_SIZE" else 1 << 22
    )
    (finding,) = memory_and_disk.memory()
    assert finding.state == "note"
    assert "2.1 GB" in finding.what


def test_a_cache_that_cannot_be_written_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(**keywords: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv("HF_HOME", str(tmp_path / "none" / "yet"))
    monkeypatch.setattr(memory_and_disk.tempfile, "TemporaryFile", refuse)
    (finding,) = memory_and_disk.folders()
    assert finding == Finding(
        "note",
        f"{tmp_path} is not writable (Permission denied)",
        "set HF_HOME to a writable folder",
    )


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_cache_that_is_a_file_is_a_note(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, below: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("HF_HOME", str(file / below))
    (finding,) = memory_and_disk.folders()
    assert (finding.state, finding.what.partition(",")[0]) == ("note", f"{file} is a file")


# ---- the checkpoint


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a tiny GPT-2."""
    return write(gpt2(**TINY), tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Set up an empty cache and no Hub."""
    for name in hub_of_tests.variables_of_this_machine():
        monkeypatch.delenv(name)
    for name, value in hub_of_tests.environment(NOWHERE, tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return monkeypatch


@pytest.fixture
def in_process(set_up: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> pytest.MonkeyPatch:
    """Load folders in this process, which imports transformers only once."""

    def run_python(*arguments: str, seconds: float) -> subprocess.CompletedProcess[str]:
        availability.main(*arguments[2:])
        return subprocess.CompletedProcess(arguments, 0, capsys.readouterr().out, "")

    set_up.setattr(trained_model, "run_python", run_python)
    return set_up


def check_with_hub(
    set_up: pytest.MonkeyPatch, folder: Path | None, fault: Fault = "", name: str = NAME
) -> Finding:
    """Return the finding for NAME with a Hub that serves `folder` under `name`."""
    set_up.setenv("GPT2_TEACH_CHECKPOINT", NAME)
    with fake_hub({name: {"main": folder}} if folder else {}, fault) as server:
        set_up.setenv("HF_ENDPOINT", server.endpoint)
        (finding,) = trained_model.checkpoint()
        assert not [
            request for request in server.requests if request.startswith("GET") and "model" in request
        ]
    return finding


def test_a_model_of_the_hub_is_found_and_not_downloaded(set_up: pytest.MonkeyPatch, tiny: Path) -> None:
    finding = check_with_hub(set_up, tiny)
    assert finding.state == "ok"
    assert f"{NAME} can be downloaded from http://127.0.0.1:" in finding.what


def test_a_name_that_the_hub_does_not_know_is_a_fault(set_up: pytest.MonkeyPatch) -> None:
    finding = check_with_hub(set_up, None)
    assert finding.state == "fault"
    assert f"GPT2_TEACH_CHECKPOINT={NAME!r}: {NAME} does not exist on http" in finding.what
    assert finding.what.endswith("or is private (HTTP 401)")
    assert finding.advice == "correct or unset GPT2_TEACH_CHECKPOINT"


def test_a_model_of_the_hub_without_safetensors_or_of_another_kind_is_a_fault(
    set_up: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    finding = check_with_hub(set_up, tmp_path)
    assert finding.state == "fault"
    assert finding.what.endswith(f"{NAME} has no model.safetensors, the only supported format")
    shutil.rmtree(tmp_path / "home")  # where its config.json was cached
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    finding = check_with_hub(set_up, tmp_path)
    assert finding.state == "fault"
    assert finding.what.endswith(f"{NAME} is not a GPT-2: its config.json has model_type 'bert'")


@pytest.mark.parametrize("fault", ["nonsense", "portal"])
def test_a_server_that_is_not_a_hub_leads_to_a_stand_in(
    set_up: pytest.MonkeyPatch, tiny: Path, fault: Fault
) -> None:
    finding = check_with_hub(set_up, tiny, fault)
    assert finding.state == "note"
    assert finding.what.endswith("is not a Hub")
    assert "stand-in" in finding.advice


def test_a_default_that_a_mirror_lacks_is_a_fault_without_a_variable_that_is_not_set(
    set_up: pytest.MonkeyPatch,
) -> None:
    with fake_hub({}) as server:
        set_up.setenv("HF_ENDPOINT", server.endpoint)
        (finding,) = trained_model.checkpoint()
    assert finding.state == "fault"
    assert finding.what.startswith(f"the checkpoint: {DEFAULT_NAME} does not exist on {server.endpoint}")
    assert finding.advice == f"check HF_ENDPOINT={server.endpoint}"


def test_a_downloaded_model_needs_no_hub(set_up: pytest.MonkeyPatch, tiny: Path) -> None:
    with fake_hub({DEFAULT_NAME: {DEFAULT_REVISION: tiny}}) as server:
        set_up.setenv("HF_ENDPOINT", server.endpoint)
        subprocess.run(
            [sys.executable, "-m", "gpt2_teach.checkpoint.prefetch"], check=True, capture_output=True
        )
    (finding,) = trained_model.checkpoint()
    assert finding.state == "ok"
    assert "no network is needed, and can be loaded" in finding.what


def test_without_a_hub_it_is_a_fault_if_stand_ins_are_forbidden(set_up: pytest.MonkeyPatch) -> None:
    set_up.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    (finding,) = trained_model.checkpoint()
    assert finding.state == "fault"
    assert f"{DEFAULT_NAME} could not be loaded: the connection to {NOWHERE}" in finding.what
    assert "GPT2_TEACH_REQUIRE_REAL is set, so a stand-in is not allowed" in finding.what
    set_up.setattr(trained_model, "HUB_SECONDS", 0.01)
    (finding,) = trained_model.checkpoint()
    assert finding.state == "fault"
    assert "the Hub did not answer within 0 s" in finding.what


def test_a_folder_that_loads_is_found_and_a_relative_one_is_a_note(
    in_process: pytest.MonkeyPatch, tiny: Path
) -> None:
    in_process.setenv("GPT2_TEACH_CHECKPOINT", str(tiny))
    assert list(trained_model.checkpoint()) == [
        Finding("ok", f"the checkpoint is the folder {tiny}, and can be loaded")
    ]
    in_process.chdir(tiny.parent)
    in_process.setenv("GPT2_TEACH_CHECKPOINT", tiny.name)
    note, found = trained_model.checkpoint()
    assert note.state == "note"
    assert "is relative to the folder in which a notebook runs" in note.what
    assert note.advice == f"set it to {tiny}"
    assert found.state == "ok"


@pytest.mark.parametrize("content", ["empty", "random", "half", "another shape"])
def test_a_folder_whose_weights_do_not_load_is_a_fault(
    in_process: pytest.MonkeyPatch, tiny: Path, tmp_path: Path, content: str
) -> None:
    folder = shutil.copytree(tiny, tmp_path / "broken")
    weights = folder / "model.safetensors"
    whole = weights.read_bytes()
    if content == "another shape":
        write(gpt2(**{**TINY, "n_embd": 32}), tmp_path / "narrow")
        shutil.copy(tmp_path / "narrow" / "model.safetensors", weights)
    else:
        weights.write_bytes(
            {"empty": b"", "random": whole[-5000:], "half": whole[: len(whole) // 2]}[content]
        )
    in_process.setenv("GPT2_TEACH_CHECKPOINT", str(folder))
    (finding,) = trained_model.checkpoint()
    assert finding.state == "fault"
    assert f"GPT2_TEACH_CHECKPOINT={str(folder)!r}: transformers cannot load it" in finding.what


# ---- the command


def report(*flags: str, cwd: Path = ROOT, **variables: str) -> tuple[int, str]:
    """Return the exit code and the output of the command with these variables set."""
    done = subprocess.run(
        [sys.executable, *flags, "-m", "gpt2_teach.doctor"],
        env=environment(**{"PYTHONPATH": str(ROOT), **variables}),
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_without_a_hub_the_chapters_run_with_a_stand_in(tmp_path: Path) -> None:
    code, output = report(HF_HOME=str(tmp_path), HF_HUB_OFFLINE="1")
    assert code == 0
    assert "HF_HUB_OFFLINE is set" in output
    assert "stand-in" in output
    code, output = report(HF_HOME=str(tmp_path), HF_ENDPOINT=NOWHERE)
    assert code == 0
    assert f"the connection to {NOWHERE} failed" in output


def test_a_folder_without_a_checkpoint_is_a_fault(tmp_path: Path) -> None:
    code, output = report(GPT2_TEACH_CHECKPOINT=str(tmp_path))
    assert code == 1
    assert f"the folder {tmp_path} has no config.json" in output
    assert "Faults to fix before the chapters run: 1" in output


@pytest.mark.parametrize("alone", [False, True])
def test_without_installed_packages_it_reports_them_and_continues(tmp_path: Path, alone: bool) -> None:
    book = tmp_path / "book"
    shutil.copytree(ROOT / "gpt2_teach", book / "gpt2_teach", ignore=shutil.ignore_patterns("__pycache__"))
    for file in () if alone else ("pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / file, book)
    code, output = report("-S", cwd=book, PYTHONPATH="")  # -S: without what is installed
    assert code == 1
    assert "FAULT gpt2-teach is not installed" in output
    assert "memory" in output
    if alone:
        assert "packages: not checked" in output
    else:
        assert "FAULT torch is missing" in output
        assert output.count(f"in the folder {book}: {sys.executable} -m pip install -r requirements.txt") == 1
        assert "the checkpoint: not checked, needs torch" in output
