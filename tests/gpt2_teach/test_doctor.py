"""Tests of `make doctor` on machines where something is missing or broken."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from gpt2_teach import doctor
from tests.gpt2_teach.checkpoint.gpt2_files import TINY, gpt2, write
from tests.small_books import ROOT, environment

Run = Callable[..., tuple[int, str]]  # variables -> exit code and output
NOWHERE = "http://127.0.0.1:9"  # the discard port, where nothing listens


def faults(findings: Iterable[doctor.Finding]) -> list[doctor.Finding]:
    return [finding for finding in findings if finding.state == "fault"]


def test_this_machine_has_everything_needed() -> None:
    found = [*doctor.check_software(), *doctor.check_torch(), *doctor.check_memory_and_disk()]
    assert {finding.state for finding in found} == {"ok"}, found


def test_old_missing_and_wrong_software_is_a_fault_with_a_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name in ("tabulate", "ipykernel"):
            raise importlib.metadata.PackageNotFoundError(name)
        return "5.14.1" if name == "transformers" else real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    python, missing, wrong, kernel = faults(doctor.check_software())
    assert "3.9.2 is too old" in python.what
    assert "tabulate is missing" in missing.what
    assert missing.advice.endswith("pip install -r requirements.txt")
    assert "5.14.1" in wrong.what
    assert ">=5.15" in wrong.what
    assert "ipykernel is missing" in kernel.what
    monkeypatch.setattr(doctor, "FOLDER", tmp_path)  # outside the book's folder
    assert faults(doctor.check_software())[2].advice.endswith("pip install 'transformers>=5.15'")


def test_a_torch_that_crashes_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("import os; os.abort()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (fault,) = faults(doctor.check_torch())
    assert "PyTorch does not work" in fault.what
    assert "--force-reinstall" in fault.advice


def test_little_memory_and_a_cache_that_cannot_be_written_are_notes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("HF_HOME", str(file / "deeper"))
    monkeypatch.setattr(doctor.os, "sysconf", lambda name: 2**9 if name == "SC_PAGE_SIZE" else 2**22)
    memory, disk = doctor.check_memory_and_disk()
    assert (memory.state, disk.state) == ("note", "note")
    assert "2.1 GB" in memory.what
    assert str(file) in disk.what
    assert "HF_HOME" in disk.advice


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs the command with variables set, and returns its exit code and output."""
    monkeypatch.setattr(doctor, "check_torch", list)  # in a child process, and tested above

    def run(**variables: str) -> tuple[int, str]:
        for name in ("GPT2_TEACH_CHECKPOINT", "GPT2_TEACH_REQUIRE_REAL", "HF_ENDPOINT", "HF_HUB_OFFLINE"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        return doctor.main(), capsys.readouterr().out

    return run


@pytest.mark.parametrize("required", ["", "1"])
def test_b4_without_a_hub_the_chapters_run_if_a_stand_in_is_allowed(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, required: str
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    code, output = run(HF_ENDPOINT=NOWHERE, GPT2_TEACH_REQUIRE_REAL=required)
    assert NOWHERE in output
    assert code == bool(required)
    assert "GPT2_TEACH_REQUIRE_REAL" in output if required else "labelled stand-in" in output


def test_a_folder_is_loaded_and_one_that_does_not_load_is_a_fault(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = write(gpt2(**TINY), tmp_path / "tiny")
    monkeypatch.chdir(tmp_path)
    code, output = run(GPT2_TEACH_CHECKPOINT="tiny")
    assert code == 0
    assert "can be loaded" in output
    assert f"set it to {folder}" in output  # notebooks run in another folder
    for file in ("model.safetensors", "config.json"):
        (folder / file).write_bytes(b"broken")
        code, output = run(GPT2_TEACH_CHECKPOINT=str(folder))
        assert code == 1
        assert str(folder) in output


@pytest.mark.parametrize("alone", [False, True])
def test_before_anything_is_installed_it_names_what_is_missing(tmp_path: Path, alone: bool) -> None:
    shutil.copytree(ROOT / "gpt2_teach", tmp_path / "gpt2_teach")
    for file in () if alone else ("pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / file, tmp_path)
    command = [sys.executable, "-S", "-m", "gpt2_teach.doctor"]  # -S: without what is installed
    done = subprocess.run(command, env=environment(), cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (1, "")
    assert "gpt2-teach is not installed" in done.stdout
    assert "memory" in done.stdout
    if not alone:
        assert "torch is missing" in done.stdout
        assert done.stdout.count("pip install -r requirements.txt") == 1
