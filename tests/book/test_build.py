"""`make book`: when it fails, when it executes notebooks again, and where it must work."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from execution_cache import outputs_key, prune, remove_if_corrupt

from explorable import BOOK_VARIABLE
from tests.small_books import Book, environment, small_book

OFFLINE = """
import fcntl, os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:  # kernels communicate over the loopback
    fcntl.ioctl(s, 0x8914, struct.pack("16sH14x", b"lo", 1 | 64))  # SIOCSIFFLAGS: up, running
os.execvp(sys.argv[1], sys.argv[1:])
"""
DEAD = {f"{kind}_proxy": "http://127.0.0.1:9" for kind in ("http", "https", "HTTP", "HTTPS")} | {
    "PIP_NO_INDEX": "1"
}


def executed(built: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the notebooks that a build executed."""
    return [
        Path(line.split(":")[0]).name for line in built.stdout.splitlines() if "Executed notebook" in line
    ]


def without_network() -> tuple[str, ...]:
    """Return a prefix that runs a command without a network except the loopback, if the system allows it."""
    prefix = ("unshare", "--map-root-user", "--net", sys.executable, "-c", OFFLINE)
    if shutil.which("unshare") is None:
        return ()
    trial = subprocess.run([*prefix, "true"], capture_output=True, check=False)
    return prefix if trial.returncode == 0 else ()


def test_toy_book_builds_and_shows_what_its_notebook_computed(toy: Book) -> None:
    built = toy.make("book")
    assert built.returncode == 0, built.stderr
    assert executed(built) == ["01_toy.ipynb"]
    assert "version 0." in toy.page()


def test_b2_a_failing_cell_fails_the_build_and_is_named(toy: Book) -> None:
    toy.notebook("def divide():\n    return 1 / 0", "divide()", name="01_toy")
    built = toy.make("book")
    assert built.returncode != 0
    assert "notebooks/01_toy.ipynb, cell 3 of 3 (id c2): ZeroDivisionError: division by zero" in built.stderr
    assert "return" in built.stderr  # the traceback, down to the line
    again = toy.make("book")
    assert again.returncode != 0  # it continues to fail


def test_b2_every_notebook_is_tried_before_the_build_fails(toy: Book) -> None:
    with (toy.root / "_toc.yml").open("a", encoding="utf-8") as toc:
        toc.write("  - file: notebooks/02_toy\n  - file: notebooks/03_toy\n")
    toy.notebook("1 / 0", name="01_toy")
    toy.notebook("'fine'", name="02_toy")
    toy.notebook("undefined", name="03_toy")
    built = toy.make("book")
    assert built.returncode != 0
    assert executed(built) == ["02_toy.ipynb"]
    assert "01_toy.ipynb, cell 2 of 2 (id c1): ZeroDivisionError" in built.stderr
    assert "03_toy.ipynb, cell 2 of 2 (id c1): NameError: name 'undefined' is not defined" in built.stderr


def test_b2_a_failing_cell_of_a_markdown_page_is_named_by_its_line(toy: Book) -> None:
    kernel = "kernelspec:\n  display_name: Python 3\n  name: python3"
    head = f"---\njupytext:\n  text_representation:\n    format_name: myst\n{kernel}\n---\n"
    page = f"{head}\n# A toy book\n\n```{{code-cell}} ipython3\nx = 1\nx / 0\n```\n"
    (toy.root / "book" / "intro.md").write_text(page, encoding="utf-8")
    built = toy.make("book")
    assert built.returncode != 0
    line = page.splitlines().index("x = 1") + 1
    assert f"book/intro.md, the cell at line {line}: ZeroDivisionError: division by zero" in built.stderr


def test_b2_a_plain_jupyter_book_build_fails_too(toy: Book) -> None:
    toy.notebook("1 / 0")
    command = [sys.executable, "-P", "-c", "from jupyter_book.cli.main import main; main()", "build", "."]
    built = subprocess.run(
        command, cwd=toy.root, env=environment(PYTHONPATH=str(toy.root)), capture_output=True, check=False
    )
    assert built.returncode != 0
    assert b"ZeroDivisionError" in built.stderr


def test_b2_an_exception_that_is_marked_as_intended_is_shown(toy: Book) -> None:
    path = toy.notebook("1 / 0")
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"][1]["metadata"]["tags"] = ["raises-exception"]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    built = toy.make("book")
    assert built.returncode == 0, built.stderr
    assert "ZeroDivisionError" in toy.page()


def test_b8_only_a_change_executes_again(toy: Book) -> None:
    assert executed(toy.make("book")) == ["01_toy.ipynb"]
    assert executed(toy.make("book")) == []

    source = toy.root / "gpt2_teach" / "__init__.py"
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace('__version__ = "0.', '__version__ = "7.'), encoding="utf-8")
    assert executed(toy.make("book")) == ["01_toy.ipynb"]
    assert "version 7." in toy.page()

    source.write_text(text, encoding="utf-8")  # restored: those outputs are still cached
    assert executed(toy.make("book")) == []
    assert "version 0." in toy.page()

    page = toy.root / "book" / "intro.md"
    page.write_text("# A toy book\n\nAnother sentence.\n", encoding="utf-8")
    assert executed(toy.make("book")) == []
    assert "Another sentence" in toy.page("book/intro")


