"""Adds versions and a date to each page's footer, and a download link for the notebook to each chapter.

The outputs come from the stated versions, since the key of the execution cache includes them
(`execution_cache.outputs_key`). The date is the commit's, since the date of the build would differ each time.
"""

from __future__ import annotations

import html
import os
import platform
import posixpath
import re
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from execution_cache import package_folder
from sphinx.application import Sphinx
from sphinx.config import Config

TEMPLATES = Path(__file__).with_name("templates")


def main_versions() -> list[str]:
    """Return the packages that affect outputs most, with versions but without local labels such as +cpu."""
    source = (package_folder("gpt2_teach") / "__init__.py").read_text(encoding="utf-8")
    own = re.search(r'__version__ = "(.+?)"', source)
    names = {"PyTorch": "torch", "transformers": "transformers"}
    found = [f"{name} {version(package).partition('+')[0]}" for name, package in names.items()]
    return [f"Python {platform.python_version()}", *found, f"gpt2_teach {own[1] if own else '?'}"]


def commit_date(root: Path) -> str:
    """Return the date of SOURCE_DATE_EPOCH or of the commit in `root`, or an empty string if unknown."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    if not (root / ".git").exists():  # no repository, or only a folder in one
        return ""
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    return "" if changed or changed is None else _git(root, "log", "-1", "--format=%cs") or ""


def _git(root: Path, *command: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(root), *command], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def set_versions_and_date(app: Sphinx, config: Config) -> None:
    """Store versions and date as settings, so that Sphinx writes the pages again if they change."""
    config.book_versions, config.book_date = main_versions(), commit_date(Path(app.srcdir))
    config.templates_path = [*config.templates_path, os.path.relpath(TEMPLATES, app.confdir)]


def add_to_page(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Pass the values to the footer's template, and add a link to the notebook under a chapter's title."""
    context["book_versions"], context["book_date"] = app.config.book_versions, app.config.book_date
    source = context.get("sourcename") or ""
    if doctree is None or not source.endswith(".ipynb") or "body" not in context:
        return
    address = html.escape(context["pathto"](f"_sources/{source}", resource=True))
    name = html.escape(posixpath.basename(source))
    run = html.escape(context["pathto"]("book/run")) if "book/run" in app.env.found_docs else ""
    run_link = f' and <a href="{run}">run it yourself</a>' if run else ""
    link = (
        '<p class="notebook-link only-screen">'
        f'<a href="{address}" download="{name}">Download this notebook</a> ({name}){run_link}.</p>'
    )
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{link}", 1)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_versions", [], "html")
    app.add_config_value("book_date", "", "html")
    app.connect("config-inited", set_versions_and_date)
    app.connect("html-page-context", add_to_page)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
