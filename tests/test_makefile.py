"""The environment that `make` sets up, with one tiny package instead of the real ones."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.small_books import ROOT, environment

PARTS = "Makefile pyproject.toml tests/tests.mk assignments/assignments.mk".split()
CREATING = "Creating .venv"
# In place of pip: ends with half of the installation done, or kills the `make` that waits for it.
HALFWAY = "import pathlib, sys; pathlib.Path(sys.prefix, 'half').touch(); sys.exit(1)"
KILLED = "import os, signal; os.kill(os.getppid(), signal.SIGKILL)"


def write_wheel(folder: Path, name: str, files: dict[str, str]) -> None:
    """Write version 1.0 of a package, which installs without a network."""
    about = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        "WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        "RECORD": "".join(f"{path},,\n" for path in files),
    }
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as wheel:
        for path, text in (
            files | {f"{name}-1.0.dist-info/{path}": text for path, text in about.items()}
        ).items():
            wheel.writestr(path, text)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Set up a folder with our Makefile whose only requirement is a local wheel; return it and a copy."""
    place = tmp_path_factory.mktemp("make")
    folder, copy = place / "a folder", place / "copy"
    for name in PARTS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    for part in ("tests", "assignments"):
        (folder / part / "requirements.txt").write_text("# nothing more\n", encoding="utf-8")
    write_wheel(folder, "tiny", {"tiny.py": "x = 1\n"})
    (folder / "requirements.txt").write_text("./tiny-1.0-py3-none-any.whl\n", encoding="utf-8")
    (folder / "requirements.lock").write_text("", encoding="utf-8")
    running = [subprocess.Popen(**command(folder, ".venv/book.stamp")) for _ in range(2)]
    outputs = [process.communicate(timeout=300)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0], outputs
    assert sum(CREATING in text for text in outputs) == 1  # two at once set up one environment
    shutil.copytree(folder, copy, symlinks=True)
    return folder, copy


@pytest.fixture
def folder(prepared: tuple[Path, Path]) -> Path:
    """Return the folder as it is after its environment was set up."""
    folder, copy = prepared
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(copy, folder, symlinks=True)
    return folder


@pytest.fixture
def fresh(folder: Path) -> Path:
    """Return the folder without an environment."""
    shutil.rmtree(folder / ".venv")
    return folder


def command(folder: Path, *arguments: str, **env: str) -> dict[str, Any]:
    """Return what a process needs to run `make` in the folder, with the Python that runs this test."""
    variables = environment(**({"PYTHON": f"'{sys.executable}'"} | env), PIP_NO_INDEX="1")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return {"args": ["make", *arguments], "cwd": folder, "env": variables, **pipes}


