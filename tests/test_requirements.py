"""Each fact about versions stands in one place; what repeats it agrees."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.small_books import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FLOOR = PROJECT["requires-python"].removeprefix(">=")
TEXT = (
    ".md",
    ".yml",
    ".yaml",
    ".toml",
    ".txt",
    ".cff",
    ".sh",
    ".py",
    ".ipynb",
    ".json",
    "/postBuild",
    "file",
)


def pins(name: str) -> dict[str, str]:
    """Return package to version, of a requirements file or lock in which everything is pinned exactly."""
    found: dict[str, str] = {}
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith(("#", "-")):
            requirement = Requirement(line.partition("#")[0])
            (specifier,) = requirement.specifier
            assert specifier.operator == "==", line
            if requirement.marker is None or requirement.marker.evaluate():
                assert canonicalize_name(requirement.name) not in found, line
                found[canonicalize_name(requirement.name)] = specifier.version
    return found


def all_pins() -> dict[str, str]:
    """Return package to version, of all requirements files together; none is in two of them."""
    found: dict[str, str] = {}
    for path in [ROOT / "requirements.txt", *ROOT.glob("*/requirements.txt")]:
        stated = pins(path.relative_to(ROOT).as_posix())
        assert not stated.keys() & found.keys(), path
        found |= stated
    return found


LOCK = pins("requirements.lock")


@cache
def texts() -> list[tuple[str, str]]:
    """Every text file of the repository, with its path."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    files = [path for path in map(Path, listed.splitlines()) if path.as_posix().endswith(TEXT)]
    if not files:
        pytest.skip("not a git repository")
    return [
        (file.as_posix(), (ROOT / file).read_text(encoding="utf-8"))
        for file in files
        if (ROOT / file).exists()
    ]


def test_every_way_to_install_has_the_package_and_the_lock() -> None:
    assert {"-e .", "-c requirements.lock"} <= set(
        (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    )


def test_pins_lie_in_the_ranges_of_the_package() -> None:
    for requirement in map(Requirement, PROJECT["dependencies"]):
        assert requirement.specifier.contains(pins("requirements.txt")[canonicalize_name(requirement.name)])


def test_the_lock_holds_the_pins_and_everything_that_they_bring_along() -> None:
    stated = pins("requirements.txt")
    assert stated.items() <= LOCK.items(), "`make lock` has not run since a pin changed"
    wanted, seen = {(name, "") for name in stated}, set()
    while wanted:
        seen.add(one := wanted.pop())
        assert one[0] in LOCK
        for requirement in map(Requirement, importlib.metadata.requires(one[0]) or []):
            if requirement.marker is None or requirement.marker.evaluate({"extra": one[1]}):
                name = canonicalize_name(requirement.name)
                wanted |= {(name, extra) for extra in requirement.extras or [""]} - seen
    assert len({name for name, _ in seen}) > 100


def test_the_environment_is_the_locked_one() -> None:
    for name, version in LOCK.items():
        with suppress(importlib.metadata.PackageNotFoundError):  # CUDA, beside a PyTorch without it
            assert Version(importlib.metadata.version(name)).public == version, name


def test_i1_transformers_that_dropped_the_scaling_are_out_of_range() -> None:
    (requirement,) = [one for one in map(Requirement, PROJECT["dependencies"]) if one.name == "transformers"]
    assert not any(
        requirement.specifier.contains(f"5.{minor}.{patch}") for minor in range(15) for patch in (0, 1)
    )


def test_b1_jupyter_book_stays_below_2_wherever_it_is_named() -> None:
    assert Version(pins("requirements.txt")["jupyter-book"]) < Version("2")
    for path, text in texts():
        for bound, version in re.findall(
            r"jupyter[-_]book\s*([=<>~@]+)\s*[\"']?(\d[\d.\w]*)", text, flags=re.I
        ):
            assert Version(version) < Version("2") or (bound == "<" and version == "2"), path
        unbound = re.search(r"(pip|conda|uv|mamba)3? (add|install).*jupyter[-_]book(?!\s*[=<~])", text)
        assert not unbound, (path, unbound)


def test_python_floor_is_said_once_and_followed_elsewhere() -> None:
    for path, text in texts():
        assert set(re.findall(r"Python (3\.\d+)\s+or\s+(?:newer|later)", text)) <= {FLOOR}, path
        for version in re.findall(r"python[-_]version[\"']?\s*[:=]\s*[\"']?>?=?(3\.\d+)", text):
            assert Version(version) >= Version(FLOOR), path
    assert [path for path, text in texts() if f'requires-python = ">={FLOOR}"' in text] == ["pyproject.toml"]


def test_versions_named_in_hooks_and_prose_are_the_pinned_ones() -> None:
    known = LOCK | all_pins()
    named = {path: re.findall(r"\b([a-z][a-z0-9-]+)==([\w.]+\w)", text) for path, text in texts()}
    assert {name for name, _ in named[".pre-commit-config.yaml"]} >= {"ruff", "nbstripout"}
    for path, pairs in named.items():
        if path == ".pre-commit-config.yaml" or (path.endswith(".md") and path != "CHANGELOG.md"):
            for name, version in pairs:
                assert known.get(canonicalize_name(name)) == version, path


def test_the_version_of_the_package_is_the_one_that_is_cited() -> None:
    files = ("gpt2_teach/__init__.py", "CITATION.cff", "CHANGELOG.md")
    source, citation, changes = ((ROOT / name).read_text(encoding="utf-8") for name in files)
    (version,) = re.findall(r'^__version__ = "([^"]+)"', source, flags=re.M)
    assert f"\nversion: {version}\n" in citation
    assert f"\n## {version}" in changes
