"""A user of the hub, who acts through its pages and the API of their own server."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import websocket


class CellError(Exception):
    """A cell raised an error; the message starts with its type."""


class HubUser:
    """Logs in once with a password, then uses a token."""

    def __init__(self, hub: str, name: str, password: str) -> None:
        self.hub, self.name, self.password = hub, name, password
        self.web = httpx.Client(base_url=hub, timeout=300, follow_redirects=True)
        self.server = f"/user/{name}"
        self.kernel = ""
        self.socket: websocket.WebSocket | None = None

    def log_in(self) -> None:
        """Fill in the form as a browser does, then request a token."""

        def xsrf() -> str:
            return next(
                c.value or "" for c in self.web.cookies.jar if c.name == "_xsrf" and c.path == "/hub/"
            )

        self.web.get("/hub/login").raise_for_status()
        form = {"username": self.name, "password": self.password, "_xsrf": xsrf()}
        # Redirects are not followed, because the last one would start a server.
        done = self.web.post("/hub/login", data=form, follow_redirects=False)
        assert done.status_code == 302, (done.status_code, done.text[-3000:])
        self.web.get("/hub/home").raise_for_status()
        header = {"X-XSRFToken": xsrf()}
        answer = self.web.post(f"/hub/api/users/{self.name}/tokens", headers=header, json={"note": "test"})
        answer.raise_for_status()
        self.web.cookies.clear()
        self.web.headers["Authorization"] = f"token {answer.json()['token']}"

    def start_server(self) -> None:
        """Start this user's server and wait for it, as the hub's page does."""
        status = 429
        for _ in range(600):
            if self.is_ready():
                return
            if status == 429:  # too many servers are starting: try again
                status = self.web.post(f"/hub/api/users/{self.name}/server").status_code
            assert status in {201, 202, 429}, status
            time.sleep(0.5)
        raise AssertionError(f"the server of {self.name} was not ready in five minutes")

    def is_ready(self) -> bool:
        """Return whether this user's server runs, by the hub's data."""
        answer = self.web.get(f"/hub/api/users/{self.name}")
        answer.raise_for_status()
        return bool(answer.json()["servers"].get("", {}).get("ready"))

    def ask(self, method: str, path: str, body: Any = None, **query: str) -> httpx.Response:
        """Send a request to this user's server, which must succeed."""
        answer = self.web.request(method, f"{self.server}/{path}", json=body, params=query)
        assert answer.is_success, (path, answer.status_code, answer.text[-2000:])
        return answer

    def assignments(self, action: str, course: str, problem_set: str) -> None:
        """Do what a button of the Assignment List does: fetch or submit."""
        body = {"course_id": course, "assignment_id": problem_set}
        result = self.ask("POST", f"assignments/{action}", body).json()
        assert result["success"], result["value"]

    def pull(self, repository: str, then: str) -> None:
        """Follow an nbgitpuller link: open its page and request what the page's script requests."""
        query = {"repo": repository, "branch": "main", "urlpath": then}
        self.ask("GET", "git-pull", **query)
        events = self.ask("GET", "git-pull/api", **query)
        assert '"phase": "finished"' in events.text, events.text

    def open_kernel(self, folder: str = "") -> None:
        """Start a kernel in a folder of the user's home."""
        self.kernel = self.ask("POST", "api/kernels", {"name": "python3", "path": folder}).json()["id"]

    @contextmanager
    def connected(self) -> Iterator[websocket.WebSocket]:
        """Connect to the kernel; only briefly, because pings are answered only while messages are read."""
        if self.socket:
            yield self.socket
            return
        address = f"{self.hub}{self.server}/api/kernels/{self.kernel}/channels".replace("http", "ws", 1)
        header = [f"Authorization: {self.web.headers['Authorization']}"]
        self.socket = websocket.create_connection(address, timeout=300, header=header)
        try:
            yield self.socket
        finally:
            self.socket.close()
            self.socket = None

    def run(self, code: str) -> str:
        """Run code in the kernel and return what it printed. Raises CellError."""
        request = uuid.uuid4().hex
        header = {"msg_id": request, "msg_type": "execute_request", "session": request, "username": ""}
        content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
        message = {
            "header": header | {"version": "5.3"},
            "parent_header": {},
            "metadata": {},
            "content": content,
        }
        printed, failed, waiting = "", "", {"execute_reply", "idle"}
        with self.connected() as socket:
            socket.send(json.dumps(message | {"channel": "shell"}))
            while waiting:
                received = json.loads(socket.recv())
                if received["parent_header"].get("msg_id") != request:
                    continue
                kind, content = received["msg_type"], received["content"]
                waiting -= {kind, content.get("execution_state")}
                if kind == "stream" and content["name"] == "stdout":
                    printed += content["text"]
                elif kind == "error":
                    failed = f"{content['ename']}: {content['evalue']}"
        if failed:
            raise CellError(failed)
        return printed

    def attempt(self, code: str) -> str:
        """Run code; return its output or its error."""
        try:
            return self.run(code).strip()
        except CellError as error:
            return str(error)
