"""Tests of `make doctor` on machines where something is missing or broken."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from gpt2_teach import doctor
from tests.gpt2_teach.checkpoint.gpt2_files import TINY, gpt2, write
from tests.small_books import ROOT, environment

NOWHERE = "http://127.0.0.1:9"  # the discard port, where nothing listens


def faults(findings: Iterable[doctor.Finding]) -> list[str]:
    """Return what the faults among `findings` say, with their advice."""
    return [f"{what} -> {advice}" for state, what, advice in findings if state == "fault"]


def test_this_machine_has_everything_needed() -> None:
    found = [*doctor.check_software(), *doctor.check_memory_and_disk(), *doctor.check_torch()]
    assert {state for state, _, _ in found} == {"ok"}, found


def test_what_is_too_old_wrong_or_missing_is_a_fault_with_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.distribution

    def version(name: str) -> str:
        if name in ("tabulate", "ipykernel"):
            raise importlib.metadata.PackageNotFoundError(name)
        return "5.14.1" if name == "transformers" else real(name).version

    monkeypatch.setattr(importlib.metadata, "version", version)
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    old, missing, wrong, kernel = faults(doctor.check_software())
    assert "3.9.2" in old
    assert "tabulate is missing" in missing
    assert "pip install -r requirements.txt" in missing
    assert "5.14.1" in wrong
    assert ">=5.15" in wrong
    assert "ipykernel" in kernel
    monkeypatch.setattr(doctor, "FOLDER", Path("/nowhere"))
    assert "pip install 'transformers>=5.15'" in faults(doctor.check_software())[2]


def test_a_torch_that_crashes_is_a_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("import os; os.abort()")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (fault,) = faults(doctor.check_torch())
    assert "PyTorch does not work" in fault
    assert "--force-reinstall" in fault


def test_a_cache_that_cannot_be_written_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("HF_HOME", str(file / "deeper"))
    state, what, advice = list(doctor.check_memory_and_disk())[-1]
    assert state == "note"
    assert str(file) in what
    assert "HF_HOME" in advice


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
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def test_without_a_hub_the_chapters_run_with_a_stand_in_if_that_is_allowed(tmp_path: Path) -> None:
    code, output = report(HF_HOME=str(tmp_path), HF_ENDPOINT=NOWHERE)
    assert code == 0
    assert f"the connection to {NOWHERE} failed" in output
    assert "stand-in" in output
    code, output = report(HF_HOME=str(tmp_path), HF_HUB_OFFLINE="1", GPT2_TEACH_REQUIRE_REAL="1")
    assert code == 1
    assert "GPT2_TEACH_REQUIRE_REAL" in output


def test_a_folder_is_loaded_and_what_does_not_load_is_a_fault(tmp_path: Path) -> None:
    folder = write(gpt2(**TINY), tmp_path / "tiny")
    code, output = report(GPT2_TEACH_CHECKPOINT=str(folder))
    assert code == 0
    assert str(folder) in output
    (folder / "model.safetensors").write_bytes(b"broken")
    code, output = report(GPT2_TEACH_CHECKPOINT=str(folder))
    assert code == 1
    assert f"GPT2_TEACH_CHECKPOINT={str(folder)!r}" in output


def test_a_folder_without_a_checkpoint_is_a_fault(tmp_path: Path) -> None:
    code, output = report(GPT2_TEACH_CHECKPOINT=str(tmp_path))
    assert code == 1
    assert "no config.json" in output


def test_without_installed_packages_it_reports_them_and_continues(tmp_path: Path) -> None:
    book = tmp_path / "book"
    shutil.copytree(ROOT / "gpt2_teach", book / "gpt2_teach", ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / file, book)
    code, output = report("-S", cwd=book, PYTHONPATH="")  # -S: without what is installed
    assert code == 1
    assert "FAULT gpt2-teach is not installed" in output
    assert "FAULT torch is missing" in output
    assert "memory" in output
    assert output.count("pip install -r requirements.txt") == 1
