"""A folder for grading one submission: what its notebook needs, and no path that leads to a solution.

Students' code is run with the rights of whoever grades, so a room is no wall: it can look for the solutions
elsewhere. But nothing that it is given (its folder, arguments, variables, `sys.path`) says where. And no
variable of the grader's own goes in, such as a token.
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
PASSED_ON = "HOME LANG LC_ALL LC_CTYPE TZ TMPDIR LD_LIBRARY_PATH OMP_NUM_THREADS".split()
DATABASE = "gradebook.db"
ROOM = "GPT2_TEACH_COURSE"  # the variable that names a room to all that runs in it
PIP = 'raise ImportError("no package is installed or removed while a notebook is graded")\n'

# Run by the kernel before anything else. An installation that points to a repository puts its root on
# sys.path; and `exit` would end the kernel, and with it the points of all other tasks.
STARTUP = """
import os, sys


def _stay(*_):
    raise RuntimeError("exit and quit end a notebook before it is done; here they end the cell")


sys.path[:] = [path for path in sys.path if not os.path.isdir(os.path.join(path, "assignments", "source"))]
get_ipython().ask_exit = _stay
del os, sys, _stay
"""


@contextmanager
def room(course: Path, problem_set: str) -> Iterator[Path]:
    """A course for nbgrader with the gradebook of `course`, data files, and nothing else; then it goes."""
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
        (startup / "room.py").write_text(STARTUP, encoding="utf-8")
        (inside.parent / "package" / "pip.py").write_text(PIP, encoding="utf-8")
        try:
            yield inside
        finally:
            _end_all(inside)


def _end_all(inside: Path) -> None:
    """Kill what a notebook started and left behind: all that has the variable of this room."""
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get(ROOM) == str(inside):
                process.send_signal(signal.SIGKILL)


def environment(inside: Path) -> dict[str, str]:
    """The variables of a process in a room."""
    passed = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    # on a busy machine, threads make tiny tensors ten times slower, and time counts here
    return (
        {"OMP_NUM_THREADS": "1"}
        | passed
        | {
            ROOM: str(inside),
            "HF_HUB_OFFLINE": "1",
            "IPYTHONDIR": str(inside.parent / "ipython"),
            "JUPYTER_PLATFORM_DIRS": "1",
            "JUPYTER_PREFER_ENV_PATH": "1",
            "PATH": PATH,
            "PYTHONPATH": str(inside.parent / "package"),
            "PYTHONUTF8": "1",
        }
    )
