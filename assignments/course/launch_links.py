"""Where the students' folder can be opened, in words: added to its README where its address is known."""

from __future__ import annotations

from address import INTRODUCTION, Address  # book/_ext


def links(address: Address, chapters: list[str]) -> str:
    """A paragraph of Markdown that opens the book elsewhere; `chapters` are paths from the folder's top."""
    found = [f"[Binder]({address.binder(INTRODUCTION)})"]
    if address.on_github:
        colab = ", ".join(
            f"[{number}]({address.colab(path)})" for number, path in enumerate(chapters, start=1)
        )
        found += [f"Colab (chapter {colab})", f"[Codespaces]({address.codespace()})"]
    return "Without installing anything: " + "; ".join(found) + "."
