"""Runs nbgrader commands, each in a process with limits that can be stopped."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from assignments.course import ROOT
from assignments.course.sandbox import CONFIG, NBGRADER_ENVIRONMENT, VARIABLE

_MAX_LOG = 1_000_000  # bytes kept of a command's output
_MARKER = "# Written by `make grade`"
_CONFIG = f"""{_MARKER}, which replaces this file. Delete this line to keep your own changes.
from pathlib import Path

c = get_config()
load_subconfig({str(CONFIG)!r})
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
"""


def run_nbgrader(
    *arguments: str,
    course: Path,
    seconds: float | None = None,
    memory: int | None = None,
    environment: dict[str, str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run `nbgrader ARGUMENTS` in the folder `course`; stdout and stderr are merged.

    `environment` replaces all variables. `memory` limits the bytes that each process, kernels included, can
    allocate. After `seconds` all of them are killed, and the return code is negative.
    """

    def limit() -> None:
        if memory is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))

    command = [sys.executable, "-m", "nbgrader", *arguments]
    default = os.environ | NBGRADER_ENVIRONMENT | {VARIABLE: str(course), "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryFile() as log:  # any process that a student forked would keep a pipe open
        process = subprocess.Popen(
            command,
            cwd=course,
            env=environment or default,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=limit,
        )
        try:
            process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            _kill(process)
            process.wait()
        except BaseException:
            _kill(process)
            raise
        log.seek(0)
        output = log.read(_MAX_LOG).decode("utf-8", errors="replace")
    return subprocess.CompletedProcess(command, process.returncode, output)


def write_config(course: Path) -> None:
    """Make every nbgrader command in the folder `course` use that course, also when run by hand."""
    config = course / CONFIG.name
    if not config.exists() or config.read_text(encoding="utf-8").startswith(_MARKER):
        config.write_text(_CONFIG, encoding="utf-8")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and the kernels that it started."""
    import psutil

    try:
        children = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        children = []
    for pid in [process.pid, *(child.pid for child in children)]:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
