"""What other services read: Binder's folder, the devcontainer, the workflows."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from repository_address import INTRODUCTION

from tests.small_books import ROOT
from tests.test_requirements import FLOOR

WORKFLOWS = {path.stem: path.read_text(encoding="utf-8") for path in ROOT.glob(".github/workflows/*.yml")}
MAKEFILES = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "Makefile", *ROOT.glob("*/*.mk")])
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", MAKEFILES, flags=re.M))


def targets_in(commands: str) -> set[str]:
    """Return the targets of `make` that commands ask for."""
    return set(re.findall(r"\bmake ([a-z][a-z-]*)", commands))


def jobs(workflow: str) -> dict[str, Any]:
    """Return the jobs of a workflow."""
    found: dict[str, Any] = yaml.safe_load(WORKFLOWS[workflow])["jobs"]
    return found


def test_binder_runs_the_oldest_python_and_opens_the_introduction() -> None:
    binder = ROOT / "binder"
    assert (binder / "runtime.txt").read_text(encoding="utf-8").strip() == f"python-{FLOOR}"
    assert os.access(binder / "postBuild", os.X_OK)
    script = (binder / "postBuild").read_text(encoding="utf-8")
    assert targets_in(script) <= TARGETS
    assert "CPU_TORCH=1" in script
    assert [name for name in re.findall(r"\bbinder/[\w.]+", script) if not (ROOT / name).is_file()] == []
    config = json.loads((binder / "jupyter_config.json").read_text(encoding="utf-8"))
    assert {app["default_url"] for app in config.values()} == {f"/lab/tree/{INTRODUCTION}"}
    assert (ROOT / INTRODUCTION).is_file()


def test_the_devcontainer_ends_in_a_built_book() -> None:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    config = json.loads(re.sub(r"^\s*//.*", "", text, flags=re.M))
    assert targets_in(config["onCreateCommand"]) == {"book"}
    assert config["image"].split(":")[1].startswith(FLOOR)


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_pin_what_they_use_and_ask_for_little(name: str) -> None:
    text = WORKFLOWS[name]
    assert yaml.safe_load(text)["permissions"] == {}
    for line in re.findall(r"uses: (.*)", text):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line
    assert text.count("persist-credentials: false") == text.count("actions/checkout@")
    assert targets_in(text) <= TARGETS
    for job in jobs(name).values():
        assert job["timeout-minutes"] <= 90
        writes = {name for name, level in job["permissions"].items() if level == "write"}
        assert writes <= {"pages", "id-token"} or (writes == {"contents"} and "git" in str(job["steps"]))


def test_every_python_that_will_do_is_tried_and_windows_builds_by_the_makefiles_command() -> None:
    for job in ("unix", "package"):
        pythons = jobs("test")[job]["strategy"]["matrix"]["python"]
        assert pythons[0] == FLOOR
        assert len(pythons) == 4
    (command,) = re.findall(r"^book:.*\n(?:\t.*\n)*?\t@\$\(PY\) (.*jupyter_book.*)", MAKEFILES, re.M)
    assert f"python {command}".replace("'", '"') in [
        step.get("run") for step in jobs("test")["windows"]["steps"]
    ]


def test_only_a_push_to_main_publishes() -> None:
    triggers = yaml.safe_load(WORKFLOWS["publish"])[True]  # how YAML reads the key `on`
    assert triggers["push"] == {"branches": ["main"]}
    assert set(triggers) == {"push", "schedule", "workflow_dispatch"}
    (build,) = [step for step in jobs("publish")["site"]["steps"] if "make book" in step.get("run", "")]
    # A pseudo-ternary whose middle is empty would always give the last.
    assert build["env"]["PUBLISH"] == "${{ !inputs.stand_in && '1' || '' }}"


def test_the_branch_that_is_there_is_fetched_and_only_its_absence_is_passed_over(tmp_path: Path) -> None:
    (fetch,) = [step for step in jobs("publish")["branch"]["steps"] if "fetch" in step.get("run", "")]
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid"]

    def run(*command: str, cwd: str) -> str:
        return subprocess.run(command, cwd=tmp_path / cwd, check=True, capture_output=True, text=True).stdout

    def fetched() -> subprocess.CompletedProcess[str]:
        step = ["bash", "-e", "-c", fetch["run"]]
        folder, variables = tmp_path / "clone", os.environ | fetch["env"]
        return subprocess.run(step, cwd=folder, env=variables, capture_output=True, text=True, check=False)

    run(*git, "init", "--quiet", "origin", cwd=".")
    run(*git, "commit", "--quiet", "--allow-empty", "-m", "m", cwd="origin")
    run(*git, "clone", "--quiet", "origin", "clone", cwd=".")
    assert "No branch yet" in fetched().stdout
    run(*git, "branch", "release", cwd="origin")
    assert fetched().returncode == 0
    run(*git, "rev-parse", "--verify", "refs/heads/release", cwd="clone")
    (tmp_path / "origin").rename(tmp_path / "gone")
    assert fetched().returncode not in {0, 2}
