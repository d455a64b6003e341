"""A tiny GPT-2, an empty cache, and a Hub that has the model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from gpt2_teach.checkpoint.model_source import DEFAULT_NAME, DEFAULT_REVISION
from tests.gpt2_teach.checkpoint.fake_hub import (
    NOWHERE,
    FakeHub,
    Fault,
    environment,
    fake_hub,
    variables_of_this_machine,
)
from tests.gpt2_teach.checkpoint.gpt2_files import TINY, gpt2, write

Serve = Callable[..., AbstractContextManager[FakeHub]]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a tiny GPT-2."""
    return write(gpt2(**TINY), tmp_path_factory.mktemp("tiny"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Set up an empty cache and no Hub."""
    for name in variables_of_this_machine():
        monkeypatch.delenv(name)
    for name, value in environment(NOWHERE, tmp_path / "home").items():
        monkeypatch.setenv(name, value)
    return tmp_path / "home"


@pytest.fixture
def serve(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Run a Hub that has two models, optionally with a fault, until the block ends."""

    @contextmanager
    def serve(fault: Fault = "", folder: Path = tiny) -> Iterator[FakeHub]:
        models = {DEFAULT_NAME: {DEFAULT_REVISION: folder}, "someone/gpt2": {"main": folder, "v2": folder}}
        with fake_hub(models, fault) as hub:
            monkeypatch.setenv("HF_ENDPOINT", hub.endpoint)
            yield hub
        monkeypatch.setenv("HF_ENDPOINT", NOWHERE)

    return serve
