"""Starts a real hub and its proxy with the configuration in deploy/, on free ports."""

from __future__ import annotations

import secrets
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.deploy.prerequisites import PROXY, accessible
from tests.small_books import ROOT, environment

CONFIG = ROOT / "deploy" / "jupyterhub_config.py"


def free_ports(count: int) -> list[int]:
    """Return ports that are not in use."""
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


@dataclass
class Hub:
    """The hub and its separate proxy; `folder` has the hub's database and both logs."""

    folder: Path
    settings: dict[str, str]  # COURSE_ID and the like
    ports: list[int] = field(default_factory=lambda: free_ports(3))
    token: str = field(default_factory=lambda: secrets.token_hex(32))
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ports[0]}"

    def begin(self, name: str, *command: str | Path) -> None:
        """Start a process with its output in a log."""
        with (self.folder / f"{name}.log").open("ab") as log:
            self.running[name] = subprocess.Popen(
                command,
                cwd=self.folder,
                env=environment(**self.settings, CONFIGPROXY_AUTH_TOKEN=self.token),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def start_proxy(self) -> None:
        """Start the proxy, which keeps running when the hub is restarted."""
        public, api, _ = map(str, self.ports)
        local = ("--ip", "127.0.0.1", "--api-ip", "127.0.0.1", "--port", public, "--api-port", api)
        self.begin("proxy", "node", PROXY, *local)

    def start(self) -> None:
        """Start the hub and wait until it answers."""
        public, api, hub = (f"http://127.0.0.1:{port}" for port in self.ports)
        self.begin(
            "hub",
            *accessible(),
            *(sys.executable, "-m", "jupyterhub", "--config", CONFIG),
            f"--JupyterHub.bind_url={public}",
            f"--JupyterHub.hub_bind_url={hub}",
            f"--ConfigurableHTTPProxy.api_url={api}",
        )
        for _ in range(600):
            assert self.running["hub"].poll() is None, self.log()
            try:
                if httpx.get(f"{self.url}/hub/health").status_code == 200:
                    return
            except httpx.TransportError:
                pass
            time.sleep(0.2)
        raise AssertionError(f"the hub did not answer\n{self.log()}")

    def stop(self, name: str = "hub") -> None:
        """Terminate a process as a service manager does, and wait for it."""
        process = self.running.pop(name)
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise

    def log(self) -> str:
        """Return the end of the hub's log."""
        return (self.folder / "hub.log").read_text(encoding="utf-8", errors="replace")[-5000:]

    def close(self) -> None:
        """Stop hub and proxy; users' servers end with their accounts."""
        for name in list(self.running):
            self.stop(name)


def public_folder(path: Path) -> Path:
    """Make a folder that every account can enter, and return it."""
    path.mkdir(parents=True, exist_ok=True)
    path.chmod(0o755)
    return path
