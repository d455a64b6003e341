"""Where a hub cannot be tested, the reason says what is missing and how to get it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy import needs

linux = pytest.mark.skipif(sys.platform != "linux", reason="the reasons of other systems come first")


def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if all were there."""
    monkeypatch.setattr(needs, "PROXY", needs.ROOT / "README.md")
    monkeypatch.setattr(needs.os, "geteuid", lambda: 0)
    monkeypatch.setattr(needs, "PACKAGES", ("pytest",))
    monkeypatch.setattr(needs, "PROGRAMS", ("sh",))
    monkeypatch.setattr(needs, "passable", list)
    assert needs.missing() == ""


@linux
@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("os.geteuid", lambda: 1000, "only root can make accounts"),
        ("PACKAGES", ("pytest", "no_such_package"), "not installed: no_such_package; `make hub-ready`"),
        ("PROGRAMS", ("sh", "no-such-program"), "not on PATH: no-such-program; `make hub-ready`"),
        ("PROXY", needs.ROOT / "no-proxy", "no no-proxy; `make hub-ready` fetches it"),
        ("passable", lambda: ["sh", "-c", "echo refused >&2; exit 1"], "mounts are refused: refused"),
    ],
)
def test_each_thing_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: object, reason: str
) -> None:
    as_root(monkeypatch)
    target = needs.os if name.startswith("os.") else needs
    monkeypatch.setattr(target, name.removeprefix("os."), value)
    assert reason in needs.missing()


@linux
def test_a_closed_folder_is_found_and_only_what_is_needed_in_it_is_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    if reason := needs.missing():
        pytest.skip(reason)
    closed = tmp_path / "closed"
    for name in ("wanted", "secret"):
        (closed / name).mkdir(parents=True)
        (closed / name / "file").write_text(name, encoding="utf-8")
    closed.chmod(0o700)
    assert needs.closed_ancestor(closed / "wanted") is not None
    assert needs.closed_ancestor(Path(shutil.which("sh") or "/bin/sh")) is None
    monkeypatch.setattr(needs, "ROOT", closed / "wanted")
    look = [*needs.passable(), "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c"]
    for name, seen in (("wanted", "wanted"), ("secret", "")):
        done = subprocess.run(
            [*look, f"cat {closed}/{name}/file"], capture_output=True, text=True, check=False
        )
        assert done.stdout == seen
    assert (closed / "secret" / "file").read_text(encoding="utf-8") == "secret"  # ours is as it was
