"""What README and CONTRIBUTING name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.small_books import ROOT

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "book/run.md", "book/teach.md"]
NOT_OURS = {
    "openai-community/gpt2",
    "_build/",
    "_build/html",
    "_build/pdf",
    "_build/html/index.html",
    "notebooks/NN_topic.ipynb",
    # what the commands make, and what students have
    ".venv/bin/python",
    "_build/release",
    "_build/release/problem_sets",
    "feedback/",
    "grading/",
    "problem_sets/ps2-initialization",
    "grades.csv",
}
PATH = re.compile(r"`([\w.-]+/[\w./-]*|[\w.-]+\.(?:md|yml|yaml|toml|txt|cff|ipynb|py))`|\]\(([\w./-]+)\)")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_and_folder_that_is_named_exists(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    named = {quoted or linked for quoted, linked in PATH.findall(text)} - NOT_OURS
    here = ROOT / document
    missing = [
        name for name in sorted(named) if not ((ROOT / name).exists() or (here.parent / name).exists())
    ]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_target_and_variable_that_is_named_is_in_the_makefile(document: str) -> None:
    parts = [ROOT / "Makefile", *ROOT.glob("*/*.mk")]
    makefile = "".join(part.read_text(encoding="utf-8") for part in parts)
    text = (ROOT / document).read_text(encoding="utf-8")
    commands = re.findall(r"(?:^|`)make((?: [a-z][a-z-]*)+)((?: [A-Z_]+=\S+)*)", text, flags=re.M)
    assert commands
    for targets, variables in commands:
        for target in targets.split():
            assert re.search(rf"^{re.escape(target)}:", makefile, flags=re.M), target
        for variable in re.findall(r"([A-Z_]+)=", variables):
            assert re.search(rf"\b{variable}\b", makefile), variable


@pytest.mark.parametrize("page", sorted((ROOT / "book").glob("*.md")), ids=lambda page: page.name)
def test_every_block_of_code_says_its_language(page: Path) -> None:
    """Without one a page colours it as Python."""
    fences = re.findall(r"^ *```(.*)$", page.read_text(encoding="utf-8"), flags=re.M)
    assert all(fences[::2])


def test_readme_opens_with_the_two_commands() -> None:
    first = re.search(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)
    assert first
    assert re.findall(r"^make (\w+)", first.group(1), flags=re.M) == ["book", "test"]
