"""Checkpoint errors, and messages that explain failures of the Hub or of the connection to it."""

from __future__ import annotations

import re


class CheckpointError(ValueError):
    """The requested checkpoint does not exist, is incomplete or is not a GPT-2; a retry will not help."""


class HubUnreachableError(ConnectionError):
    """The Hub, the connection to it or the cache is not working; the message says which."""


def root_cause(error: BaseException) -> BaseException:
    """Return the error behind huggingface_hub's "not in the cache either" errors, or `error` itself."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    if isinstance(error, (LocalEntryNotFoundError, ValueError)) and error.__cause__ is not None:
        return root_cause(error.__cause__)
    return error


def http_status(error: BaseException) -> int | None:
    """Return the HTTP status of an error, or None if it has none."""
    return getattr(getattr(error, "response", None), "status_code", None)


def is_missing_file(error: BaseException) -> bool:
    """Return whether the Hub (and not just the cache) lacks a file."""
    from huggingface_hub.errors import EntryNotFoundError, LocalEntryNotFoundError

    error = root_cause(error)
    return http_status(error) == 404 or (
        isinstance(error, EntryNotFoundError) and not isinstance(error, LocalEntryNotFoundError)
    )


def explain(error: BaseException, revision: str) -> CheckpointError | HubUnreachableError:
    """Convert any download error to one of ours; a CheckpointError's message follows the model's name."""
    from huggingface_hub import constants, errors

    error = root_cause(error)
    hub, status = constants.ENDPOINT, http_status(error)
    text = re.sub(r"^\[Errno -?\d+\] ", "", str(error).strip().partition("\n")[0])
    match error:
        case CheckpointError() | HubUnreachableError():
            return error
        case errors.HFValidationError():
            return CheckpointError(f"is not a valid name on the Hub: {text}")
        case errors.RevisionNotFoundError():
            return CheckpointError(f"has no revision {revision!r} on {hub}")
        case errors.GatedRepoError():
            return CheckpointError(f"is gated on {hub}: request access and set HF_TOKEN")
        case errors.LocalEntryNotFoundError() | errors.OfflineModeIsEnabled():
            return HubUnreachableError("HF_HUB_OFFLINE is set, and the files are not in the cache")
        case errors.EntryNotFoundError():
            return CheckpointError(f"has no config.json at revision {revision!r} on {hub}")
        case errors.RepositoryNotFoundError():
            return CheckpointError(f"does not exist on {hub} or is private (HTTP {status})")
    if status in (401, 404):
        return CheckpointError(f"does not exist on {hub} or is private (HTTP {status})")
    if status == 429:
        return HubUnreachableError(f"{hub} received too many requests (HTTP 429)")
    if status is not None:
        return HubUnreachableError(f"{hub} answered with an error (HTTP {status})")
    if isinstance(error, OSError) and error.errno is not None:
        return HubUnreachableError(f"the cache {constants.HF_HUB_CACHE} is not usable ({error.strerror})")
    return HubUnreachableError(f"the connection to {hub} failed ({text or type(error).__name__})")