def test_b8_the_key_follows_package_pins_and_settings(toy: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(toy.root))
    monkeypatch.delitem(sys.modules, "gpt2_teach", raising=False)
    monkeypatch.delitem(sys.modules, "explorable", raising=False)
    for name in ("GPT2_TEACH_CHECKPOINT", "GPT2_TEACH_REQUIRE_REAL", BOOK_VARIABLE):
        monkeypatch.delenv(name, raising=False)
    keys = [outputs_key(toy.root)]
    assert outputs_key(toy.root) == keys[0]

    monkeypatch.setenv(BOOK_VARIABLE, "1")  # does not affect outputs
    assert outputs_key(toy.root) == keys[0]

    for package in ("gpt2_teach", "explorable"):
        (toy.root / package / "new.py").write_text("x = 1\n", encoding="utf-8")
        keys.append(outputs_key(toy.root))
    monkeypatch.setenv("GPT2_TEACH_REQUIRE_REAL", "1")
    keys.append(outputs_key(toy.root))
    checkpoint = toy.root / "checkpoint"
    checkpoint.mkdir()
    monkeypatch.setenv("GPT2_TEACH_CHECKPOINT", str(checkpoint))
    keys.append(outputs_key(toy.root))
    (checkpoint / "model.safetensors").write_bytes(b"weights")
    keys.append(outputs_key(toy.root))
    with (toy.root / "requirements.txt").open("a", encoding="utf-8") as pins:
        pins.write("no-such-package==1.0\n")
    keys.append(outputs_key(toy.root))
    assert len(set(keys)) == len(keys)


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


def test_a_build_after_a_killed_one_is_complete(toy: Book) -> None:
    assert toy.make("book").returncode == 0
    # A killed build leaves its marker, and incomplete files.
    (toy.root / "_build" / ".unfinished").touch()
    for incomplete in (toy.root / "_build" / ".jupyter_cache").rglob("base.ipynb"):
        incomplete.write_text('{"cells": [', encoding="utf-8")
    page = toy.html / "notebooks" / "01_toy.html"
    page.write_text("<html><body>half a pa", encoding="utf-8")
    built = toy.make("book")
    assert built.returncode == 0, built.stderr
    assert executed(built) == ["01_toy.ipynb"]
    assert "version 0." in toy.page()


def test_a_warning_fails_every_build_until_it_is_fixed(toy: Book) -> None:
    page = toy.root / "book" / "intro.md"
    page.write_text("# A toy book\n\nSee [](nowhere.md).\n", encoding="utf-8")
    assert toy.make("book").returncode != 0
    assert toy.make("book").returncode != 0
    page.write_text("# A toy book\n\nSee nothing.\n", encoding="utf-8")
    assert toy.make("book").returncode == 0


def test_a_page_that_left_the_contents_leaves_the_site(toy: Book) -> None:
    toc = toy.root / "_toc.yml"
    text = toc.read_text(encoding="utf-8")
    toc.write_text(text + "  - file: book/old\n", encoding="utf-8")
    (toy.root / "book" / "old.md").write_text("# An old page\n", encoding="utf-8")
    assert toy.make("book").returncode == 0
    assert (toy.html / "book" / "old.html").is_file()
    toc.write_text(text, encoding="utf-8")
    assert toy.make("book").returncode == 0
    assert not (toy.html / "book" / "old.html").exists()
    assert (toy.html / "index.html").is_file()


def test_two_builds_at_once_wait_for_one_another(toy: Book) -> None:
    running = [
        subprocess.Popen(
            toy.command("book"),
            cwd=toy.root,
            env=environment(PYTHONPATH=str(toy.root)),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=300)[0] for process in running]
    assert [process.returncode for process in running] == [0, 0], "\n".join(outputs)
    assert sum("Executed notebook" in text for text in outputs) == 1
    assert "version 0." in toy.page()


def test_builds_in_a_path_with_a_space_without_git_and_in_the_c_locale(tmp_path: Path) -> None:
    book = small_book(tmp_path / "a path with spaces" / "toy")
    book.notebook("print('Σ 1/√N ≈', 0.1)")
    built = book.make("book", env={"LANG": "C", "LC_ALL": "C"})
    assert built.returncode == 0, built.stderr
    assert "Σ 1/√N ≈ 0.1" in book.page()
    assert not (book.root / ".git").exists()


def test_b4_builds_with_no_network(toy: Book) -> None:
    prefix = without_network()
    for expected in (["01_toy.ipynb"], []):
        built = toy.make("book", prefix=prefix, env=DEAD)
        assert built.returncode == 0, built.stderr
        assert executed(built) == expected


def test_b3_notebooks_run_in_an_empty_folder_and_know_that_there_will_be_no_kernel(toy: Book) -> None:
    toy.notebook("import os\nprint('files', os.listdir(), 'book', os.environ.get('EXPLORABLE_BOOK'))")
    assert toy.make("book").returncode == 0
    assert "files [] book 1" in toy.page()


def test_a_build_for_publishing_asks_for_the_real_checkpoint(toy: Book) -> None:
    toy.notebook("import os\nprint('real', os.environ.get('GPT2_TEACH_REQUIRE_REAL'))")
    assert toy.make("book").returncode == 0
    assert "real None" in toy.page()
    assert toy.make("book", "PUBLISH=1").returncode == 0
    assert "real 1" in toy.page()
