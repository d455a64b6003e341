"""Check where the trained GPT-2 would be loaded from, and that it can be loaded, without downloading it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpt2_teach.checkpoint import stand_in
from gpt2_teach.checkpoint.model_source import NAME_VARIABLE, resolve_source
from gpt2_teach.doctor.findings import Finding, last_line, run_python

HUB_SECONDS, LOAD_SECONDS = 60.0, 300.0  # generous, for slow machines
AVAILABILITY = ("-m", "gpt2_teach.checkpoint.availability")


def checkpoint() -> Iterator[Finding]:
    """Check that the checkpoint is available and, if it is on this machine, that it can be loaded."""
    value = os.environ.get(NAME_VARIABLE, "")
    if value and not (folder := Path(value).expanduser()).is_absolute() and folder.is_dir():
        what = f"{NAME_VARIABLE}={value!r} is relative to the folder in which a notebook runs"
        yield Finding("note", what, f"set it to {folder.resolve()}")
    done = run_python(*AVAILABILITY, seconds=HUB_SECONDS)
    if done is None:
        yield _hub_unreachable(f"the Hub did not answer within {HUB_SECONDS:.0f} s")
        return
    result = _last_event(done)
    if result["event"] == "unreachable":
        yield _hub_unreachable(result["message"])
    elif result["event"] == "done" and result["folder"]:
        loaded = run_python(*AVAILABILITY, result["folder"], seconds=LOAD_SECONDS)
        if loaded is None:
            yield _fault(f"{result['message']}, but did not load within {LOAD_SECONDS:.0f} s")
        elif (outcome := _last_event(loaded))["event"] == "done":
            yield Finding("ok", f"{result['message']}, and can be loaded")
        else:
            yield _fault(outcome["message"])
    elif result["event"] == "done":
        yield Finding("ok", result["message"])
    else:
        yield _fault(result["message"])


def _last_event(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """Return the last event that `availability` reported, or a "crash" event if there is none."""
    try:
        event: dict[str, Any] = json.loads(last_line(done.stdout))
    except ValueError:
        event = {}
    if done.returncode == 0 and event.get("event") in ("done", "invalid", "unreachable"):
        return event
    return {
        "event": "crash",
        "message": last_line(done.stderr) or f"it crashed (exit code {done.returncode})",
    }


def _fault(message: str) -> Finding:
    if os.environ.get(NAME_VARIABLE):
        advice = f"correct or unset {NAME_VARIABLE}"
    elif os.environ.get("HF_ENDPOINT"):
        advice = f"check HF_ENDPOINT={os.environ['HF_ENDPOINT']}"
    else:
        advice = "see 'The real GPT-2' on the page 'Run it yourself' of the book"
    return Finding("fault", f"the checkpoint: {message}", advice)


def _hub_unreachable(reason: str) -> Finding:
    name = str(resolve_source()[1])
    try:
        stand_in.check_allowed(name, reason)
    except RuntimeError as error:
        return Finding("fault", f"the checkpoint: {error}")
    consequence = "until then, chapters that need it show a labelled stand-in with random weights"
    return Finding("note", f"{name} cannot be loaded now: {reason}", consequence)
