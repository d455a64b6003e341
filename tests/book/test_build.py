"""`make book`: when it fails, when it executes notebooks again, and where it must work."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from execution_cache import outputs_key, prune, remove_if_corrupt

from tests.small_books import Book, executed, small_book

VERSION = "import gpt2_teach\nprint('version', gpt2_teach.__version__)"
SURROUNDINGS = "import os\nprint('files', os.listdir(), 'book', os.environ.get('EXPLORABLE_BOOK'))"
PLAIN_BUILD = "from jupyter_book.cli.main import main; main(['build', '.'])"
NO_NETWORK = """
import fcntl, os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:  # kernels communicate over the loopback
    fcntl.ioctl(s, 0x8914, struct.pack("16sH14x", b"lo", 1 | 64))  # SIOCSIFFLAGS: up, running
os.execvp(sys.argv[1], sys.argv[1:])
"""
DEAD = {f"{kind}_proxy": "http://127.0.0.1:9" for kind in ("http", "https", "HTTP", "HTTPS")}


def without_network() -> tuple[str, ...]:
    """Return a prefix that runs a command without a network except the loopback, if the system allows it."""
    prefix = ("unshare", "--map-root-user", "--net", sys.executable, "-c", NO_NETWORK)
    allowed = shutil.which("unshare") and subprocess.run([*prefix, "true"], capture_output=True, check=False)
    return prefix if allowed and allowed.returncode == 0 else ()


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A book that was built where everything is missing: network, git, home, a UTF-8 locale."""
    folder = tmp_path_factory.mktemp("build")
    (folder / "file").touch()
    made = small_book(folder / "a path with spaces" / "toy")
    path = made.notebook(VERSION, SURROUNDINGS, "print('Σ 1/√N ≈', 0.1)", "1 / 0")
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[-1].metadata.tags = ["raises-exception"]
    nbformat.write(notebook, path)
    with (made.root / "_toc.yml").open("a", encoding="utf-8") as toc:
        toc.write("  - file: book/old\n")
    (made.root / "book" / "old.md").write_text("# An old page\n", encoding="utf-8")
    home = str(folder / "file" / "home")  # not even root can write there
    ran = made.build(prefix=without_network(), HOME=home, LANG="C", LC_ALL="C", PIP_NO_INDEX="1", **DEAD)
    assert ran == ["01_toy.ipynb"]
    return made


def test_b4_builds_without_network_home_and_git_in_a_path_with_a_space(book: Book) -> None:
    assert "Σ 1/√N ≈ 0.1" in book.page()
    assert not (book.root / ".git").exists()


def test_b3_notebooks_run_in_an_empty_folder_and_know_that_there_will_be_no_kernel(book: Book) -> None:
    assert "files [] book 1" in book.page()


def test_b2_an_exception_that_is_marked_as_intended_is_shown(book: Book) -> None:
    assert "ZeroDivisionError" in book.page()


def test_b8_only_a_change_executes_again(book: Book) -> None:
    page, toc = book.root / "book" / "intro.md", book.root / "_toc.yml"
    page.write_text("# A toy book\n\nAnother sentence.\n", encoding="utf-8")
    toc.write_text(toc.read_text(encoding="utf-8").replace("  - file: book/old\n", ""), encoding="utf-8")
    assert book.build() == []
    assert "Another sentence" in book.page("book/intro")
    assert not (book.html / "book" / "old.html").exists()  # it left the contents, so it leaves the site

    source = book.root / "gpt2_teach" / "__init__.py"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace('__version__ = "0.', '__version__ = "7.'), encoding="utf-8")
    assert book.build() == ["01_toy.ipynb"]
    assert "version 7." in book.page()

    source.write_text(text, encoding="utf-8")  # restored: those outputs are still cached
    assert book.build() == []
    assert "version 0." in book.page()


