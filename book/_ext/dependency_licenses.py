"""The directive `{dependencies}`: the installed packages of `requirements.lock`, listed by license."""

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

# Classifiers and free texts with the same meaning as an SPDX identifier, or as one without its version.
_SPDX = {
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
    """Return the license in the package's metadata. Raises ValueError if there is none."""
    metadata = package.metadata
    if "License-Expression" in metadata:
        return metadata["License-Expression"]
    classified = [
        line.rpartition(" :: ")[2]
        for line in metadata.get_all("Classifier") or []
        if line.startswith("License ::") and line != "License :: OSI Approved"
    ]
    text = metadata["License"].strip() if "License" in metadata else ""
    license_ = " or ".join(sorted(_SPDX.get(name, name) for name in classified))
    if not license_ and text and "\n" not in text:
        license_ = _SPDX.get(text, text)
    if not license_:
        raise ValueError(f"{package.name} {package.version} states no license in its metadata")
    return license_


def packages_by_license(lock: Path) -> dict[str, list[str]]:
    """Group the installed packages of a lock file, with versions, by license, the most common first."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(re.findall(r"^([\w.-]+)==", lock.read_text(encoding="utf-8"), flags=re.M)):
        try:
            package = distribution(name)
        except PackageNotFoundError:  # for another system
            continue
        found[license_of(package)].append(f"{name} {package.version.partition('+')[0]}")
    return dict(sorted(found.items(), key=lambda item: (-len(item[1]), item[0])))


class Dependencies(SphinxDirective):
    """`dependencies`: a definition list with an entry a license."""

    def run(self) -> list[nodes.Node]:
        lock = Path(self.env.srcdir) / "requirements.lock"
        self.env.note_dependency(str(lock))
        try:
            found = packages_by_license(lock)
        except ValueError as error:
            raise ExtensionError(str(error)) from error
        entries = []
        for name, packages in found.items():
            body = nodes.definition("", nodes.paragraph("", ", ".join(packages)))
            entries.append(nodes.definition_list_item("", nodes.term("", name), body))
        return [nodes.definition_list("", *entries, computed=True)]  # no prose: `checked_numbers`


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_directive("dependencies", Dependencies)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
