"""A git repository served on this machine, from which students pull the book."""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from tests.deploy.accounts import root
from tests.deploy.hub import free_ports


@dataclass
class GitServer:
    """Serves the branch `main` of `folder`/book by git's daemon, inside a `with` statement."""

    folder: Path
    port: int = 0

    @property
    def url(self) -> str:
        return f"git://127.0.0.1:{self.port}/book"

    def __enter__(self) -> GitServer:
        root("git", "init", "--quiet", "--initial-branch=main", self.folder / "book")
        (self.port,) = free_ports(1)
        local = ["--listen=127.0.0.1", f"--port={self.port}", "--reuseaddr"]
        # Not `git daemon`, which starts the daemon as a child process that would outlive it.
        exec_path = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout
        daemon = Path(exec_path.strip()) / "git-daemon"
        self.daemon = subprocess.Popen([daemon, *local, "--export-all", f"--base-path={self.folder}"])
        time.sleep(0.5)
        assert self.daemon.poll() is None
        return self

    def commit(self, name: str, text: str) -> None:
        """Write a file and commit it."""
        book = self.folder / "book"
        (book / name).write_text(text, encoding="utf-8")
        root("git", "-C", book, "add", name)
        author = ["-c", "user.name=Teacher", "-c", "user.email=teacher@example.invalid"]
        root("git", "-C", book, *author, "commit", "--quiet", "-m", f"Write {name}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.daemon.terminate()
        self.daemon.wait()
