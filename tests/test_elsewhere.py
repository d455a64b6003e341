"""What other services read: Binder's folder, devcontainer, workflows; their own checkers ran by hand."""

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

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(
    re.findall(
        r"^\.PHONY: ([\w-]+)",
        "".join(path.read_text(encoding="utf-8") for path in [ROOT / "Makefile", *ROOT.glob("*/*.mk")]),
        flags=re.M,
    )
)


def made(text: str) -> set[str]:
    """The targets of `make` that commands ask for."""
    return set(re.findall(r"\bmake ([a-z][a-z-]*)", text))


def test_binder_runs_a_python_that_will_do_and_opens_the_introduction() -> None:
    runtime = (ROOT / "binder" / "runtime.txt").read_text(encoding="utf-8").strip()
    assert runtime == f"python-{FLOOR}"
    post_build = ROOT / "binder" / "postBuild"
    assert os.access(post_build, os.X_OK)
    script = post_build.read_text(encoding="utf-8")
    assert made(script) <= TARGETS
    assert "CPU_TORCH=1" in script
    for name in re.findall(r"\bbinder/[\w.]+", script):
        assert (ROOT / name).is_file(), name
    config = json.loads((ROOT / "binder" / "jupyter_config.json").read_text(encoding="utf-8"))
    assert {app["default_url"] for app in config.values()} == {f"/lab/tree/{INTRODUCTION}"}
    assert (ROOT / INTRODUCTION).is_file()
    json.loads((ROOT / "binder" / "overrides.json").read_text(encoding="utf-8"))


def test_the_devcontainer_ends_in_a_built_book() -> None:
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    config = json.loads(re.sub(r"^\s*//.*", "", text, flags=re.M))
    assert made(config["onCreateCommand"]) == {"book"}
    assert config["image"].split(":")[1].startswith(FLOOR)
    assert "_build/html" in config["postAttachCommand"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_pin_what_they_use_and_ask_for_little(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    workflow: dict[Any, Any] = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    for line in re.findall(r"uses: (.*)", text):
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line), line
    assert text.count("persist-credentials: false") == text.count("actions/checkout@")
    assert made(text) <= TARGETS, made(text) - TARGETS
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 90
        writes = {name for name, level in job["permissions"].items() if level == "write"}
        assert writes <= {"pages", "id-token"} or (writes == {"contents"} and "git" in str(job["steps"]))


def test_windows_builds_by_the_command_of_the_makefile() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    (built,) = [
        step["run"]
        for step in workflow["jobs"]["windows"]["steps"]
        if "build" in step.get("run", "") and "index" not in step["run"]
    ]
    (command,) = re.findall(
        r"^book:.*\n(?:\t.*\n)*?\t@\$\(PY\) (.*jupyter_book.*)",
        (ROOT / "Makefile").read_text(encoding="utf-8"),
        re.M,
    )
    assert built == "python " + command.replace("'", '"')


def test_only_a_push_to_main_publishes() -> None:
    workflow: dict[Any, Any] = yaml.safe_load(
        (ROOT / ".github/workflows/publish.yml").read_text(encoding="utf-8")
    )
    triggers = workflow[True]  # how YAML reads the key `on`
    assert triggers["push"] == {"branches": ["main"]}
    assert set(triggers) == {"push", "schedule", "workflow_dispatch"}
    (build,) = [step for step in workflow["jobs"]["site"]["steps"] if "make book" in step.get("run", "")]
    # A pseudo-ternary whose middle is empty would always give the last.
    assert build["env"]["PUBLISH"] == "${{ !inputs.stand_in && '1' || '' }}"


def test_the_branch_that_is_there_is_fetched_and_only_its_absence_is_passed_over(tmp_path: Path) -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/publish.yml").read_text(encoding="utf-8"))
    steps = [step for step in workflow["jobs"]["branch"]["steps"] if "run" in step]
    (fetch,) = [step for step in steps if "git -c" in step["run"] and "fetch" in step["run"]]
    (made,) = [step for step in steps if "make branch" in step["run"]]
    assert "TOKEN" not in str(made)  # packages are installed there
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid"]

    def run() -> subprocess.CompletedProcess[str]:
        variables = os.environ | fetch["env"]
        command = ["bash", "-e", "-c", fetch["run"]]
        return subprocess.run(
            command, cwd=tmp_path / "clone", env=variables, capture_output=True, text=True, check=False
        )

    subprocess.run([*git, "init", "--quiet", "origin"], cwd=tmp_path, check=True)
    commit = [*git, "commit", "--quiet", "--allow-empty", "-m", "m"]
    subprocess.run(commit, cwd=tmp_path / "origin", check=True)
    subprocess.run([*git, "clone", "--quiet", "origin", "clone"], cwd=tmp_path, check=True)
    assert "No branch yet" in run().stdout
    subprocess.run([*git, "branch", "release"], cwd=tmp_path / "origin", check=True)
    assert run().returncode == 0
    subprocess.run([*git, "rev-parse", "--verify", "refs/heads/release"], cwd=tmp_path / "clone", check=True)
    (tmp_path / "origin").rename(tmp_path / "gone")
    assert run().returncode not in {0, 2}


def test_every_python_that_will_do_is_tried() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    for job in ("unix", "package"):
        assert workflow["jobs"][job]["strategy"]["matrix"]["python"][0] == FLOOR
        assert len(workflow["jobs"][job]["strategy"]["matrix"]["python"]) == 4
