"""Each fact about versions stands in one place; what repeats it agrees."""

from __future__ import annotations

import importlib.metadata
import json
import re
import tomllib
from contextlib import suppress
from pathlib import Path

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.small_books import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
FLOOR = PROJECT["requires-python"].removeprefix(">=")
GENERATED = {"_build", ".venv", ".git", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"}
PINNED = sorted(
    str(path.relative_to(ROOT)) for path in [*ROOT.glob("requirements.txt"), *ROOT.glob("*/requirements.txt")]
)
TEXT = {".md", ".yml", ".yaml", ".toml", ".txt", ".cff", ".sh", ".py", ".ipynb", ".json", ""}


def pins(name: str) -> dict[str, str]:
    """Package to version, of a requirements file in which everything must be pinned exactly."""
    found: dict[str, str] = {}
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        stated = line.partition("#")[0].strip()
        if stated and stated not in {"-e .", "-c requirements.lock"}:
            requirement = Requirement(stated)
            (specifier,) = requirement.specifier
            assert specifier.operator == "==", line
            assert canonicalize_name(requirement.name) not in found, line
            found[canonicalize_name(requirement.name)] = specifier.version
    return found


def texts() -> list[tuple[Path, str]]:
    """Every text file of the repository that somebody wrote."""
    files = [
        path
        for path in ROOT.rglob("*")
        if path.is_file() and path.suffix in TEXT and not GENERATED & set(path.relative_to(ROOT).parts)
    ]
    return [(path, path.read_text(encoding="utf-8", errors="ignore")) for path in files]


def test_requirements_install_the_package_itself() -> None:
    assert "-e ." in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("line", PROJECT["dependencies"])
def test_pins_lie_in_the_ranges_of_the_package(line: str) -> None:
    requirement = Requirement(line)
    assert requirement.specifier.contains(pins("requirements.txt")[canonicalize_name(requirement.name)])


def all_pins() -> dict[str, str]:
    """Package to version, of all requirements files together."""
    return {name: version for file in PINNED for name, version in pins(file).items()}


def known_versions() -> dict[str, str]:
    """The same with what they bring along, as far as the lock has one version of it."""
    return {
        canonicalize_name(line.name): str(line.specifier).removeprefix("==") for line in locked()
    } | all_pins()


def test_nothing_is_pinned_twice() -> None:
    """Each file holds what the others do not: they are installed together."""
    assert {"requirements.txt", "deploy/requirements.txt", "tests/requirements.txt"} <= set(PINNED)
    assert len(all_pins()) == sum(len(pins(file)) for file in PINNED)


def locked() -> list[Requirement]:
    """Every line of the lock: one version of a package, or one for each of several systems."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    return [Requirement(line) for line in lines if not line.startswith("#")]


def test_the_lock_holds_the_pins_and_everything_that_they_bring_along() -> None:
    versions: dict[str, set[str]] = {}
    for line in locked():
        (specifier,) = line.specifier
        assert specifier.operator == "=="
        versions.setdefault(canonicalize_name(line.name), set()).add(specifier.version)
    for name, version in pins("requirements.txt").items():
        assert versions[name] == {version}, "`make lock` has not run since this pin changed"
    wanted, seen = [(name, "") for name in pins("requirements.txt")], set()
    while wanted:
        seen.add(requirement_name := wanted.pop())
        name, extra = requirement_name
        assert name in versions
        for dependency in importlib.metadata.requires(name) or []:
            requirement = Requirement(dependency)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                found = canonicalize_name(requirement.name)
                wanted += [
                    (found, extra) for extra in requirement.extras or [""] if (found, extra) not in seen
                ]
    assert len({name for name, _ in seen}) > 100


def test_the_environment_is_the_locked_one() -> None:
    for line in locked():
        if line.marker is None or line.marker.evaluate():
            (specifier,) = line.specifier
            with suppress(importlib.metadata.PackageNotFoundError):  # CUDA, beside a PyTorch without it
                installed = Version(importlib.metadata.version(line.name))
                assert installed.public == specifier.version, line.name


def test_the_lock_binds_every_way_to_install() -> None:
    assert "-c requirements.lock" in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()


def test_i1_transformers_that_dropped_the_scaling_are_out_of_range() -> None:
    (requirement,) = [r for r in map(Requirement, PROJECT["dependencies"]) if r.name == "transformers"]
    assert not any(
        requirement.specifier.contains(f"5.{minor}.{patch}") for minor in range(15) for patch in (0, 1)
    )


def test_b1_jupyter_book_stays_below_2_wherever_it_is_named() -> None:
    assert Version(pins("requirements.txt")["jupyter-book"]) < Version("2")
    for path, text in texts():
        for name in re.findall(
            r"""jupyter[-_]book\s*(?:==|>=|~=|<=|<|>|@)\s*["']?[\d.\w]+""", text, flags=re.I
        ):
            stated = re.search(r"[\d][\d.\w]*$", name)
            assert stated, (path, name)
            assert Version(stated.group()) <= Version("2"), (path, name)
            assert "<" in name or Version(stated.group()) < Version("2"), (path, name)
        for line in text.splitlines():
            if re.search(r"(pip|conda|uv|mamba)3? (add|install).*jupyter[-_]book(?!\s*[=<~])", line):
                raise AssertionError(f"{path}: an install of jupyter-book without a bound: {line}")


def test_python_floor_is_said_once_and_followed_elsewhere() -> None:
    for path, text in texts():
        for version in re.findall(r"Python (3\.\d+)\s+or\s+(?:newer|later)", text):
            assert version == FLOOR, path
        if path.suffix in {".yml", ".yaml", ".toml", ".json"}:
            for version in re.findall(
                r"""(?:python[-_]version|python_requires)["']?\s*[:=]\s*["']?>?=?(3\.\d+)""", text
            ):
                assert Version(version) >= Version(FLOOR), path
    declaring = [path for path, text in texts() if f'requires-python = ">={FLOOR}"' in text]
    assert declaring == [ROOT / "pyproject.toml"]


def test_versions_of_the_hooks_are_those_of_the_tests() -> None:
    known = known_versions()
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    named = re.findall(r"([\w-]+)==([\w.]+)", hooks)
    assert {name for name, _ in named} >= {"ruff", "nbstripout"}
    for name, version in named:
        assert known[canonicalize_name(name)] == version


def test_versions_named_in_prose_and_notebooks_are_the_pinned_ones() -> None:
    known = known_versions()
    for path, text in texts():
        if path.suffix == ".md" and path.name != "CHANGELOG.md":
            for name, version in re.findall(r"\b([a-z][a-z0-9-]+)==([\w.]+\w)", text):
                assert known.get(canonicalize_name(name)) == version, path
        if path.suffix == ".ipynb":
            notebook = nbformat.from_dict(json.loads(text))
            assert "version" not in notebook.metadata.get("language_info", {}), path


def test_the_version_of_the_package_is_the_one_that_is_cited() -> None:
    source = (ROOT / "gpt2_teach" / "__init__.py").read_text(encoding="utf-8")
    version = re.search(r'^__version__ = "([^"]+)"', source, flags=re.M)
    assert version
    assert f"\nversion: {version.group(1)}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {version.group(1)}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
