"""Unix accounts that exist while a test runs."""

from __future__ import annotations

import secrets
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import psutil


def root(*command: str | Path, stdin: str | None = None) -> None:
    """Run a command as root; it must succeed."""
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)


@dataclass
class Accounts:
    """The accounts of a course, in groups for students and staff; `with` removes them at its end."""

    homes: Path
    prefix: str = field(default_factory=lambda: f"hub{secrets.token_hex(3)}")
    passwords: dict[str, str] = field(default_factory=dict)

    @property
    def students(self) -> str:
        return self.prefix

    @property
    def staff(self) -> str:
        return f"{self.prefix}-staff"

    def __enter__(self) -> Accounts:
        for group in (self.students, self.staff):
            root("groupadd", group)
        return self

    def add(self, name: str, group: str) -> str:
        """Make an account whose home everybody can read, as with Debian's useradd."""
        account, password = f"{self.prefix}-{name}", secrets.token_urlsafe()
        self.passwords[account] = password
        home = self.homes / account
        root("useradd", "-m", "-d", home, "-s", "/bin/sh", "-K", "HOME_MODE=0755", "-G", group, account)
        root("chpasswd", stdin=f"{account}:{password}\n")
        return account

    def processes(self) -> list[psutil.Process]:
        """Return the processes of these accounts."""
        return [p for p in psutil.process_iter(["username"]) if p.info["username"] in self.passwords]

    def memory(self, named: str = "") -> int:
        """Return the bytes used by all processes, or by those with `named` in their command line."""
        total = 0
        for process in self.processes():
            try:
                if named not in " ".join(process.cmdline()):
                    continue
                total += process.memory_full_info().pss
            except (psutil.NoSuchProcess, psutil.ZombieProcess):
                continue
        return total

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self.processes():
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        psutil.wait_procs(self.processes(), timeout=30)
        for account in self.passwords:
            root("userdel", "--force", account)
        for group in (self.students, self.staff):
            root("groupdel", group)
