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

README, VALUES, EXCHANGE = (
    (ROOT / "deploy" / name).read_text(encoding="utf-8")
    for name in ("README.md", "values.yaml", "values-exchange.yaml")
)
SINGLEUSER: dict[str, Any] = yaml.safe_load(VALUES)["singleuser"]
SCHEMA = os.environ.get("Z2JH_SCHEMA", "")
each = pytest.mark.parametrize("text", [VALUES, EXCHANGE], ids=["values", "exchange"])


@pytest.mark.skipif(not SCHEMA, reason="Z2JH_SCHEMA is not set to the chart's values.schema.json")
@each
def test_the_values_match_the_charts_schema(text: str) -> None:
    schema = yaml.safe_load(Path(SCHEMA).read_text(encoding="utf-8"))
    found = jsonschema.Draft7Validator(schema).iter_errors(yaml.safe_load(text))
    # The chart's defaults have the required values that are missing here.
    assert [error.message for error in found if error.validator != "required"] == []


@each
def test_readme_names_what_to_fill_in(text: str) -> None:
    marks = set(re.findall(r": (FILL-IN-[A-Z]+)", text))
    assert marks
    assert marks <= set(re.findall(r"`(FILL-IN-[A-Z]+)`", README))
    assert text != VALUES or "FILL-IN-AUTHENTICATOR" in marks  # nobody can log in before one is chosen


def test_sizes_match_the_measurements_in_readme() -> None:
    measured = re.findall(r"(\d\.\d\d) GB", VALUES)
    assert set(measured) <= set(re.findall(r"\d\.\d\d", README))
    student, chapter, server = map(float, measured)
    guarantee, limit = (SINGLEUSER["memory"][key] for key in ("guarantee", "limit"))
    assert int(guarantee.removesuffix("M")) > student * 1000
    assert int(limit.removesuffix("G")) > chapter + server
