"""The environment that `make` sets up, with one tiny package instead of the real ones."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.small_books import ROOT, environment

WHEEL = {
    "tiny.py": "x = 1\n",
    "tiny-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
    "tiny-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    "tiny-1.0.dist-info/RECORD": "tiny.py,,\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with our Makefile whose only requirement is a local wheel: nothing is downloaded."""
    folder = tmp_path / "a folder"
    for part in ("tests", "assignments"):
        (folder / part).mkdir(parents=True)
        (folder / part / "requirements.txt").write_text("# nothing more\n", encoding="utf-8")
    for name in ("Makefile", "pyproject.toml", "tests/tests.mk", "assignments/assignments.mk"):
        shutil.copy2(ROOT / name, folder / name)
    with zipfile.ZipFile(folder / "tiny-1.0-py3-none-any.whl", "w") as wheel:
        for name, text in WHEEL.items():
            wheel.writestr(name, text)
    (folder / "requirements.txt").write_text("./tiny-1.0-py3-none-any.whl\n", encoding="utf-8")
    (folder / "requirements.lock").write_text("", encoding="utf-8")
    return folder


def make(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `make` in the folder with the Python that runs this test."""
    return subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env=environment(**({"PYTHON": f"'{sys.executable}'"} | env), PIP_NO_INDEX="1"),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def set_up(folder: Path) -> str:
    """Set up the environment; return the output."""
    made = make(folder, ".venv/book.stamp")
    assert made.returncode == 0, made.stdout + made.stderr
    run = subprocess.run([folder / ".venv/bin/python", "-c", "import tiny"], check=False)
    assert run.returncode == 0
    return made.stdout


def test_environment_is_created_once_and_updated_when_requirements_change(folder: Path) -> None:
    assert "Creating .venv" in set_up(folder)
    kept = folder / ".venv" / "kept"
    kept.touch()
    assert "tiny" not in set_up(folder)  # nothing to do

    later = (folder / ".venv" / "book.stamp").stat().st_mtime + 10
    os.utime(folder / "requirements.txt", (later, later))
    assert "tiny" not in set_up(folder)  # touched, not changed: pip does not run, so no network is needed

    with (folder / "requirements.txt").open("a", encoding="utf-8") as requirements:
        requirements.write("# another line\n")
    os.utime(folder / "requirements.txt", (later + 10, later + 10))
    assert "tiny" in set_up(folder)
    (folder / "requirements.lock").write_text("tiny==1.0\n", encoding="utf-8")
    os.utime(folder / "requirements.lock", (later + 20, later + 20))
    assert "tiny" in set_up(folder)
    assert kept.exists()  # updated in place, not recreated

    assert make(folder, ".venv/test.stamp").returncode == 0
    assert kept.exists()


def test_settings_of_the_linters_install_nothing(folder: Path) -> None:
    set_up(folder)
    pyproject = folder / "pyproject.toml"
    pyproject.write_text(pyproject.read_text(encoding="utf-8") + "\n# a comment\n", encoding="utf-8")
    later = (folder / ".venv" / "book.stamp").stat().st_mtime + 10
    os.utime(pyproject, (later, later))
    assert "tiny" not in set_up(folder)


@pytest.mark.parametrize("fault", ["interrupted", "moved", "python gone"])
def test_broken_environment_is_recreated(folder: Path, fault: str) -> None:
    set_up(folder)
    (folder / ".venv" / "leftover").touch()
    if fault == "interrupted":
        (folder / ".venv" / "installing").touch()
    elif fault == "moved":
        folder = folder.rename(folder.parent / "another folder")
    else:
        (folder / ".venv" / "bin" / "python").unlink()
    assert "Creating .venv" in set_up(folder)
    assert not (folder / ".venv" / "leftover").exists()


def test_failed_installation_is_not_marked_as_complete(folder: Path) -> None:
    good = (folder / "requirements.txt").read_text(encoding="utf-8")
    (folder / "requirements.txt").write_text("no-such-package==1.0\n", encoding="utf-8")
    for _ in range(2):
        assert make(folder, ".venv/book.stamp").returncode != 0
    (folder / "requirements.txt").write_text(good, encoding="utf-8")
    set_up(folder)


def test_if_pip_finds_no_version_the_environment_is_kept(folder: Path) -> None:
    set_up(folder)
    (folder / ".venv" / "kept").touch()
    good = (folder / "requirements.txt").read_text(encoding="utf-8")
    (folder / "requirements.txt").write_text(good + "no-such-package==1.0\n", encoding="utf-8")
    assert make(folder, ".venv/book.stamp").returncode != 0
    (folder / "requirements.txt").write_text(good, encoding="utf-8")
    assert "Creating .venv" not in set_up(folder)
    assert (folder / ".venv" / "kept").exists()


def test_if_pip_fails_halfway_the_environment_is_recreated(folder: Path) -> None:
    set_up(folder)
    (packages,) = (folder / ".venv" / "lib").glob("*/site-packages")
    halfway = f"import pathlib, sys; pathlib.Path({str(packages)!r}, 'half').touch(); sys.exit(1)"
    (packages / "pip" / "__main__.py").write_text(halfway, encoding="utf-8")
    (folder / "requirements.lock").write_text("# another\n", encoding="utf-8")
    assert make(folder, ".venv/book.stamp").returncode != 0
    assert "Creating .venv" in set_up(folder)


def test_the_lock_is_renewed_although_the_old_one_cannot_be_installed(folder: Path) -> None:
    name = "uv-1.0-py3-none-any.whl"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        main = "import sys\nopen('requirements.lock', 'w').write(sys.stdin.read() + ' '.join(sys.argv[1:]))\n"
        wheel.writestr("uv/__main__.py", main)
        wheel.writestr("uv-1.0.data/scripts/uv", "#!python\n")
        for member, text in WHEEL.items():
            if "dist-info" in member:
                text = text.replace("tiny.py,,\n", "").replace("tiny", "uv")
                wheel.writestr(member.replace("tiny", "uv"), text)
    (folder / "tests" / "requirements.txt").write_text("# tests\nuv==1.0  # a comment\n", encoding="utf-8")
    (folder / "requirements.txt").write_text("-e .\nno-such-package==2.0\n", encoding="utf-8")
    (folder / "requirements.lock").write_text("no-such-package==1.0\n", encoding="utf-8")
    made = make(folder, "lock", "UPGRADE=1", PIP_FIND_LINKS=".")
    assert made.returncode == 0, made.stderr
    lock = (folder / "requirements.lock").read_text(encoding="utf-8")
    assert lock.startswith("no-such-package==2.0\npip compile --quiet --universal")
    assert "--upgrade" in lock
    assert not (folder / ".venv").exists()
    (folder / name).unlink()
    assert make(folder, "lock", PIP_FIND_LINKS=".").returncode == 0  # uv is already installed


def test_two_makes_at_once_set_up_one_environment(folder: Path) -> None:
    running = [
        subprocess.Popen(
            ["make", ".venv/book.stamp"],
            cwd=folder,
            env=environment(PYTHON=f"'{sys.executable}'", PIP_NO_INDEX="1"),
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=300)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert sum("Creating .venv" in text for text in outputs) == 1


def test_python_that_is_too_old_or_missing_is_refused_by_name(folder: Path) -> None:
    floor = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"].removeprefix(
        ">="
    )
    old = folder / "old-python"
    old.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -c "import sys; sys.version_info = (3, 9, 1); $2"\n',
        encoding="utf-8",
    )
    old.chmod(old.stat().st_mode | stat.S_IXUSR)
    made = make(folder, "book", PYTHON="./old-python")
    assert made.returncode != 0
    assert f"./old-python is Python 3.9. This book needs Python {floor} or newer" in made.stderr
    assert not (folder / ".venv").exists()

    made = make(folder, "book", PYTHON="no-such-python")
    assert made.returncode != 0
    assert f"no-such-python does not run. This book needs Python {floor} or newer" in made.stderr


def test_an_invalid_environment_is_named(folder: Path) -> None:
    made = make(folder, "book", "ENV=/no such place")
    assert made.returncode != 0
    assert "ENV=/no such place is not an environment: it has no bin/python" in made.stderr
    assert "not an environment" not in make(folder, "-n", "doctor", f"ENV={sys.prefix}").stderr


def test_an_environment_that_make_did_not_create_is_left_alone(folder: Path) -> None:
    (folder / ".venv").mkdir()
    (folder / ".venv" / "mine").write_text("mine", encoding="utf-8")
    made = make(folder, ".venv/book.stamp")
    assert made.returncode != 0
    assert "remove it, or set ENV=.venv to use it as it is" in made.stderr
    assert (folder / ".venv" / "mine").read_text(encoding="utf-8") == "mine"


def test_the_doctor_looks_before_anything_is_installed(folder: Path) -> None:
    (folder / "gpt2_teach").mkdir()
    (folder / "gpt2_teach" / "__init__.py").touch()
    (folder / "gpt2_teach" / "doctor.py").write_text("print('looked')", encoding="utf-8")
    before, looked = make(folder, "doctor").stdout.splitlines()
    assert "run make lab or make book, which create .venv" in before  # the advice after it is for this Python
    assert looked == "looked"
    assert not (folder / ".venv").exists()


def test_an_invalid_date_is_named(folder: Path) -> None:
    made = make(folder, "book", SOURCE_DATE_EPOCH="yesterday")
    assert made.returncode != 0
    assert "SOURCE_DATE_EPOCH must be whole seconds since 1970, got yesterday" in made.stderr
    assert make(folder, SOURCE_DATE_EPOCH="1700000000").returncode == 0


def test_cpu_index_of_pytorch_is_used_only_on_request(folder: Path) -> None:
    show = ("--eval", "show: ; @echo '[$(strip $(PIP_INDEX))]'", "show")
    assert make(folder, *show).stdout.strip() == "[]"
    chosen = make(folder, "CPU_TORCH=1", *show).stdout.strip()
    assert chosen.startswith("[--extra-index-url https://")
    assert chosen.endswith("/whl/cpu]")


def test_help_lists_every_target(folder: Path) -> None:
    printed = make(folder).stdout
    for target in ("book", "test", "test-all", "lab", "bench", "lint", "clean", "help"):
        assert f"  make {target} " in printed
    for variable in ("BOOK_URL", "BOOK_REPOSITORY", "BOOK_BRANCH", "UPGRADE", "PS", "CPU_TORCH"):
        assert f"\n  {variable}=" in printed
    shutil.rmtree(folder / "tests")  # as in the folder that students get
    assert not {"pytest", "bench", "tests", "UPGRADE"} & set(re.findall(r"\w+", make(folder).stdout))
