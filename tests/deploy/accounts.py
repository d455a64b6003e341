"""Unix accounts that exist while a test runs."""

from __future__ import annotations

import secrets
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import psutil


def root(*command: str | Path, given: str | None = None) -> None:
    """Run what must succeed."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stderr)


@dataclass
class Accounts:
    """A course's accounts, in groups for students and staff; leaving the `with` ends all that they run."""

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
        """Make an account; its home can be read by everybody, as Debian's useradd leaves it."""
        account, password = f"{self.prefix}-{name}", secrets.token_urlsafe()
        self.passwords[account] = password
        home = self.homes / account
        root("useradd", "-m", "-d", home, "-s", "/bin/sh", "-K", "HOME_MODE=0755", "-G", group, account)
        root("chpasswd", given=f"{account}:{password}\n")
        return account

    def processes(self) -> list[psutil.Process]:
        """Everything that runs under these accounts."""
        return [p for p in psutil.process_iter(["username"]) if p.info["username"] in self.passwords]

    def memory(self, named: str = "") -> int:
        """Bytes that all of it takes, or what this is in the command line of; the shared once."""
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
