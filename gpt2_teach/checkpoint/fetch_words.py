"""What went wrong between us and the Hub, in words for a reader, and whether the name is at fault."""

from __future__ import annotations

import re

from huggingface_hub import constants
from huggingface_hub.errors import (
    EntryNotFoundError,
    GatedRepoError,
    HFValidationError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)


class WrongError(Exception):
    """The name or the revision is at fault: trying again later will not help."""


class BrokenError(Exception):
    """What answered or arrived cannot be used."""


def root(error: BaseException) -> BaseException:
    """The error that huggingface_hub's "and not in the cache either" was raised from, where there is one."""
    if isinstance(error, (LocalEntryNotFoundError, ValueError)) and error.__cause__ is not None:
        return root(error.__cause__)
    return error


def status(error: BaseException) -> int | None:
    """The HTTP status that an error stands for, if any."""
    return getattr(getattr(error, "response", None), "status_code", None)


def is_missing_file(error: BaseException) -> bool:
    """Whether the Hub says that a file does not exist, which is more than that the cache lacks it."""
    return status(error) == 404 or (
        isinstance(error, EntryNotFoundError) and not isinstance(error, LocalEntryNotFoundError)
    )


def in_words(error: BaseException, revision: str) -> tuple[str, str]:
    """The event, `wrong` or `unreachable`, that an error is, and what a reader should know of it."""
    hub, code = constants.ENDPOINT, status(error)
    text = re.sub(r"^\[Errno -?\d+\] ", "", str(error).strip().partition("\n")[0])
    match error:
        case WrongError():
            return "wrong", text
        case BrokenError():
            return "unreachable", text
        case HFValidationError():
            return "wrong", f"is not a name that the Hub allows: {text}"
        case RevisionNotFoundError():
            return "wrong", f"has no revision {revision!r} on {hub}"
        case GatedRepoError():
            return "wrong", f"is given out by {hub} only to those who asked and have a token (HF_TOKEN)"
        case LocalEntryNotFoundError() | OfflineModeIsEnabled():
            return "unreachable", "HF_HUB_OFFLINE is set, and the files are not in the cache"
        case EntryNotFoundError():
            return "wrong", f"has no config.json at revision {revision!r} on {hub}"
        case RepositoryNotFoundError():
            return "wrong", f"is not known to {hub}, or is private (HTTP {code})"
    if code in (401, 404):
        return "wrong", f"is not known to {hub}, or is private (HTTP {code})"
    if code == 429:
        return "unreachable", f"{hub} has had too many requests for now (HTTP 429)"
    if code is not None:
        return "unreachable", f"{hub} answers with an error (HTTP {code})"
    if isinstance(error, OSError) and error.errno is not None:
        return "unreachable", f"the cache {constants.HF_HUB_CACHE} cannot be used ({error.strerror})"
    return "unreachable", f"no good connection to {hub} ({text or type(error).__name__})"
