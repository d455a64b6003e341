"""`make doctor`: what it finds, in words, on machines that lack one thing or another."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from gpt2_teach import doctor
from gpt2_teach.doctor import Finding
from tests.small_books import ROOT, environment


def states(findings: list[Finding]) -> list[str]:
    return [finding.state for finding in findings]


def test_here_everything_needed_is_found() -> None:
    for check in (doctor.python, doctor.packages, doctor.torch_works, doctor.memory, doctor.folders):
        found = list(check())
        assert found, check
        assert set(states(found)) == {"ok"}, found


def test_an_old_python_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    (finding,) = doctor.python()
    assert finding.state == "fault"
    assert "3.9.2 is too old" in finding.what


def test_missing_and_wrong_packages_are_faults_with_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.metadata.version

    def version(name: str) -> str:
        if name == "tabulate":
            raise importlib.metadata.PackageNotFoundError(name)
        return "5.14.1" if name == "transformers" else real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    faults = [finding for finding in doctor.packages() if finding.state == "fault"]
    assert [finding.what for finding in faults] == [
        "tabulate is missing",
        "transformers is 5.14.1, not >=5.15",
    ]
    assert faults[1].advice == f"{sys.executable} -m pip install 'transformers>=5.15'"


def test_a_torch_that_crashes_or_hangs_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    crashed = subprocess.CompletedProcess[str]([], -11, "", "")
    monkeypatch.setattr(doctor, "_run", lambda code, seconds: crashed)
    assert [finding.what for finding in doctor.torch_works()] == ["PyTorch does not work here: it crashed"]
    monkeypatch.setattr(doctor, "_run", lambda code, seconds: None)
    assert states(list(doctor.torch_works())) == ["fault"]


def test_little_memory_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor.os, "sysconf", lambda name: 1 << 9 if name == "SC_PAGE_SIZE" else 1 << 22)
    (finding,) = doctor.memory()
    assert finding.state == "note"
    assert "2.1 GB" in finding.what


def test_a_cache_that_cannot_be_written_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(**keywords: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv("HF_HOME", str(tmp_path / "none" / "yet"))
    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    (finding,) = doctor.folders()
    assert finding == Finding(
        "note", f"{tmp_path} cannot be written (Permission denied)", "set HF_HOME to a folder that can be"
    )


def report(**variables: str) -> tuple[int, str]:
    """What the command says with these variables set."""
    done = subprocess.run(
        [sys.executable, "-m", "gpt2_teach.doctor"],
        env=environment(PYTHONPATH=str(ROOT), **variables),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_without_a_hub_the_chapters_run_and_it_says_on_what(tmp_path: Path) -> None:
    code, said = report(HF_HOME=str(tmp_path), HF_HUB_OFFLINE="1")
    assert code == 0
    assert "HF_HUB_OFFLINE is set" in said
    assert "stand-in" in said
    code, said = report(HF_HOME=str(tmp_path), HF_ENDPOINT="http://127.0.0.1:9")
    assert code == 0
    assert "cannot be had from http://127.0.0.1:9" in said


def test_a_checkpoint_that_is_none_is_a_fault(tmp_path: Path) -> None:
    code, said = report(GPT2_TEACH_CHECKPOINT=str(tmp_path))
    assert code == 1
    assert f"the folder {tmp_path} has no config.json" in said
    assert "To be mended before the chapters run: 1" in said
