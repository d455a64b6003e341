"""The progress display of a download, in a terminal or a notebook, but never on a page of the book."""

from __future__ import annotations

from typing import Any

from explorable import in_book


class ProgressBar:
    """huggingface_hub's own progress bar, created with the first data of a file and removed at the end."""

    def __init__(self) -> None:
        self.file: str | None = None
        self.bar: Any = None

    def __enter__(self) -> ProgressBar:
        return self

    def update(self, event: dict[str, Any]) -> None:
        """Show the file and the byte count of a progress event."""
        if event.get("file") is None or in_book():  # a page would keep the bar
            return
        if event["file"] != self.file:
            from huggingface_hub.utils import tqdm  # supports notebooks and HF_HUB_DISABLE_PROGRESS_BARS

            self.close()
            self.file = event["file"]
            self.bar = tqdm(
                desc=self.file,
                total=event["total"],
                unit="B",
                unit_scale=True,
                mininterval=0.5,
                leave=False,
            )
        self.bar.update(event["n"] - self.bar.n)

    def close(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.close()

    def __exit__(self, *_: object) -> None:
        self.close()
