"""The histograms of problem set 2 can be reproduced, and the checks agree with the script on the faults."""

from __future__ import annotations

import ast
import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from gpt2_teach import GPTConfig, build_gpt
from gpt2_teach.initialization import expected_std, initialization_table
from tests.assignments.tasks import HIDDEN, ROOT, notebook, tasks

PROBLEM_SET = "ps2-initialization"
FILE = ROOT / "assignments" / "source" / PROBLEM_SET / "histograms.npz"
SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / "assignments" / "make_histograms.py"))
MODELS = list(SCRIPT["models"]())  # (code, fault, blocks)


def test_the_script_reproduces_the_file() -> None:
    again = SCRIPT["histograms"]()
    with np.load(FILE) as file:
        assert set(file.files) == set(again)
        for name in file.files:
            np.testing.assert_array_equal(file[name], again[name], err_msg=name)


def test_the_file_is_small_and_its_names_do_not_reveal_the_faults() -> None:
    assert FILE.stat().st_size < 100_000
    with np.load(FILE) as file:
        assert all(re.fullmatch(r"[a-z][a-z2-9](\.limits)?", name) for name in file.files)
    ordered = [fault for _, fault, _ in sorted(MODELS)]
    assert ordered != sorted(ordered, key=list(SCRIPT["FAULTS"]).index)  # not in order


def test_every_value_is_counted() -> None:
    values = [shape[0] * shape[1] if shape else 9 * SCRIPT["WIDTH"] for shape in SCRIPT["KINDS"].values()]
    with np.load(FILE) as file:
        for code, _, blocks in MODELS:
            expected = [*values[:2], *np.repeat(values[2:], blocks)]
            assert file[code].sum(axis=1).tolist() == expected, code


def test_each_fault_has_models_of_different_depth() -> None:
    for fault in SCRIPT["FAULTS"]:
        depths = [blocks for _, named, blocks in MODELS if named == fault]
        assert len(depths) == len(set(depths)) == SCRIPT["COPIES"], fault


@pytest.mark.parametrize("letter", "abcd")
def test_hidden_checks_and_solutions_have_the_faults_of_the_script(letter: str) -> None:
    task = tasks(PROBLEM_SET)[f"diagnose-{letter}"]
    hidden = HIDDEN.search(task.checks)
    assert hidden is not None
    truth = {code: fault for code, fault, _ in MODELS}
    for source in (hidden[0], task.solution):
        (known,) = re.findall(r"^_codes = (\{.*?^\})", source, flags=re.M | re.S)
        found = {code: fault for fault, both in ast.literal_eval(known).items() for code in both.split()}
        assert found == truth


def test_students_see_every_finding_and_no_model() -> None:
    seen = [cell.source for cell in notebook(PROBLEM_SET).cells]
    (table,) = [source for source in seen if "| finding |" in source]
    assert re.findall(r"^\| `([\w.-]+)` \|", table, flags=re.M) == list(SCRIPT["FAULTS"])
    for source in (*tasks(PROBLEM_SET)["diagnose-a"].given, table):
        assert not re.search(r'"[a-z][a-z2-9] [a-z][a-z2-9]"', source)


def test_the_script_agrees_with_the_package_on_the_rule_and_on_pytorchs_defaults() -> None:
    for kind in [kind for kind, shape in SCRIPT["KINDS"].items() if shape]:
        assert SCRIPT["FAULTS"]["none"](kind, 3, 7) == pytest.approx(expected_std(kind, 7)), kind
    config = GPTConfig(block_size=128, vocab_size=512, n_layer=1, n_head=1, n_embd=SCRIPT["WIDTH"])
    fresh = build_gpt(config, tie=None, init="pytorch", generator=0)
    for row in initialization_table(fresh):
        if row.kind in SCRIPT["KINDS"]:
            expected = SCRIPT["FAULTS"]["pytorch"](row.kind, 0, 1)
            assert row.measured == pytest.approx(expected, rel=5 / (2 * np.prod(row.shape)) ** 0.5), row.kind
            assert row.shape == SCRIPT["KINDS"][row.kind]
    parameters = fresh.named_parameters()
    biases = [p.detach() for name, p in parameters if name.endswith("bias") and "ln_" not in name]
    made = SCRIPT["biases"]("pytorch", 0, 1, np.random.default_rng(0))
    assert made.size == sum(bias.numel() for bias in biases)
    assert made.std() == pytest.approx(float(torch.cat(biases).std()), rel=0.2)


def test_the_command_writes_the_named_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = str(ROOT / "assignments" / "make_histograms.py")
    monkeypatch.setattr("sys.argv", [script, str(tmp_path / "again.npz")])
    runpy.run_path(script, run_name="__main__")
    with np.load(tmp_path / "again.npz") as again, np.load(FILE) as file:
        assert again.files == file.files
    monkeypatch.setattr("sys.argv", [script])
    with pytest.raises(SystemExit, match="usage"):
        runpy.run_path(script, run_name="__main__")
