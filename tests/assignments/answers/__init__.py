"""Right and wrong answers to the tasks of the problem sets, in one file per problem set.

A file is a sequence of cells in the percent format. The header of a cell names the task, whether the answer
is right, and what it does:

    # %% walk | wrong | counts one step less
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

HEAD = re.compile(r"^# %% (?P<task>[\w-]+) \| (?P<verdict>right|wrong) \| (?P<description>.+)$", flags=re.M)


@dataclass(frozen=True)
class Answer:
    """An answer that a student could write into a solution cell."""

    task: str
    right: bool
    description: str
    source: str


def answers(problem_set: str) -> list[Answer]:
    """Return the answers to the tasks of a problem set, in the order of their file."""
    path = Path(__file__).with_name(problem_set.replace("-", "_") + ".py")
    text = path.read_text(encoding="utf-8")
    heads = list(HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        Answer(
            head["task"],
            head["verdict"] == "right",
            head["description"],
            text[head.end() : end].strip() + "\n",
        )
        for head, end in zip(heads, ends)
    ]
