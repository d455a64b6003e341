"""An isolated folder for grading one submission: what its notebook needs, and no path to a solution.

This is not a security boundary: students' code runs with the rights of the instructor's account and can
search for the solutions elsewhere. But nothing that it is given (folder, arguments, variables, `sys.path`)
says where they are, and it gets none of the instructor's variables, such as tokens.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from assignments.course import PATH, ROOT

CONFIG = ROOT / "assignments" / "nbgrader_config.py"
INHERITED = "HOME LANG LC_ALL LC_CTYPE TZ TMPDIR LD_LIBRARY_PATH OMP_NUM_THREADS".split()
DATABASE = "gradebook.db"
VARIABLE = "GPT2_TEACH_COURSE"  # every process in the sandbox has it, with the sandbox's course as its value
NBGRADER_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "JUPYTER_PLATFORM_DIRS": "1",
    "JUPYTER_PREFER_ENV_PATH": "1",
    "PATH": PATH,
}
PIP = 'raise ImportError("packages cannot be installed or removed while a notebook is graded")\n'

# The kernel runs this first. An editable installation puts the root of the repository on sys.path. And `exit`
# would end the kernel, which would cost the points of all later tasks.
STARTUP = """
import os, sys


def _refuse_exit(*_):
    raise RuntimeError("exit and quit are disabled while a notebook is graded; only this cell stopped")


sys.path[:] = [path for path in sys.path if not os.path.isdir(os.path.join(path, "assignments", "source"))]
get_ipython().ask_exit = _refuse_exit
del os, sys, _refuse_exit
"""


@contextmanager
def sandbox(course: Path, problem_set: str) -> Iterator[Path]:
    """Make a temporary nbgrader course with the gradebook of `course` and the problem set's data files."""
    with tempfile.TemporaryDirectory(prefix="grading-", ignore_cleanup_errors=True) as folder:
        inside = Path(folder).resolve() / "course"
        released = course / "release" / problem_set
        shutil.copytree(released, inside / "source" / problem_set)
        shutil.copy(CONFIG, inside / CONFIG.name)
        (inside / DATABASE).symlink_to(course / DATABASE)
        caches = shutil.ignore_patterns("__pycache__")
        for package in ("explorable", "gpt2_teach"):
            shutil.copytree(ROOT / package, inside.parent / "package" / package, ignore=caches)
        startup = inside.parent / "ipython" / "profile_default" / "startup"
        startup.mkdir(parents=True)
        (startup / "sandbox.py").write_text(STARTUP, encoding="utf-8")
        (inside.parent / "package" / "pip.py").write_text(PIP, encoding="utf-8")
        try:
            yield inside
        finally:
            _kill_processes(inside)


def _kill_processes(inside: Path) -> None:
    """Kill what a notebook started and left running: every process with this sandbox's variable."""
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(VARIABLE) == str(inside):
                process.send_signal(signal.SIGKILL)


def sandbox_environment(inside: Path) -> dict[str, str]:
    """Return the environment variables of a process in the sandbox."""
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    # On a busy machine threads make tiny tensors ten times slower, and cells have a time limit.
    paths = {"IPYTHONDIR": str(inside.parent / "ipython"), "PYTHONPATH": str(inside.parent / "package")}
    own = {VARIABLE: str(inside), "PYTHONUTF8": "1"}
    return {"OMP_NUM_THREADS": "1"} | inherited | NBGRADER_ENVIRONMENT | paths | own
