"""Where the trained GPT-2 would come from: what `load_gpt2` would make of it, without the download."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpt2_teach.checkpoint.loaded import NAME_VARIABLE
from gpt2_teach.doctor.findings import Finding, last_line, run

HUB_SECONDS, LOAD_SECONDS = 60.0, 300.0  # more than a slow machine needs
AT_HAND = ("-m", "gpt2_teach.checkpoint.at_hand")


def checkpoint() -> Iterator[Finding]:
    """Whether it can be had, from where, and whether what is on this machine loads."""
    named = os.environ.get(NAME_VARIABLE, "")
    if named and not (folder := Path(named).expanduser()).is_absolute() and folder.is_dir():
        what = f"{NAME_VARIABLE}={named!r} is looked for from where a notebook runs, which need not be here"
        yield Finding("note", what, f"set it to {folder.resolve()}")
    done = run(*AT_HAND, seconds=HUB_SECONDS)
    if done is None:
        yield _no_hub(f"the Hub did not answer in {HUB_SECONDS:.0f} seconds")
        return
    found = _event(done)
    if found["event"] == "unreachable":
        yield _no_hub(found["words"])
    elif found["event"] == "done" and found["folder"]:
        loaded = run(*AT_HAND, found["folder"], seconds=LOAD_SECONDS)
        if loaded is None:
            yield _fault(f"{found['words']}, and did not load in {LOAD_SECONDS:.0f} seconds")
        elif (said := _event(loaded))["event"] == "done":
            yield Finding("ok", f"{found['words']}, and loads")
        else:
            yield _fault(said["words"])
    elif found["event"] == "done":
        yield Finding("ok", found["words"])
    else:
        yield _fault(found["words"])


def _event(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The last of what `at_hand` said, or how it came to its end."""
    try:
        event: dict[str, Any] = json.loads(last_line(done.stdout))
    except ValueError:
        event = {}
    if done.returncode == 0 and event.get("event") in ("done", "wrong", "unreachable"):
        return event
    return {"event": "crash", "words": last_line(done.stderr) or f"it crashed (exit code {done.returncode})"}


def _fault(words: str) -> Finding:
    if os.environ.get(NAME_VARIABLE):
        advice = f"mend or unset {NAME_VARIABLE}"
    elif os.environ.get("HF_ENDPOINT"):
        advice = f"see whether HF_ENDPOINT={os.environ['HF_ENDPOINT']} is meant"
    else:
        advice = "see 'The real GPT-2' on the page 'Run it yourself' of the book"
    return Finding("fault", f"the checkpoint: {words}", advice)


def _no_hub(reason: str) -> Finding:
    from gpt2_teach.checkpoint.load import refuse_if_required, what_is_meant  # imports PyTorch, which works

    name = str(what_is_meant(None, None)[1])
    try:
        refuse_if_required(name, reason)
    except RuntimeError as error:
        return Finding("fault", f"the checkpoint: {error}")
    stand_in = "until it can, a chapter that wants it shows a stand-in with random weights, and says so"
    return Finding("note", f"{name} cannot be had now: {reason}", stand_in)
