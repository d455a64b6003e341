"""The first cell of a chapter that may be opened without the package: on Colab, or downloaded.

It installs the package. The source notebooks do not contain it, because it names the repository's address.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from repository_address import Address

CELL_ID = "setup"
CELL_SOURCE = """\
# Opened alone, on Colab for example, this notebook needs the book's package. PyTorch stays as it is.
import importlib.util, subprocess, sys

if importlib.util.find_spec("explorable") is None:
    from importlib.metadata import version

    torch = [f"torch=={version('torch')}"] if importlib.util.find_spec("torch") else []
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *torch, "PACKAGE"], check=True)
    importlib.invalidate_caches()"""


def add_setup_cell(chapter: Path, address: Address) -> None:
    """Insert the cell at the start of a notebook that lacks it, with a tag that hides it in the book."""
    notebook = nbformat.read(chapter, as_version=4)
    if notebook.cells and notebook.cells[0].get("id") == CELL_ID:
        return
    source = CELL_SOURCE.replace("PACKAGE", address.package)
    metadata = {"tags": ["remove-cell"]}
    notebook.cells.insert(0, nbformat.v4.new_code_cell(source, id=CELL_ID, metadata=metadata))
    nbformat.write(notebook, chapter)
