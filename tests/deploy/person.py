"""Somebody who uses the hub: all they do goes through its pages and the API of their own server."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import websocket


class CellError(Exception):
    """A cell ended in an error; its name comes first."""


@dataclass
class Person:
    """Logged in with a password once; from then on with a token that they asked for themselves."""

    hub: str
    name: str
    password: str
    web: httpx.Client = field(init=False)
    kernel: str = ""
    socket: websocket.WebSocket | None = None

    def __post_init__(self) -> None:
        self.web = httpx.Client(base_url=self.hub, timeout=300, follow_redirects=True)

    def close(self) -> None:
        """Hang up."""
        self.web.close()

    def log_in(self) -> None:
        """Fill in the form as a browser does, then ask for a token."""
        self.web.get("/hub/login").raise_for_status()
        form = {"username": self.name, "password": self.password, "_xsrf": self.xsrf()}
        # Not followed: at the end of its redirects the hub would start a server by itself.
        done = self.web.post("/hub/login", data=form, follow_redirects=False)
        assert done.status_code == 302, (done.status_code, done.text[-3000:])
        self.web.get("/hub/home").raise_for_status()
        made = self.web.post(
            f"/hub/api/users/{self.name}/tokens", headers={"X-XSRFToken": self.xsrf()}, json={"note": "test"}
        )
        made.raise_for_status()
        self.web.cookies.clear()
        self.web.headers["Authorization"] = f"token {made.json()['token']}"

    def xsrf(self) -> str:
        """The hub's own token against forged requests, of this session."""
        return next(c.value or "" for c in self.web.cookies.jar if c.name == "_xsrf" and c.path == "/hub/")

    def start_server(self) -> None:
        """Start this person's server and wait for it, as the hub's page does."""
        asked = self.web.post(f"/hub/api/users/{self.name}/server")
        while asked.status_code == 429:  # so many start at once that this one is told to try again
            time.sleep(int(asked.headers.get("Retry-After", 2)))
            asked = self.web.post(f"/hub/api/users/{self.name}/server")
        assert asked.status_code in {201, 202}, asked.text
        for _ in range(600):
            server = self.server()
            if server.get("ready"):
                return
            assert server.get("pending") or server, f"the server of {self.name} did not start"
            time.sleep(0.5)
        raise AssertionError(f"the server of {self.name} was not ready in five minutes")

    def server(self) -> dict[str, Any]:
        """What the hub says of this person's server."""
        answer = self.web.get(f"/hub/api/users/{self.name}")
        answer.raise_for_status()
        servers: dict[str, dict[str, Any]] = answer.json()["servers"]
        return servers.get("", {})

    def get(self, path: str) -> Any:
        """Ask this person's server."""
        answer = self.web.get(f"/user/{self.name}/{path}")
        assert answer.status_code == 200, (path, answer.status_code, answer.text[-2000:])
        return answer.json()

    def assignments(self, action: str, course: str, problem_set: str) -> list[dict[str, Any]]:
        """What the Assignment List's buttons do: fetch, submit."""
        body = {"course_id": course, "assignment_id": problem_set}
        answer = self.web.post(f"/user/{self.name}/assignments/{action}", json=body)
        answer.raise_for_status()
        said = answer.json()
        assert said["success"], said["value"]
        listed: list[dict[str, Any]] = said["value"]
        return listed

    def save(self, path: str, notebook: dict[str, Any]) -> None:
        """Save a notebook, as the editor does."""
        body = {"type": "notebook", "format": "json", "content": notebook}
        self.web.put(f"/user/{self.name}/api/contents/{path}", json=body).raise_for_status()

    def pull(self, repository: str, branch: str, then: str) -> None:
        """Follow an nbgitpuller link: open its page, and ask for what the page's script asks for."""
        query = {"repo": repository, "branch": branch, "urlpath": then}
        page = self.web.get(f"/user/{self.name}/git-pull", params=query)
        assert page.status_code == 200, page.text[-2000:]
        events = self.web.get(f"/user/{self.name}/git-pull/api", params=query)
        assert '"phase": "finished"' in events.text, events.text

    def open_kernel(self, folder: str = "") -> None:
        """Start a kernel in a folder of one's own."""
        made = self.web.post(f"/user/{self.name}/api/kernels", json={"name": "python3", "path": folder})
        assert made.status_code == 201, made.text[-2000:]
        self.kernel = made.json()["id"]

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Connected to the kernel; for a short time, since who does not read does not answer pings either."""
        address = f"{self.hub}/user/{self.name}/api/kernels/{self.kernel}/channels"
        self.socket = websocket.create_connection(
            address.replace("http", "ws", 1),
            timeout=300,
            header=[f"Authorization: {self.web.headers['Authorization']}"],
        )
        try:
            yield
        finally:
            self.socket.close()
            self.socket = None

    def run(self, code: str) -> str:
        """Run code in the kernel; what it printed, or CellError."""
        if self.socket is None:
            with self.connected():
                return self.run(code)
        request = uuid.uuid4().hex
        header = {
            "msg_id": request,
            "msg_type": "execute_request",
            "session": request,
            "username": "",
            "version": "5.3",
        }
        content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
        message = {
            "header": header,
            "parent_header": {},
            "metadata": {},
            "content": content,
            "channel": "shell",
        }
        self.socket.send(json.dumps(message))
        printed, failed = "", ""
        waiting = {"execute_reply", "idle"}
        while waiting:
            said = json.loads(self.socket.recv())
            if said["parent_header"].get("msg_id") != request:
                continue
            kind, content = said["msg_type"], said["content"]
            if kind == "stream" and content["name"] == "stdout":
                printed += content["text"]
            elif kind == "error":
                failed = f"{content['ename']}: {content['evalue']}"
            elif kind == "execute_reply":
                waiting.discard(kind)
            elif kind == "status" and content["execution_state"] == "idle":
                waiting.discard("idle")
        if failed:
            raise CellError(failed)
        return printed
