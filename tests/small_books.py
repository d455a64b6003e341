"""Small books that build in seconds, in this very environment, as the book of this repository is built."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
TOY_PARTS = "Makefile _config.yml pyproject.toml requirements.txt requirements.lock README.md LICENSE".split()
LEAKY = re.compile("ARGS|M(AKE)?FLAGS|MAKE(LEVEL|OVERRIDES)|PYTHON(PATH|WARNINGS)|SOURCE_DATE_EPOCH|GPT2_.*")
TOY_FOLDERS = ("explorable", "gpt2_teach", "book/_ext", "book/_static", "book/cover")


def environment(**changes: str) -> dict[str, str]:
    """This process's environment, without what an outer `make` or a setting would leak into an inner one."""
    return {name: value for name, value in os.environ.items() if not LEAKY.fullmatch(name)} | changes


def executed(output: str) -> list[str]:
    """Return the notebooks that a build executed, from its output."""
    return [Path(path).name for path in re.findall(r"^(.*\.ipynb): Executed notebook", output, flags=re.M)]


@dataclass(frozen=True)
class Book:
    """A book's folder and what can be done with it by this very environment (nothing is installed)."""

    root: Path

    @property
    def html(self) -> Path:
        return self.root / "_build" / "html"

    def command(self, *targets: str) -> list[str]:
        return ["make", *targets, f"ENV={sys.prefix}"]

    def start(
        self, *targets: str, prefix: tuple[str, ...] = (), env: dict[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """Start `make` in this book, whose notebooks import the book's own copy of the package."""
        return subprocess.Popen(
            [*prefix, *self.command(*targets)],
            cwd=self.root,
            env=environment(PYTHONPATH=str(self.root), **(env or {})),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )

    def make(
        self, *targets: str, prefix: tuple[str, ...] = (), env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run `make` in this book."""
        process = self.start(*targets, prefix=prefix, env=env)
        output, errors = process.communicate(timeout=3000)
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def build(self, *arguments: str, prefix: tuple[str, ...] = (), **env: str) -> list[str]:
        """Run `make book`, which must succeed, and return the notebooks that it executed."""
        built = self.make("book", *arguments, prefix=prefix, env=env)
        assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
        return executed(built.stdout)

    def notebook(self, *sources: str, name: str = "01_toy") -> Path:
        """Write a notebook: a title, and a code cell for each source."""
        cells = [nbformat.v4.new_markdown_cell("# A toy chapter\n\nOne sentence.", id="c0")]
        cells += [nbformat.v4.new_code_cell(source, id=f"c{n}") for n, source in enumerate(sources, start=1)]
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        path = self.root / "notebooks" / f"{name}.ipynb"
        nbformat.write(notebook, path)
        return path

    def page(self, name: str = "notebooks/01_toy") -> str:
        """A built page's source."""
        return (self.html / f"{name}.html").read_text(encoding="utf-8")


def small_book(root: Path) -> Book:
    """A book of one page and one notebook with everything else as it is in this repository."""
    for folder in TOY_FOLDERS:
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for part in TOY_PARTS:
        shutil.copy2(ROOT / part, root / part)
    (root / "notebooks").mkdir()
    (root / "book" / "intro.md").write_text("# A toy book\n\nA sentence.\n", encoding="utf-8")
    (root / "book" / "references.bib").write_text("", encoding="utf-8")
    toc = "format: jb-book\nroot: book/intro\nchapters:\n  - file: notebooks/01_toy\n"
    (root / "_toc.yml").write_text(toc, encoding="utf-8")
    return Book(root)
