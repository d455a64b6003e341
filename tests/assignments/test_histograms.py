"""The histograms of problem set 2 can be reproduced, and the checks agree with the script on the faults."""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpt2_teach import GPTConfig, build_gpt
from gpt2_teach.initialization import expected_std, initialization_table
from tests.assignments.tasks import HIDDEN, ROOT, notebook, tasks

PROBLEM_SET = "ps2-initialization"
FILE = ROOT / "assignments" / "source" / PROBLEM_SET / "histograms.npz"
PATH = ROOT / "assignments" / "make_histograms.py"
SCRIPT: dict[str, Any] = runpy.run_path(str(PATH))
MODELS = list(SCRIPT["models"]())  # (code, fault, blocks)


def test_the_script_reproduces_the_file(tmp_path: Path) -> None:
    subprocess.run([sys.executable, PATH, tmp_path / "again.npz"], check=True)
    values = [shape[0] * shape[1] if shape else 9 * SCRIPT["WIDTH"] for shape in SCRIPT["KINDS"].values()]
    with np.load(FILE) as file, np.load(tmp_path / "again.npz") as again:
        assert file.files == again.files
        for name in file.files:
            np.testing.assert_array_equal(file[name], again[name], err_msg=name)
        for code, _, blocks in MODELS:  # every value is counted
            assert file[code].sum(axis=1).tolist() == [*values[:2], *np.repeat(values[2:], blocks)], code
    assert FILE.stat().st_size < 100_000
    assert subprocess.run([sys.executable, PATH], capture_output=True, check=False).returncode != 0  # no FILE


def test_nothing_that_students_see_tells_a_models_fault() -> None:
    ordered = [list(SCRIPT["FAULTS"]).index(fault) for _, fault, _ in sorted(MODELS)]
    assert ordered != sorted(ordered)  # the codes are not in the order of the faults
    for fault in SCRIPT["FAULTS"]:
        depths = [blocks for _, named, blocks in MODELS if named == fault]
        assert len(depths) == len(set(depths)) == SCRIPT["COPIES"], fault
    (table,) = [cell.source for cell in notebook(PROBLEM_SET).cells if "| finding |" in cell.source]
    assert re.findall(r"^\| `([\w.-]+)` \|", table, flags=re.M) == list(SCRIPT["FAULTS"])
    for source in (*tasks(PROBLEM_SET)["diagnose-a"].given, table):
        assert not re.search(r'"[a-z][a-z2-9] [a-z][a-z2-9]"', source)


@pytest.mark.parametrize("letter", "abcd")
def test_hidden_checks_and_solutions_have_the_faults_of_the_script(letter: str) -> None:
    task = tasks(PROBLEM_SET)[f"diagnose-{letter}"]
    for source in (*HIDDEN.findall(task.checks), task.solution):
        (known,) = re.findall(r"^_codes = (\{.*?^\})", source, flags=re.M | re.S)
        found = {code: fault for fault, both in ast.literal_eval(known).items() for code in both.split()}
        assert found == {code: fault for code, fault, _ in MODELS}


def test_the_script_agrees_with_the_package_on_the_rule_and_on_pytorchs_defaults() -> None:
    config = GPTConfig(block_size=128, vocab_size=512, n_layer=1, n_head=1, n_embd=SCRIPT["WIDTH"])
    table = initialization_table(build_gpt(config, tie=None, init="pytorch", generator=0))
    rows = {row.kind: row for row in table if row.kind in SCRIPT["KINDS"]}
    for kind, shape in SCRIPT["KINDS"].items():
        if shape:
            assert SCRIPT["FAULTS"]["none"](kind, 3, 7) == pytest.approx(expected_std(kind, 7)), kind
            assert rows[kind].shape == shape
            error = 5 / (2 * np.prod(shape)) ** 0.5
            assert rows[kind].measured == pytest.approx(SCRIPT["FAULTS"]["pytorch"](kind, 0, 1), rel=error), (
                kind
            )
