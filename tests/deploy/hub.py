"""Starts a real hub and its proxy with the configuration in deploy/, on free ports."""

from __future__ import annotations

import secrets
import socket
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from tests.deploy.accounts import PROXY, accessible
from tests.small_books import ROOT, environment

CONFIG = ROOT / "deploy" / "jupyterhub_config.py"


def free_ports() -> list[str]:
    """Return the addresses of three ports that are not in use."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
    ports = [str(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports


@dataclass
class Hub:
    """The hub and its separate proxy; `folder` has the hub's database and both logs."""

    folder: Path
    settings: dict[str, str]  # COURSE_ID and the like
    ports: list[str] = field(default_factory=free_ports)
    token: str = field(default_factory=lambda: secrets.token_hex(32))
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """Return the address for users."""
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

    def start(self) -> None:
        """Start the hub, and the proxy unless it has kept running; wait until the hub answers."""
        if "proxy" not in self.running:
            public, api, _ = self.ports
            local = ("--ip", "127.0.0.1", "--api-ip", "127.0.0.1", "--port", public, "--api-port", api)
            self.begin("proxy", "node", PROXY, *local)
        public, api, hub = (f"http://127.0.0.1:{port}" for port in self.ports)
        names = ("JupyterHub.bind_url", "ConfigurableHTTPProxy.api_url", "JupyterHub.hub_bind_url")
        addresses = [f"--{name}={url}" for name, url in zip(names, (public, api, hub))]
        self.begin("hub", *accessible(), sys.executable, "-m", "jupyterhub", "--config", CONFIG, *addresses)
        for _ in range(600):
            assert self.running["hub"].poll() is None, self.log()
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/hub/health").status_code == 200:
                    return
            time.sleep(0.2)
        raise AssertionError(f"the hub did not answer\n{self.log()}")

    def stop(self, *names: str) -> None:
        """Terminate processes as a service manager does; users' servers end with their accounts."""
        for name in names:
            process = self.running.pop(name)
            process.terminate()
            process.wait(60)

    def log(self) -> str:
        """Return the end of the hub's log."""
        return (self.folder / "hub.log").read_text(encoding="utf-8", errors="replace")[-5000:]
