"""The leak check: finds lines of solutions, hidden tests and rubrics in what students get.

Lines that a chapter teaches anyway are in taught_lines.yml, each with the file that teaches it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from bs4 import BeautifulSoup

from tests.assignments.tasks import HIDDEN, PROBLEM_SETS, ROOT, SOLUTION, notebook

MIN_SECRET = 12  # characters: a shorter line, such as `return total`, reveals nothing
RUBRIC = re.compile(r"=== BEGIN MARK SCHEME ===\n(.*?)=== END MARK SCHEME ===", flags=re.S)
TAUGHT = yaml.safe_load((ROOT / "tests" / "assignments" / "taught_lines.yml").read_text(encoding="utf-8"))
TEXT = {".html", ".js", ".json", ".ipynb", ".md", ".py", ".txt", ".css", ".svg", ".xml", ".yml", ".toml", ""}


def squeezed(text: str) -> str:
    """Remove white space, which differs wherever code is shown."""
    return "".join(text.split())


def secret_lines() -> Iterator[tuple[str, str]]:
    """Yield each line of a solution, hidden test or rubric, squeezed, with its problem set."""
    for name in PROBLEM_SETS:
        for cell in notebook(name).cells:
            regions = [match[2] for match in SOLUTION.finditer(cell.source)] + RUBRIC.findall(cell.source)
            regions += [
                region.partition("\n")[2].rpartition("\n")[0] for region in HIDDEN.findall(cell.source)
            ]
            for line in "\n".join(regions).splitlines():
                if len(squeezed(line)) >= MIN_SECRET:
                    yield squeezed(line), name


SECRETS = dict(secret_lines())
ALLOWED = {squeezed(line) for line in TAUGHT}


def leaks_in_file(name: str, content: bytes) -> list[str]:
    """Return a message for each secret line in a file, in its source or as a reader sees it."""
    text = content.decode("utf-8", errors="replace")
    forms = [text]
    if name.endswith(".html"):
        forms.append(BeautifulSoup(text, "html.parser").get_text())
    if name.endswith((".ipynb", ".json")):
        plain = re.sub(r"^\s*//.*", "", text, flags=re.M)  # comments in devcontainer.json
        forms.append("\n".join(strings_in(json.loads(plain))))
    shown = "\n".join(map(squeezed, forms))
    return [
        f"{name} shows {line} of {task}"
        for line, task in SECRETS.items()
        if line in shown and line not in ALLOWED
    ]


def strings_in(value: Any) -> Iterator[str]:
    """Yield the texts of a JSON value; a list of strings is one text."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        yield "".join(value)
    elif isinstance(value, list | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from strings_in(one)


def leaks_in_folder(folder: Path) -> list[str]:
    """Return the leaks in all text files of a folder."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in TEXT]
    assert files
    found = [leaks_in_file(path.relative_to(folder).as_posix(), path.read_bytes()) for path in files]
    return [leak for leaks in found for leak in leaks]
