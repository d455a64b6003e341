"""What README, CONTRIBUTING and the pages of the book name is there."""

from __future__ import annotations

import re

import pytest

from tests.small_books import ROOT
from tests.test_elsewhere import MAKEFILES, TARGETS

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "book/run.md", "book/teach.md"]
# What the commands make, what students have, and what is an example.
NOT_OURS = set(
    "openai-community/gpt2 _build/ _build/html _build/pdf _build/html/index.html notebooks/NN_topic.ipynb "
    ".venv/bin/python _build/release _build/release/problem_sets feedback/ grading/ "
    "problem_sets/ps2-initialization grades.csv upload/ solution/".split()
)
PATH = re.compile(r"`([\w.-]+/[\w./-]*|[\w.-]+\.(?:md|yml|yaml|toml|txt|cff|ipynb|py))`|\]\(([\w./-]+)\)")
COMMAND = re.compile(r"(?:^|`)make((?: [a-z][a-z-]*)+)((?: [A-Z_]+=\S+)*)", flags=re.M)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_named_exists(document: str) -> None:
    path = ROOT / document
    text = path.read_text(encoding="utf-8")
    named = {quoted or linked for quoted, linked in PATH.findall(text)} - NOT_OURS
    assert [name for name in named if not ((ROOT / name).exists() or (path.parent / name).exists())] == []
    commands = COMMAND.findall(text)
    assert {target for targets, _ in commands for target in targets.split()} <= TARGETS
    for variable in re.findall(r"([A-Z_]+)=", " ".join(variables for _, variables in commands)):
        assert re.search(rf"\b{variable}\b", MAKEFILES), variable


def test_readme_opens_with_the_two_commands() -> None:
    first = re.search(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.S)
    assert first
    assert re.findall(r"^make (\w+)", first[1], flags=re.M) == ["book", "test"]
