"""The two kinds of failure: a wrong checkpoint, and a Hub that cannot be reached."""


class CheckpointError(ValueError):
    """The requested checkpoint does not exist, is incomplete or is not a GPT-2; a retry will not help."""


class HubUnreachableError(ConnectionError):
    """The Hub, the connection to it or the cache is not working; the message says which."""
