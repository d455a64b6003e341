"""Lists what the book stands on by license: every package of the lock that is installed here."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

# Classifiers and free texts that say the same as one of the identifiers of SPDX, or leave its version open.
_SAME = {
    "Apache 2.0": "Apache-2.0",
    "Apache 2.0 License": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


def license_of(package: Distribution) -> str:
    """What the package's metadata says; raises ValueError if it says nothing."""
    said = package.metadata
    if "License-Expression" in said:
        return said["License-Expression"]
    classified = [
        line.rpartition(" :: ")[2]
        for line in said.get_all("Classifier") or []
        if line.startswith("License ::") and line != "License :: OSI Approved"
    ]
    text = said["License"].strip() if "License" in said else ""
    named = " or ".join(sorted(_SAME.get(name, name) for name in classified))
    if not named and text and "\n" not in text:
        named = _SAME.get(text, text)
    if not named:
        raise ValueError(f"{package.name} {package.version} does not say its license")
    return named


def by_license(lock: Path) -> dict[str, list[str]]:
    """Licence to the packages of a lock that are installed here, with versions; the commonest first."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(re.findall(r"^([\w.-]+)==", lock.read_text(encoding="utf-8"), flags=re.M)):
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another system
            continue
        found[license_of(package)].append(f"{name} {package.version.partition('+')[0]}")
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


class Dependencies(SphinxDirective):
    """`dependencies`: a list with an entry a license."""

    def run(self) -> list[nodes.Node]:
        """The list."""
        lock = Path(self.env.srcdir) / "requirements.lock"
        self.env.note_dependency(str(lock))
        try:
            found = by_license(lock)
        except ValueError as error:
            raise ExtensionError(str(error)) from error
        entries = []
        for name, packages in found.items():
            body = nodes.definition("", nodes.paragraph("", ", ".join(packages)))
            entries.append(nodes.definition_list_item("", nodes.term("", name), body))
        return [nodes.definition_list("", *entries)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_directive("dependencies", Dependencies)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
