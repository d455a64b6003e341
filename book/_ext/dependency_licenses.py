"""The directive `{dependencies}`: the installed packages of `requirements.lock`, listed by license."""

from __future__ import annotations

import re
from collections import defaultdict
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
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
    """Return the license in the package's metadata: an expression, its classifiers, or a text of one line."""
    metadata: Any = package.metadata
    if expression := metadata.get("License-Expression"):
        return str(expression)
    names = [
        line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier", []) if "License ::" in line
    ]
    stated = [name for name in names if name != "OSI Approved"] or [metadata.get("License", "not stated")]
    return " or ".join(sorted(_SPDX.get(name.strip(), name.strip()) for name in stated))


class Dependencies(SphinxDirective):
    """`dependencies`: a definition list with an entry a license, the most common first."""

    def run(self) -> list[nodes.Node]:
        lock = (Path(self.env.srcdir) / "requirements.lock").read_text(encoding="utf-8")
        found: dict[str, list[str]] = defaultdict(list)
        for name in dict.fromkeys(re.findall(r"^([\w.-]+)==", lock, flags=re.M)):
            try:
                package = distribution(name)
            except PackageNotFoundError:  # for another system
                continue
            found[license_of(package)].append(f"{name} {package.version.partition('+')[0]}")
        entries = []
        for license_, packages in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
            body = nodes.definition("", nodes.paragraph("", ", ".join(packages)))
            entries.append(nodes.definition_list_item("", nodes.term("", license_), body))
        return [nodes.definition_list("", *entries, computed=True)]  # no prose: `checked_numbers`


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_directive("dependencies", Dependencies)
