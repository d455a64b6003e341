"""Measures the peak memory of each notebook."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tests.bench.measuring import Line

ROOT = Path(__file__).resolve().parents[2]
MAX_GB = 1.5  # Binder guarantees 1 and kills at 2

# Prints the peak memory of its own process in bytes. On Linux, ru_maxrss includes the parent process.
PEAK = """
try:
    with open("/proc/self/status") as _status:
        print(next(int(line.split()[1]) * 1024 for line in _status if line.startswith("VmHWM")))
except OSError:
    import resource, sys
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024))
"""


def notebooks() -> Iterator[Line]:
    """Measure each notebook's peak resident memory, in a separate kernel and an empty folder."""
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells.append(nbformat.v4.new_code_cell(PEAK))
        with tempfile.TemporaryDirectory() as folder:
            metadata = {"metadata": {"path": folder}}
            client = NotebookClient(notebook, timeout=1200, kernel_name="python3", resources=metadata)
            client.extra_arguments = ["--log-level=ERROR"]
            client.execute()
        peak = int(notebook.cells[-1].outputs[0].text)
        yield Line(f"peak memory of {path.name}", "GB", peak, MAX_GB)
