"""How much memory each notebook takes at its peak."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from costs.costs_file import Line

from tests.bench.measuring import digits

ROOT = Path(__file__).resolve().parents[2]
MOST_GB = 1.5  # Binder ends what takes 2, and promises 1

# The peak of the process that runs it, in bytes. Linux's ru_maxrss also remembers the parent that started it.
PEAK = """
try:
    with open("/proc/self/status") as _status:
        print(next(int(line.split()[1]) * 1024 for line in _status if line.startswith("VmHWM")))
except OSError:
    import resource, sys
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""


def chapters() -> list[Path]:
    """The notebooks of the book."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def notebooks() -> Iterator[Line]:
    """Each in a kernel of its own and an empty folder; its peak of resident memory."""
    import nbformat
    from nbclient import NotebookClient

    for path in chapters():
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(nbformat.v4.new_code_cell(PEAK))
        with tempfile.TemporaryDirectory() as folder:
            metadata = {"metadata": {"path": folder}}
            client = NotebookClient(notebook, timeout=1200, kernel_name="python3", resources=metadata)
            client.extra_arguments = ["--log-level=ERROR"]
            client.execute()
        peak = int(notebook.cells[-1].outputs[0].text)
        yield Line(what=memory_of(path), unit="GB", ours=digits(peak / 1e9), target=MOST_GB)


def memory_of(path: Path) -> str:
    """What the line of a notebook is called."""
    return f"peak memory of {path.name}"
