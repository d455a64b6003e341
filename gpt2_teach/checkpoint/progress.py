"""How far a download is, drawn in a terminal or a notebook, but never on a page of the book."""

from __future__ import annotations

from typing import Any

from explorable import in_book


class Bar:
    """huggingface_hub's own progress bar, drawn once there is something to show and gone when it is over."""

    def __init__(self) -> None:
        self.file: str | None = None
        self.bar: Any = None

    def __enter__(self) -> Bar:
        return self

    def show(self, message: dict[str, Any]) -> None:
        """Draw how far the file has come that a message of the fetching process speaks of."""
        if message.get("file") is None or in_book():  # a page would keep the bar for ever
            return
        if message["file"] != self.file:
            from huggingface_hub.utils import tqdm  # knows notebooks, and HF_HUB_DISABLE_PROGRESS_BARS

            self.close()
            self.file = message["file"]
            self.bar = tqdm(
                desc=self.file,
                total=message["total"],
                unit="B",
                unit_scale=True,
                mininterval=0.5,
                leave=False,
            )
        self.bar.update(message["n"] - self.bar.n)

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.close()

    def __exit__(self, *_: object) -> None:
        self.close()
