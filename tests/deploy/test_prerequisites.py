"""If a hub cannot be tested here, the reason says what is missing and how to install it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy import prerequisites

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems have another reason")


def pretend_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that nothing is missing."""
    monkeypatch.setattr(prerequisites, "PROXY", prerequisites.ROOT / "README.md")
    monkeypatch.setattr(prerequisites.os, "geteuid", lambda: 0)
    monkeypatch.setattr(prerequisites, "PACKAGES", ("pytest",))
    monkeypatch.setattr(prerequisites, "PROGRAMS", ("sh",))
    monkeypatch.setattr(prerequisites, "accessible", list)
    assert prerequisites.missing() == ""


@linux
@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("os.geteuid", lambda: 1000, "only root can make accounts"),
        ("PACKAGES", ("pytest", "no_such_package"), "not installed: no_such_package; `make hub-ready`"),
        ("PROGRAMS", ("sh", "no-such-program"), "not on PATH: no-such-program; `make hub-ready`"),
        ("PROXY", prerequisites.ROOT / "no-proxy", "no no-proxy; `make hub-ready` fetches it"),
        ("accessible", lambda: ["sh", "-c", "echo refused >&2; exit 1"], "mounts are refused: refused"),
    ],
)
def test_each_missing_prerequisite_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object, reason: str
) -> None:
    pretend_nothing_is_missing(monkeypatch)
    target = prerequisites.os if name.startswith("os.") else prerequisites
    monkeypatch.setattr(target, name.removeprefix("os."), value)
    assert reason in prerequisites.missing()


@linux
def test_only_the_required_part_of_a_closed_folder_is_visible(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if reason := prerequisites.missing():
        pytest.skip(reason)
    closed = tmp_path / "closed"
    for name in ("wanted", "secret"):
        (closed / name).mkdir(parents=True)
        (closed / name / "file").write_text(name, encoding="utf-8")
    closed.chmod(0o700)
    assert prerequisites.closed_ancestor(closed / "wanted") is not None
    assert prerequisites.closed_ancestor(Path(shutil.which("sh") or "/bin/sh")) is None
    monkeypatch.setattr(prerequisites, "ROOT", closed / "wanted")
    as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    shell = [*prerequisites.accessible(), *as_nobody, "sh", "-c"]
    for name, visible in (("wanted", "wanted"), ("secret", "")):
        done = subprocess.run(
            [*shell, f"cat {closed}/{name}/file"], capture_output=True, text=True, check=False
        )
        assert done.stdout == visible
    assert (closed / "secret" / "file").read_text(encoding="utf-8") == "secret"  # unchanged