def test_b8_the_key_follows_package_pins_and_settings(toy: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(toy.root))
    for package in ("gpt2_teach", "explorable"):
        monkeypatch.delitem(sys.modules, package, raising=False)
    for name in ("GPT2_TEACH_CHECKPOINT", "GPT2_TEACH_REQUIRE_REAL"):
        monkeypatch.delenv(name, raising=False)
    keys = [outputs_key(toy.root)]
    for unrelated in ("static/style.css", "sphinx_extension.py"):  # pages change, but no output
        with (toy.root / "explorable" / unrelated).open("a", encoding="utf-8") as file:
            file.write("\n")
    monkeypatch.setenv("EXPLORABLE_BOOK", "1")
    assert outputs_key(toy.root) == keys[0]

    for package in ("gpt2_teach", "explorable"):
        (toy.root / package / "new.py").write_text("x = 1\n", encoding="utf-8")
        keys.append(outputs_key(toy.root))
    monkeypatch.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    keys.append(outputs_key(toy.root))
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", str(toy.root / "notebooks"))
    keys.append(outputs_key(toy.root))
    (toy.root / "notebooks" / "model.safetensors").write_bytes(b"weights")
    keys.append(outputs_key(toy.root))
    with (toy.root / "requirements.txt").open("a", encoding="utf-8") as pins:
        pins.write("no-such-package==1.0\n")
    keys.append(outputs_key(toy.root))
    assert len(set(keys)) == len(keys)


def test_b2_every_notebook_is_tried_and_failing_cells_fail_the_build_by_name(toy: Book) -> None:
    with (toy.root / "_toc.yml").open("a", encoding="utf-8") as toc:
        toc.write("  - file: notebooks/02_toy\n")
    toy.notebook("def divide():\n    return 1 / 0", "divide()", name="01_toy")
    toy.notebook("'fine'", name="02_toy")
    head = "---\nfile_format: mystnb\nkernelspec: {name: python3, display_name: Python 3}\n---\n"
    page = f"{head}\n# A toy book\n\n```{{code-cell}} python3\nundefined\n```\n"
    (toy.root / "book" / "intro.md").write_text(page, encoding="utf-8")
    plain = (sys.executable, "-P", "-c", PLAIN_BUILD)  # without -W; ignores the command that follows
    for prefix, executes in ((plain, ["02_toy.ipynb"]), ((), [])):
        built = toy.make("book", prefix=prefix)
        assert built.returncode != 0
        assert executed(built.stdout) == executes
        assert "notebooks/01_toy.ipynb, cell 3 of 3 (id c2): ZeroDivisionError: division" in built.stderr
        assert "return" in built.stderr  # the traceback, down to the line
        assert "book/intro.md, cell 2 of 2" in built.stderr
        assert "NameError: name 'undefined'" in built.stderr


def test_old_and_corrupt_caches_are_removed(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / name).mkdir()
    prune(tmp_path, keep=3)
    assert len(list(tmp_path.iterdir())) == 3
    corrupt = tmp_path / "corrupt"
    corrupt.mkdir()
    (corrupt / "global.db").write_bytes(b"half a data base")
    remove_if_corrupt(corrupt)
    assert not corrupt.exists()


def test_after_incomplete_files_everything_is_built_again(book: Book) -> None:
    for incomplete in (book.root / "_build" / ".jupyter_cache").rglob("base.ipynb"):
        incomplete.write_text('{"cells": [', encoding="utf-8")
    (book.html / "notebooks" / "01_toy.html").write_text("<html><body>half a pa", encoding="utf-8")
    assert book.build() == ["01_toy.ipynb"]
    assert "version 0." in book.page()


def test_a_warning_fails_every_build(toy: Book) -> None:
    (toy.root / "book" / "intro.md").write_text("# A toy book\n\nSee [](nowhere.md).\n", encoding="utf-8")
    assert toy.make("book").returncode != 0
    assert toy.make("book").returncode != 0


def test_two_builds_at_once_wait_for_one_another(toy: Book) -> None:
    running = [toy.start("book") for _ in range(2)]
    outputs = [process.communicate(timeout=300) for process in running]
    assert [process.returncode for process in running] == [0, 0], outputs
    assert sum(len(executed(output)) for output, _ in outputs) == 1
    assert "version 0." in toy.page()
