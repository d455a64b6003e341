"""Adds versions and a date to each page's footer, and a download link for the notebook to each chapter.

The outputs come from the stated versions, since the key of the execution cache includes them
(`execution_cache.outputs_key`). The date is the commit's, since the date of the build would differ each time.
"""

from __future__ import annotations

import os
import platform
import posixpath
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.config import Config

from gpt2_teach import __version__


def main_versions() -> list[str]:
    """Return the packages that affect outputs most, with versions but without local labels such as +cpu."""
    found = {
        "Python": platform.python_version(),
        "PyTorch": version("torch").partition("+")[0],
        "transformers": version("transformers"),
        "gpt2_teach": __version__,
    }
    return [" ".join(item) for item in found.items()]


def commit_date(root: Path) -> str:
    """Return the date of SOURCE_DATE_EPOCH or of the commit in `root`, or an empty string if unknown."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    if not (root / ".git").exists():  # no repository, or only a folder in one
        return ""

    def git(command: str) -> str:
        done = subprocess.run(["git", *command.split()], cwd=root, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    try:
        changed = git("status --porcelain --untracked-files=no")
        return "" if changed else git("log -1 --format=%cs")
    except (OSError, subprocess.CalledProcessError):  # no git, or no commit
        return ""


def set_versions_and_date(app: Sphinx, config: Config) -> None:
    """Pass versions and date to the footer's template."""
    config.html_context |= {"book_versions": main_versions(), "book_date": commit_date(Path(app.srcdir))}


def add_notebook_link(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Add a link to the notebook under a chapter's title."""
    source = context.get("sourcename") or ""
    if doctree is None or not source.endswith(".ipynb"):
        return
    name = posixpath.basename(source)
    address, run = context["pathto"](f"_sources/{source}", resource=True), context["pathto"]("book/run")
    link = f'<a href="{address}" download="{name}">Download this notebook</a> ({name})'
    line = f'<p class="notebook-link only-screen">{link} and <a href="{run}">run it yourself</a>.</p>'
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{line}", 1)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("config-inited", set_versions_and_date)
    app.connect("html-page-context", add_notebook_link)
