"""Says at each page's end what it was checked with, and at a chapter's head where its notebook is.

The versions are those that the outputs come from: the folder that keeps these is named after them
(`execution_cache.outputs_key`). The date is the commit's; that of the build would differ each time.
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


def versions() -> list[str]:
    """What decides the outputs most, each with its version, without the variant that a build of it has."""
    source = (package_folder("gpt2_teach") / "__init__.py").read_text(encoding="utf-8")
    own = re.search(r'__version__ = "(.+?)"', source)
    names = {"PyTorch": "torch", "transformers": "transformers"}
    found = [f"{name} {version(package).partition('+')[0]}" for name, package in names.items()]
    return [f"Python {platform.python_version()}", *found, f"gpt2_teach {own[1] if own else '?'}"]


def date(root: Path) -> str:
    """The day of the commit that `root` holds, by SOURCE_DATE_EPOCH or git; empty where nobody knows."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.fromtimestamp(int(epoch), UTC).date().isoformat()
    if not (root / ".git").exists():  # no repository, or a folder in somebody else's
        return ""
    changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    return "" if changed or changed is None else _git(root, "log", "-1", "--format=%cs") or ""


def _git(root: Path, *command: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(root), *command], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def gather(app: Sphinx, config: Config) -> None:
    """Find both once; where one changes, the pages are written again."""
    config.book_versions, config.book_date = versions(), date(Path(app.srcdir))
    config.templates_path = [*config.templates_path, os.path.relpath(TEMPLATES, app.confdir)]


def add(
    app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Hand the values to the template, and link to the notebook under the title of a page made from one."""
    context["book_versions"], context["book_date"] = app.config.book_versions, app.config.book_date
    source = context.get("sourcename") or ""
    if doctree is None or not source.endswith(".ipynb") or "body" not in context:
        return
    address = html.escape(context["pathto"](f"_sources/{source}", resource=True))
    name = html.escape(posixpath.basename(source))
    run = html.escape(context["pathto"]("book/run")) if "book/run" in app.env.found_docs else ""
    how = f' and <a href="{run}">run it yourself</a>' if run else ""
    link = (
        '<p class="notebook-link only-screen">'
        f'<a href="{address}" download="{name}">Download this notebook</a> ({name}){how}.</p>'
    )
    context["body"] = context["body"].replace("</h1>", f"</h1>\n{link}", 1)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("book_versions", [], "html")
    app.add_config_value("book_date", "", "html")
    app.connect("config-inited", gather)
    app.connect("html-page-context", add)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
