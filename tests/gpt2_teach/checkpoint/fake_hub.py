"""A fake Hugging Face Hub on the loopback address that can simulate the faults of a real one.

It implements what huggingface_hub needs to download a model: `HEAD` and `GET` of
`/NAME/resolve/REVISION/FILE` with the Hub's headers, ranges and error codes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

Fault = Literal[
    "",
    "429",
    "503",
    "429 at the file",
    "nonsense",
    "never answers",
    "half then silence",
    "half then cut once",
    "slow",
    "bad token",
]
NOWHERE = "http://127.0.0.1:9"  # the discard port, where nothing listens


class FakeHub(ThreadingHTTPServer):
    """A server of `models`, which maps name and revision to a folder; `fault` is how it misbehaves."""

    daemon_threads = True
    models: dict[str, dict[str, Path]]
    fault: Fault
    requests: list[str]  # so far
    closing: threading.Event

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_: object) -> None:
        """Ignore clients that hang up: several tests do so on purpose."""


def commit_of(revision: str) -> str:
    """Return the commit of a branch, or a commit unchanged."""
    return revision if len(revision) == 40 else hashlib.sha1(revision.encode()).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    server: FakeHub
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Write nothing to standard error."""

    def do_HEAD(self) -> None:
        self.answer(with_body=False)

    def do_GET(self) -> None:
        self.answer(with_body=True)

    def answer(self, with_body: bool) -> None:
        hub = self.server
        hub.requests.append(f"{self.command} {self.path}")
        name, _, rest = unquote(self.path).lstrip("/").partition("/resolve/")
        revision, _, filename = rest.partition("/")
        revisions = {key: path for r, path in hub.models.get(name, {}).items() for key in (r, commit_of(r))}
        if hub.fault == "never answers":
            hub.closing.wait()
        elif hub.fault in ("429", "503") or (
            hub.fault == "429 at the file" and with_body and "model" in filename
        ):
            self.send(b"", with_body, int(hub.fault[:3]), Retry_After="3600")
        elif hub.fault == "nonsense":
            self.send(b"<html>Welcome to this hotel</html>", with_body)
        elif hub.fault == "bad token" and "authorization" in self.headers:
            self.send(b"", with_body, 401, X_Error_Message="Invalid credentials in Authorization header")
        elif name not in hub.models:
            self.send(b"", with_body, 401, X_Error_Code="RepoNotFound")
        elif revision not in revisions:
            self.send(b"", with_body, 404, X_Error_Code="RevisionNotFound")
        elif not (file := revisions[revision] / filename).is_file():
            self.send(b"", with_body, 404, X_Error_Code="EntryNotFound", X_Repo_Commit=commit_of(revision))
        else:
            body = file.read_bytes()
            start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])
            headers = {"ETag": f'"{hashlib.sha256(body).hexdigest()}"', "X_Repo_Commit": commit_of(revision)}
            if start:
                headers["Content_Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
            self.send(body[start:], with_body, 206 if start else 200, **headers)

    def send(self, body: bytes, with_body: bool, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if with_body and "model.safetensors" in self.path:
            self.send_weights(body)
        elif with_body:
            self.wfile.write(body)

    def send_weights(self, body: bytes) -> None:
        hub = self.server
        if hub.fault == "half then silence" and "Range" in self.headers:
            hub.closing.wait()
        elif hub.fault == "slow":  # 5 s in all
            step = -(-len(body) // 10)
            for start in range(0, len(body), step):
                self.wfile.write(body[start : start + step])
                time.sleep(0.5)
        elif hub.fault.startswith("half then"):
            self.wfile.write(body[: len(body) // 2])
            self.wfile.flush()
            if hub.fault == "half then silence":
                hub.closing.wait()
            hub.fault = ""
            self.close_connection = True
        else:
            self.wfile.write(body)


@contextlib.contextmanager
def fake_hub(models: dict[str, dict[str, Path]], fault: Fault = "") -> Iterator[FakeHub]:
    """Run a Hub for the duration of the `with` block."""
    hub = FakeHub(("127.0.0.1", 0), _Handler)
    hub.models, hub.fault, hub.requests, hub.closing = models, fault, [], threading.Event()
    thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield hub
    finally:
        hub.closing.set()
        hub.shutdown()
        hub.server_close()
        thread.join()


def environment(endpoint: str, home: Path) -> dict[str, str]:
    """Return variables that make huggingface_hub use `endpoint` and keep everything in `home`."""
    no_proxy = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1")
    return {"HF_ENDPOINT": endpoint, "HF_HOME": str(home), **no_proxy}


def variables_of_this_machine() -> list[str]:
    """Return the names of this machine's variables that would influence a test."""
    return [
        name
        for name in os.environ
        if name.startswith(("HF_", "HUGGINGFACE_", "TRANSFORMERS_", "GPT2_TEACH_"))
    ]
