"""A user of the hub, who acts through its pages and the API of their own server."""

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
    """A cell raised an error; the message starts with its type."""


@dataclass
class HubUser:
    """Logs in once with a password, then uses a token."""

    hub: str
    name: str
    password: str
    web: httpx.Client = field(init=False)
    kernel: str = ""
    socket: websocket.WebSocket | None = None

    def __post_init__(self) -> None:
        self.web = httpx.Client(base_url=self.hub, timeout=300, follow_redirects=True)

    def close(self) -> None:
        """Close the connections."""
        self.web.close()

    def log_in(self) -> None:
        """Fill in the form as a browser does, then request a token."""
        self.web.get("/hub/login").raise_for_status()
        form = {"username": self.name, "password": self.password, "_xsrf": self.xsrf()}
        # Redirects are not followed, because the last one would start a server.
        done = self.web.post("/hub/login", data=form, follow_redirects=False)
        assert done.status_code == 302, (done.status_code, done.text[-3000:])
        self.web.get("/hub/home").raise_for_status()
        response = self.web.post(
            f"/hub/api/users/{self.name}/tokens", headers={"X-XSRFToken": self.xsrf()}, json={"note": "test"}
        )
        response.raise_for_status()
        self.web.cookies.clear()
        self.web.headers["Authorization"] = f"token {response.json()['token']}"

    def xsrf(self) -> str:
        """Return the hub's XSRF token for this session."""
        return next(c.value or "" for c in self.web.cookies.jar if c.name == "_xsrf" and c.path == "/hub/")

    def start_server(self) -> None:
        """Start this user's server and wait for it, as the hub's page does."""
        response = self.web.post(f"/hub/api/users/{self.name}/server")
        while response.status_code == 429:  # too many servers are starting: try again
            time.sleep(int(response.headers.get("Retry-After", 2)))
            response = self.web.post(f"/hub/api/users/{self.name}/server")
        assert response.status_code in {201, 202}, response.text
        for _ in range(600):
            server = self.server()
            if server.get("ready"):
                return
            assert server.get("pending") or server, f"the server of {self.name} did not start"
            time.sleep(0.5)
        raise AssertionError(f"the server of {self.name} was not ready in five minutes")

    def server(self) -> dict[str, Any]:
        """Return the hub's data on this user's server."""
        answer = self.web.get(f"/hub/api/users/{self.name}")
        answer.raise_for_status()
        servers: dict[str, dict[str, Any]] = answer.json()["servers"]
        return servers.get("", {})

    def get(self, path: str) -> Any:
        """Send a GET request to this user's server; return its JSON."""
        answer = self.web.get(f"/user/{self.name}/{path}")
        assert answer.status_code == 200, (path, answer.status_code, answer.text[-2000:])
        return answer.json()

    def assignments(self, action: str, course: str, problem_set: str) -> list[dict[str, Any]]:
        """Do what a button of the Assignment List does: fetch or submit."""
        body = {"course_id": course, "assignment_id": problem_set}
        answer = self.web.post(f"/user/{self.name}/assignments/{action}", json=body)
        answer.raise_for_status()
        result = answer.json()
        assert result["success"], result["value"]
        listed: list[dict[str, Any]] = result["value"]
        return listed

    def save(self, path: str, notebook: dict[str, Any]) -> None:
        """Save a notebook, as the editor does."""
        body = {"type": "notebook", "format": "json", "content": notebook}
        self.web.put(f"/user/{self.name}/api/contents/{path}", json=body).raise_for_status()

    def pull(self, repository: str, branch: str, then: str) -> None:
        """Follow an nbgitpuller link: open its page and request what the page's script requests."""
        query = {"repo": repository, "branch": branch, "urlpath": then}
        page = self.web.get(f"/user/{self.name}/git-pull", params=query)
        assert page.status_code == 200, page.text[-2000:]
        events = self.web.get(f"/user/{self.name}/git-pull/api", params=query)
        assert '"phase": "finished"' in events.text, events.text

    def open_kernel(self, folder: str = "") -> None:
        """Start a kernel in a folder of the user's home."""
        response = self.web.post(f"/user/{self.name}/api/kernels", json={"name": "python3", "path": folder})
        assert response.status_code == 201, response.text[-2000:]
        self.kernel = response.json()["id"]

    @contextmanager
    def connected(self) -> Iterator[None]:
        """Connect to the kernel; only briefly, because pings are answered only while messages are read."""
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
        """Run code in the kernel and return what it printed. Raises CellError."""
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
            received = json.loads(self.socket.recv())
            if received["parent_header"].get("msg_id") != request:
                continue
            kind, content = received["msg_type"], received["content"]
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
