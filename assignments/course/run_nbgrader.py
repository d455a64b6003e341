"""Runs nbgrader's own commands, each in a process that can be limited and stopped."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from assignments.course import PATH, ROOT
from assignments.course.sandbox import CONFIG

_LOG = 1_000_000  # bytes of what a command says that are kept
_MARK = "# Written by `make grade`; without this line it is yours, and stays."
_CONFIG = f"""{_MARK}
from pathlib import Path

c = get_config()
load_subconfig({str(CONFIG)!r})
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
"""


def nbgrader(
    *arguments: str,
    course: Path,
    seconds: float | None = None,
    memory: int | None = None,
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `nbgrader ARGUMENTS` for the course in the folder `course`; stdout and stderr are joined.

    `environment` takes the place of all variables. `memory` bounds the bytes that each of its processes
    may ask for, kernels too; after `seconds` all of them are killed, and the return code is that of a
    killed process.
    """

    def limit() -> None:
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))

    command = [sys.executable, "-m", "nbgrader", *arguments]
    with tempfile.TemporaryFile() as said:  # a pipe would stay open as long as anything that a student forked
        process = subprocess.Popen(
            command,
            cwd=course,
            env=environment or _environment(course),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limit,
        )
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            stop(process)
            process.wait()
        except BaseException:
            stop(process)
            raise
        said.seek(0)
        output = said.read(_LOG).decode("utf-8", errors="replace")
    return subprocess.CompletedProcess(command, process.returncode, output)


def configure(course: Path) -> None:
    """Let every nbgrader command that is run in the folder `course`, by hand too, work on this course."""
    config = course / CONFIG.name
    if not config.exists() or config.read_text(encoding="utf-8").startswith(_MARK):
        config.write_text(_CONFIG, encoding="utf-8")


def _environment(course: Path) -> dict[str, str]:
    return os.environ | {
        "GPT2_TEACH_COURSE": str(course),
        "HF_HUB_OFFLINE": "1",
        "PATH": PATH,
        "PYTHONPATH": str(ROOT),
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_PLATFORM_DIRS": "1",
    }


def stop(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and the kernels that it started."""
    import psutil

    try:
        children = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        children = []
    for pid in [process.pid, *(child.pid for child in children)]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
