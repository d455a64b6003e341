"""What is added to the students' folder where its address is known: links, and a cell that sets a chapter up.

A chapter that Colab opens comes alone, without the package beside it.
"""

from __future__ import annotations

from pathlib import Path

import nbformat
from address import INTRODUCTION, Address  # book/_ext

SETUP = """\
# Opened alone, on Colab for example, this notebook needs the book's package. PyTorch stays as it is.
import importlib.util, subprocess, sys

if importlib.util.find_spec("gpt2_teach") is None:
    from importlib.metadata import version

    torch = [f"torch=={version('torch')}"] if importlib.util.find_spec("torch") else []
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *torch, "PACKAGE"], check=True)
    importlib.invalidate_caches()"""


def add_setup(chapter: Path, address: Address) -> None:
    """Put the cell before all others of a notebook; the book does not show it."""
    notebook = nbformat.read(chapter, as_version=4)
    source = SETUP.replace("PACKAGE", address.package)
    metadata = {"tags": ["remove-cell"]}
    notebook.cells.insert(0, nbformat.v4.new_code_cell(source, id="setup", metadata=metadata))
    nbformat.write(notebook, chapter)


def links(address: Address, chapters: list[str]) -> str:
    """A paragraph of Markdown that opens the book elsewhere; `chapters` are paths from the folder's top."""
    found = [f"[Binder]({address.binder(INTRODUCTION)})"]
    if address.on_github:
        colab = ", ".join(
            f"[{number}]({address.colab(path)})" for number, path in enumerate(chapters, start=1)
        )
        found += [f"Colab (chapter {colab})", f"[Codespaces]({address.codespace()})"]
    return "Without installing anything: " + "; ".join(found) + "."