def make(folder: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run `make` in the folder."""
    return subprocess.run(**command(folder, *arguments, **env), timeout=300, check=False)


def set_up(folder: Path) -> str:
    """Set up the environment; return the output."""
    made = make(folder, ".venv/book.stamp")
    assert made.returncode == 0, made.stdout + made.stderr
    subprocess.run([folder / ".venv/bin/python", "-c", "import tiny"], check=True)
    return made.stdout


def change(path: Path, text: str = "") -> None:
    """Append a text to a file, or only touch it; then it is newer than the environment."""
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    later = max(file.stat().st_mtime for file in (path, path.parent / ".venv/book.stamp")) + 10
    os.utime(path, (later, later))


def test_pip_runs_only_when_requirements_have_changed(folder: Path) -> None:
    (folder / ".venv" / "kept").touch()
    change(folder / "requirements.txt")  # touched, as by git: no network is needed
    change(folder / "pyproject.toml", "\n# settings of the linters\n")
    assert "tiny" not in set_up(folder)
    for name, text in (("requirements.txt", "# another line\n"), ("requirements.lock", "tiny==1.0\n")):
        change(folder / name, text)
        assert "tiny" in set_up(folder)
    assert make(folder, ".venv/test.stamp").returncode == 0
    assert (folder / ".venv" / "kept").exists()  # updated in place, not recreated


@pytest.mark.parametrize("fault", ["killed", "failed halfway", "moved", "python gone"])
def test_a_broken_environment_is_recreated(folder: Path, fault: str) -> None:
    (folder / ".venv" / "leftover").touch()
    if fault == "moved":
        folder = folder.rename(folder.parent / "another folder")
    elif fault == "python gone":
        (folder / ".venv" / "bin" / "python").unlink()
    else:
        (packages,) = (folder / ".venv" / "lib").glob("*/site-packages")
        (packages / "pip" / "__main__.py").write_text(
            KILLED if fault == "killed" else HALFWAY, encoding="utf-8"
        )
        change(folder / "requirements.lock", "# another\n")
        assert make(folder, ".venv/book.stamp").returncode != 0
    assert CREATING in set_up(folder)
    assert not (folder / ".venv" / "leftover").exists()
    shutil.rmtree(folder.parent / "another folder", ignore_errors=True)


def test_if_pip_finds_no_version_the_environment_is_kept(folder: Path) -> None:
    good = (folder / "requirements.txt").read_text(encoding="utf-8")
    change(folder / "requirements.txt", "no-such-package==1.0\n")
    for _ in range(2):
        assert make(folder, ".venv/book.stamp").returncode != 0
    (folder / "requirements.txt").write_text(good, encoding="utf-8")
    assert CREATING not in set_up(folder)


def test_the_lock_is_renewed_although_the_old_one_cannot_be_installed(fresh: Path) -> None:
    main = "import sys\nopen('requirements.lock', 'w').write(sys.stdin.read() + ' '.join(sys.argv[1:]))\n"
    write_wheel(fresh, "uv", {"uv/__main__.py": main, "uv-1.0.data/scripts/uv": "#!python\n"})
    (fresh / "tests" / "requirements.txt").write_text("# tests\nuv==1.0  # a comment\n", encoding="utf-8")
    (fresh / "requirements.txt").write_text("-e .\nno-such-package==2.0\n", encoding="utf-8")
    (fresh / "requirements.lock").write_text("no-such-package==1.0\n", encoding="utf-8")
    made = make(fresh, "lock", "UPGRADE=1", PIP_FIND_LINKS=".")
    assert made.returncode == 0, made.stderr
    lock = (fresh / "requirements.lock").read_text(encoding="utf-8")
    assert lock.startswith("no-such-package==2.0\npip compile ")
    assert "--upgrade" in lock
    assert not (fresh / ".venv").exists()


def test_what_cannot_work_is_refused_by_name(fresh: Path) -> None:
    old = fresh / "old-python"
    old.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "import sys; sys.version_info = (3, 9, 1); $2"\n')
    old.chmod(0o755)
    for arguments, named in (
        (["PYTHON=./old-python"], "./old-python is Python 3.9. This book needs Python 3."),
        (["PYTHON=no-such-python"], "no-such-python does not run. This book needs Python 3."),
        (["ENV=/no such place"], "ENV=/no such place is not an environment"),
        (
            ["SOURCE_DATE_EPOCH=yesterday"],
            "SOURCE_DATE_EPOCH must be whole seconds since 1970, got yesterday",
        ),
    ):
        made = make(fresh, "book", *arguments)
        assert made.returncode != 0
        assert named in made.stderr
        assert not (fresh / ".venv").exists()
    (fresh / ".venv").mkdir()
    (fresh / ".venv" / "mine").touch()
    made = make(fresh, ".venv/book.stamp")
    assert made.returncode != 0
    assert "remove it, or set ENV=.venv" in made.stderr
    assert (fresh / ".venv" / "mine").exists()  # an environment that make did not create


def test_the_doctor_looks_before_anything_is_installed(fresh: Path) -> None:
    (fresh / "gpt2_teach").mkdir()
    (fresh / "gpt2_teach" / "__init__.py").touch()
    (fresh / "gpt2_teach" / "doctor.py").write_text("print('looked')", encoding="utf-8")
    before, looked = make(fresh, "doctor").stdout.splitlines()
    assert "run make lab or make book, which create .venv" in before  # the advice after it is for this Python
    assert looked == "looked"
    assert not (fresh / ".venv").exists()


def test_cpu_index_of_pytorch_is_used_only_on_request(fresh: Path) -> None:
    assert "whl/cpu" not in make(fresh, "-n", "install").stdout
    assert "--extra-index-url https://" in make(fresh, "-n", "install", "CPU_TORCH=1").stdout


def test_help_lists_every_target_and_option_that_is_there(fresh: Path) -> None:
    printed = make(fresh).stdout
    for target in ("book", "test", "test-all", "lab", "bench", "lint", "clean", "help"):
        assert f"  make {target} " in printed
    for variable in ("BOOK_URL", "BOOK_REPOSITORY", "BOOK_BRANCH", "UPGRADE", "PS", "CPU_TORCH"):
        assert f"\n  {variable}=" in printed
    shutil.rmtree(fresh / "tests")  # as in the folder that students get
    assert not {"pytest", "bench", "tests", "UPGRADE"} & set(re.findall(r"\w+", make(fresh).stdout))
