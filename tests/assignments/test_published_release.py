"""A published release links to itself, and a chapter opened alone installs the package."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import pytest

from tests.book.test_launch import path_in_tree
from tests.small_books import ROOT, Book, environment

ADDRESS = "https://github.com/owner/name"
NOWHERE = "http://127.0.0.1:9/nowhere"


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a release with a known address, as a git repository that can be served as files."""
    folder = tmp_path_factory.mktemp("published") / "folder"
    made = Book(ROOT).make("release", f"INTO={folder}", env={"BOOK_REPOSITORY": ADDRESS})
    assert made.returncode == 0, made.stderr
    assert f"for the branch release of {ADDRESS}" in made.stdout
    git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.invalid"]
    subprocess.run([*git, "init", "--quiet", "--initial-branch=release"], check=True)
    subprocess.run([*git, "add", "--all", "--force"], check=True)
    subprocess.run([*git, "commit", "--quiet", "-m", "release"], check=True)
    subprocess.run([*git, "update-server-info"], check=True)
    return folder


@pytest.fixture(scope="module")
def served(published: Path) -> Iterator[str]:
    """Serve that repository on this machine; return its address."""
    handler = partial(SimpleHTTPRequestHandler, directory=published)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/.git"
        server.shutdown()


def setup_cell(chapter: Path) -> str:
    """Return the source of a notebook's first cell."""
    return str(nbformat.read(chapter, as_version=4).cells[0].source)


def test_b5_every_link_of_its_readme_names_a_published_file(published: Path) -> None:
    links = re.findall(r"\((https://[^)]*)\)", (published / "README.md").read_text(encoding="utf-8"))
    opened = [path for link in links if "owner/name" in link and (path := path_in_tree(link))]
    chapters = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    assert opened == ["book/intro.md", *chapters]
    assert [path for path in opened if not (published / path).is_file()] == []
    assert (published / "binder" / "postBuild").stat().st_mode & 0o111
    assert (published / ".devcontainer" / "devcontainer.json").is_file()


def test_the_source_tree_has_no_address() -> None:
    tracked = subprocess.run(
        ["git", "-C", ROOT, "grep", "-lE", "github.com/[a-z-]+/gpt2-teach"],
        check=False,
        capture_output=True,
        text=True,
    )
    assert tracked.stdout == ""
    for chapter in (ROOT / "notebooks").glob("*.ipynb"):
        assert "pip" not in setup_cell(chapter)


def run_alone(folder: Path, source: str, environment_of: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a cell in a folder with an environment that has everything except the package."""
    check = "\nimport gpt2_teach, torch\nprint(gpt2_teach.__file__, torch.__file__, sep='\\n')"
    return subprocess.run(
        [folder / "env" / "bin" / "python", "-c", source + check],
        cwd=folder,
        env=environment_of,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(os.name == "nt", reason="an environment has its programs in another folder on Windows")
def test_b6_a_chapter_alone_installs_the_package_once_and_keeps_torch(
    published: Path, served: str, tmp_path: Path
) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    # Everything installed here is available except the package, which a .pth file adds.
    packages = sysconfig.get_paths()["purelib"]
    available = environment(
        PYTHONPATH=packages, PIP_NO_BUILD_ISOLATION="0", PIP_NO_INDEX="1"
    )  # pip reads 0 as yes here
    for chapter in sorted((published / "notebooks").glob("*.ipynb")):
        source = setup_cell(chapter)
        assert f'"gpt2-teach @ git+{ADDRESS}@release"' in source
        done = run_alone(tmp_path, source.replace(ADDRESS, served), available)
        assert done.returncode == 0, done.stderr
        package, torch = done.stdout.splitlines()
        assert Path(package).is_relative_to(tmp_path / "env")
        assert Path(torch).is_relative_to(packages)  # the one that was installed before
        # Once installed, nothing is downloaded: nothing answers at this address.
        done = run_alone(tmp_path, source.replace(ADDRESS, NOWHERE), available)
        assert done.returncode == 0, done.stderr


def test_b6_the_cell_fails_if_the_package_cannot_be_installed(published: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    source = setup_cell(published / "notebooks" / "01_parameter_sharing.ipynb")
    done = run_alone(tmp_path, source.replace(ADDRESS, NOWHERE), environment(PIP_NO_INDEX="1"))
    assert done.returncode != 0
    assert NOWHERE in done.stderr
