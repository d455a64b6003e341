"""The values for Kubernetes match the chart's schema, if it is available, and the README."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.small_books import ROOT

FILES = ["values.yaml", "values-exchange.yaml"]
SCHEMA = os.environ.get("Z2JH_SCHEMA")


def values(name: str) -> dict[str, Any]:
    """Read a values file as helm does."""
    read: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / name).read_text(encoding="utf-8"))
    return read


@pytest.mark.skipif(
    not SCHEMA, reason="Z2JH_SCHEMA is not set to the chart's values.schema.json (`helm pull --untar`)"
)
@pytest.mark.parametrize("name", FILES)
def test_the_values_match_the_charts_schema(name: str) -> None:
    schema = yaml.safe_load(Path(SCHEMA or "").read_text(encoding="utf-8"))
    found = jsonschema.Draft7Validator(schema).iter_errors(values(name))
    # The chart's defaults have the required values that are missing here.
    assert [error.message for error in found if error.validator != "required"] == []


@pytest.mark.parametrize("name", FILES)
def test_readme_names_what_to_fill_in(name: str) -> None:
    text, readme = ((ROOT / "deploy" / file).read_text(encoding="utf-8") for file in (name, "README.md"))
    marks = set(re.findall(r": (FILL-IN-[A-Z]+)", text))
    assert marks
    assert marks <= set(re.findall(r"`(FILL-IN-[A-Z]+)`", readme))


def test_sizes_match_the_measurements_in_readme() -> None:
    readme = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
    comments = (ROOT / "deploy" / "values.yaml").read_text(encoding="utf-8")
    measured = re.findall(r"(\d\.\d\d) GB", comments)
    assert len(measured) == 3
    assert set(measured) <= set(re.findall(r"\d\.\d\d", readme))
    student, chapter, server = map(float, measured)
    memory = values("values.yaml")["singleuser"]["memory"]
    bytes_of = {"M": 1e6, "G": 1e9}
    guarantee, limit = (float(memory[key][:-1]) * bytes_of[memory[key][-1]] for key in ("guarantee", "limit"))
    assert guarantee > student * 1e9
    assert limit > (chapter + server) * 1e9


def test_nobody_can_log_in_before_an_authenticator_is_chosen() -> None:
    assert values("values.yaml")["hub"]["config"]["JupyterHub"]["authenticator_class"].startswith("FILL-IN-")
