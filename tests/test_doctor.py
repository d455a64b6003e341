"""`make doctor`: what it finds, in words, on machines that lack one thing or another."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from gpt2_teach.checkpoint import at_hand
from gpt2_teach.checkpoint.load import DEFAULT_NAME, DEFAULT_REVISION
from gpt2_teach.doctor import findings, machine, software, trained
from gpt2_teach.doctor.__main__ import LOOKS, examine
from gpt2_teach.doctor.findings import Finding
from tests.checkpoint import fake_hub as hub_of_tests
from tests.checkpoint.fake_hub import Fault, fake_hub
from tests.checkpoint.gpt2_files import TINY, gpt2, write
from tests.small_books import ROOT, environment

NAME = "someone/gpt2-tiny"
NOWHERE = "http://127.0.0.1:9"  # the discard port, where nothing listens


def states(found: list[Finding]) -> list[str]:
    return [finding.state for finding in found]


def without(monkeypatch: pytest.MonkeyPatch, *missing: str, **others: str) -> None:
    """As if these packages were missing, and others of another version."""
    real = importlib.metadata.distribution

    def version(name: str) -> str:
        if name in missing:
            raise importlib.metadata.PackageNotFoundError(name)
        return others.get(name) or real(name).version

    monkeypatch.setattr(importlib.metadata, "version", version)


# ---- software and machine


def test_here_everything_needed_is_found() -> None:
    for subject, look, _ in LOOKS[:-1]:
        found = list(look())
        assert found, subject
        assert set(states(found)) == {"ok"}, found


def test_an_old_python_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    (finding,) = software.python()
    assert finding.state == "fault"
    assert "3.9.2 is too old" in finding.what


def test_all_missing_and_wrong_packages_are_mended_by_one_command_with_the_pins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "tabulate", transformers="5.14.1")
    faults = [finding for finding in software.packages() if finding.state == "fault"]
    assert [finding.what for finding in faults] == [
        "tabulate is missing",
        "transformers is 5.14.1, not >=5.15",
    ]
    assert [finding.advice for finding in faults] == [
        "",
        f"in the folder {ROOT}: {sys.executable} -m pip install -r requirements.txt",
    ]


def test_where_the_book_is_not_the_command_names_what_the_package_asks_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(findings, "BESIDE", tmp_path)
    without(monkeypatch, "tabulate", transformers="5.14.1")
    *_, finding = software.packages()
    assert finding.advice == f"{sys.executable} -m pip install 'tabulate>=0.9' 'transformers>=5.15'"


def test_a_missing_kernel_is_a_fault_and_nothing_to_open_notebooks_with_is_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "ipykernel", "jupyterlab", "notebook")
    *_, finding = software.packages()
    assert finding.what == "ipykernel is missing, and without it a notebook has no kernel"
    assert states(list(software.notebooks())) == ["note"]
    without(monkeypatch, "jupyterlab", notebook="7.4.0")
    assert list(software.notebooks()) == [Finding("ok", "notebook 7.4.0")]


def test_without_torch_there_is_one_fault_and_what_takes_it_is_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without(monkeypatch, "torch")
    found = list(examine())
    assert [finding.what for finding in found if finding.state == "fault"] == ["torch is missing"]
    assert [finding.what for finding in found if finding.state == "skip"] == [
        "PyTorch: not looked at, since that takes torch",
        "the checkpoint: not looked at, since that takes torch",
    ]


def test_a_torch_that_crashes_or_hangs_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    crashed = subprocess.CompletedProcess[str]([], -11, "", "")
    monkeypatch.setattr(software, "run", lambda *code, seconds: crashed)
    (finding,) = software.torch_works()
    assert finding.what == "PyTorch does not work here: it crashed (exit code -11)"
    assert finding.lacks == "torch"
    monkeypatch.setattr(software, "run", lambda *code, seconds: None)
    assert states(list(software.torch_works())) == ["fault"]


def test_little_memory_is_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.os, "sysconf", lambda name: 1 << 9 if name == "SC_PAGE_SIZE" else 1 << 22)
    (finding,) = machine.memory()
    assert finding.state == "note"
    assert "2.1 GB" in finding.what


def test_a_cache_that_cannot_be_written_is_a_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(**keywords: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setenv("HF_HOME", str(tmp_path / "none" / "yet"))
    monkeypatch.setattr(machine.tempfile, "TemporaryFile", refuse)
    (finding,) = machine.folders()
    assert finding == Finding(
        "note",
        f"{tmp_path} cannot be written (Permission denied)",
        "set HF_HOME to a folder that can be written",
    )


@pytest.mark.parametrize("below", ["", "deeper"])
def test_a_cache_that_is_a_file_is_a_note(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, below: str
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("HF_HOME", str(file / below))
    (finding,) = machine.folders()
    assert (finding.state, finding.what.partition(",")[0]) == ("note", f"{file} is a file")


# ---- the checkpoint


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a tiny GPT-2."""
    return write(gpt2(**TINY), tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def set_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An empty cache, and no Hub."""
    for name in hub_of_tests.variables_of_this_machine():
        monkeypatch.delenv(name)
    for name, value in hub_of_tests.environment(NOWHERE, tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return monkeypatch


@pytest.fixture
def here(set_up: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> pytest.MonkeyPatch:
    """Folders are loaded in this very process, which has transformers imported once."""

    def run(*arguments: str, seconds: float) -> subprocess.CompletedProcess[str]:
        at_hand.main(*arguments[2:])
        return subprocess.CompletedProcess(arguments, 0, capsys.readouterr().out, "")

    set_up.setattr(trained, "run", run)
    return set_up


def asked(set_up: pytest.MonkeyPatch, folder: Path | None, fault: Fault = "", name: str = NAME) -> Finding:
    """What is found of NAME where a Hub serves `folder` under `name`."""
    set_up.setenv("GPT2_TEACH_CHECKPOINT", NAME)
    with fake_hub({name: {"main": folder}} if folder else {}, fault) as server:
        set_up.setenv("HF_ENDPOINT", server.endpoint)
        (finding,) = trained.checkpoint()
        assert not [
            question for question in server.asked if question.startswith("GET") and "model" in question
        ]
    return finding


def test_a_model_of_the_hub_is_found_and_not_fetched(set_up: pytest.MonkeyPatch, tiny: Path) -> None:
    finding = asked(set_up, tiny)
    assert finding.state == "ok"
    assert f"{NAME} can be downloaded from http://127.0.0.1:" in finding.what


def test_a_name_that_the_hub_does_not_know_is_a_fault(set_up: pytest.MonkeyPatch) -> None:
    finding = asked(set_up, None)
    assert finding.state == "fault"
    assert f"GPT2_TEACH_CHECKPOINT={NAME!r}: {NAME} is not known to http" in finding.what
    assert finding.what.endswith("or is private (HTTP 401)")
    assert finding.advice == "mend or unset GPT2_TEACH_CHECKPOINT"


def test_a_model_of_the_hub_without_safetensors_or_of_another_kind_is_a_fault(
    set_up: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "gpt2"}')
    finding = asked(set_up, tmp_path)
    assert finding.state == "fault"
    assert finding.what.endswith(f"{NAME} has no model.safetensors, and no other format is read")
    shutil.rmtree(tmp_path / "home")  # where its config.json was kept
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    finding = asked(set_up, tmp_path)
    assert finding.state == "fault"
    assert finding.what.endswith(f"{NAME} is no GPT-2: its config.json says model_type 'bert'")


@pytest.mark.parametrize("fault", ["nonsense", "portal"])
def test_what_is_no_hub_leaves_a_stand_in(set_up: pytest.MonkeyPatch, tiny: Path, fault: Fault) -> None:
    finding = asked(set_up, tiny, fault)
    assert finding.state == "note"
    assert finding.what.endswith("is not a Hub")
    assert "stand-in" in finding.advice


def test_a_default_that_a_mirror_lacks_is_a_fault_without_a_variable_that_is_not_set(
    set_up: pytest.MonkeyPatch,
) -> None:
    with fake_hub({}) as server:
        set_up.setenv("HF_ENDPOINT", server.endpoint)
        (finding,) = trained.checkpoint()
    assert finding.state == "fault"
    assert finding.what.startswith(f"the checkpoint: {DEFAULT_NAME} is not known to {server.endpoint}")
    assert finding.advice == f"see whether HF_ENDPOINT={server.endpoint} is meant"


def test_what_was_fetched_needs_no_hub(set_up: pytest.MonkeyPatch, tiny: Path) -> None:
    with fake_hub({DEFAULT_NAME: {DEFAULT_REVISION: tiny}}) as server:
        set_up.setenv("HF_ENDPOINT", server.endpoint)
        subprocess.run([sys.executable, "-m", "gpt2_teach.checkpoint.ahead"], check=True, capture_output=True)
    (finding,) = trained.checkpoint()
    assert finding.state == "ok"
    assert "no network is needed, and loads" in finding.what


def test_without_a_hub_where_no_stand_in_will_do_is_a_fault(set_up: pytest.MonkeyPatch) -> None:
    set_up.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    (finding,) = trained.checkpoint()
    assert finding.state == "fault"
    assert f"so no stand-in for {DEFAULT_NAME} will do. no good connection to {NOWHERE}" in finding.what
    set_up.setattr(trained, "HUB_SECONDS", 0.01)
    (finding,) = trained.checkpoint()
    assert finding.state == "fault"
    assert "the Hub did not answer in 0 seconds" in finding.what


def test_a_folder_that_loads_is_found_and_a_relative_one_is_a_note(
    here: pytest.MonkeyPatch, tiny: Path
) -> None:
    here.setenv("GPT2_TEACH_CHECKPOINT", str(tiny))
    assert list(trained.checkpoint()) == [Finding("ok", f"the checkpoint is the folder {tiny}, and loads")]
    here.chdir(tiny.parent)
    here.setenv("GPT2_TEACH_CHECKPOINT", tiny.name)
    note, found = trained.checkpoint()
    assert note.state == "note"
    assert "from where a notebook runs" in note.what
    assert note.advice == f"set it to {tiny}"
    assert found.state == "ok"


@pytest.mark.parametrize("content", ["empty", "random", "half", "another shape"])
def test_a_folder_whose_weights_do_not_load_is_a_fault(
    here: pytest.MonkeyPatch, tiny: Path, tmp_path: Path, content: str
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
    here.setenv("GPT2_TEACH_CHECKPOINT", str(folder))
    (finding,) = trained.checkpoint()
    assert finding.state == "fault"
    assert f"GPT2_TEACH_CHECKPOINT={str(folder)!r}: transformers cannot load it" in finding.what


# ---- the command


def report(*flags: str, cwd: Path = ROOT, **variables: str) -> tuple[int, str]:
    """What the command says with these variables set."""
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


def test_without_a_hub_the_chapters_run_and_it_says_on_what(tmp_path: Path) -> None:
    code, said = report(HF_HOME=str(tmp_path), HF_HUB_OFFLINE="1")
    assert code == 0
    assert "HF_HUB_OFFLINE is set" in said
    assert "stand-in" in said
    code, said = report(HF_HOME=str(tmp_path), HF_ENDPOINT=NOWHERE)
    assert code == 0
    assert f"no good connection to {NOWHERE}" in said


def test_a_checkpoint_that_is_none_is_a_fault(tmp_path: Path) -> None:
    code, said = report(GPT2_TEACH_CHECKPOINT=str(tmp_path))
    assert code == 1
    assert f"the folder {tmp_path} has no config.json" in said
    assert "To be mended before the chapters run: 1" in said


@pytest.mark.parametrize("alone", [False, True])
def test_where_nothing_is_installed_it_says_so_and_goes_on(tmp_path: Path, alone: bool) -> None:
    book = tmp_path / "book"
    shutil.copytree(ROOT / "gpt2_teach", book / "gpt2_teach", ignore=shutil.ignore_patterns("__pycache__"))
    for file in () if alone else ("pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / file, book)
    code, said = report("-S", cwd=book, PYTHONPATH="")  # -S: without what is installed
    assert code == 1
    assert "FAULT gpt2-teach is not installed" in said
    assert "memory" in said
    if alone:
        assert "packages: not looked at" in said
    else:
        assert "FAULT torch is missing" in said
        assert said.count(f"in the folder {book}: {sys.executable} -m pip install -r requirements.txt") == 1
        assert "the checkpoint: not looked at, since that takes torch" in said
