"""The first cell of a chapter that may be opened without the package beside it: on Colab, or downloaded.

It stands in no notebook of the source, for it names the address that the package is published at.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from address import Address

NAME = "setup"  # the cell's id
SETUP = """\
# Opened alone, on Colab for example, this notebook needs the book's package. PyTorch stays as it is.
import importlib.util, subprocess, sys

if importlib.util.find_spec("explorable") is None:
    from importlib.metadata import version

    torch = [f"torch=={version('torch')}"] if importlib.util.find_spec("torch") else []
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *torch, "PACKAGE"], check=True)
    importlib.invalidate_caches()"""


def add_setup(chapter: Path, address: Address) -> None:
    """Put the cell before all others of a notebook, unless it is there; the book does not show it."""
    notebook = nbformat.read(chapter, as_version=4)
    if notebook.cells and notebook.cells[0].get("id") == NAME:
        return
    source = SETUP.replace("PACKAGE", address.package)
    metadata = {"tags": ["remove-cell"]}
    notebook.cells.insert(0, nbformat.v4.new_code_cell(source, id=NAME, metadata=metadata))
    nbformat.write(notebook, chapter)
