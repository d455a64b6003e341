"""Writes the links to Binder, Colab and Codespaces for the students' README."""

from __future__ import annotations

from repository_address import INTRODUCTION, Address  # book/_ext


def launch_links(address: Address, chapters: list[str]) -> str:
    """Return a paragraph of Markdown; `chapters` are paths relative to the published folder."""
    links = [f"[Binder]({address.binder(INTRODUCTION)})"]
    if address.on_github:
        colab = ", ".join(
            f"[{number}]({address.colab(path)})" for number, path in enumerate(chapters, start=1)
        )
        links += [f"Colab (chapter {colab})", f"[Codespaces]({address.codespace()})"]
    return "Without installing anything: " + "; ".join(links) + "."
