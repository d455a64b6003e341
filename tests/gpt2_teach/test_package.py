"""The packages as a whole: light to import, every public thing explained."""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import explorable
import gpt2_teach

ROOT = Path(gpt2_teach.__file__).parent.parent
PATHS = [path for name in ("explorable", "gpt2_teach") for path in sorted((ROOT / name).rglob("*.py"))]
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in PATHS
}


@pytest.mark.parametrize(
    ("code", "light"),
    [
        ("import explorable, gpt2_teach", "torch numpy sphinx tabulate"),
        ("from gpt2_teach import GPT, load_gpt2, random_walk", ""),
    ],
)
def test_an_import_brings_nothing_heavy_that_it_does_not_need(code: str, light: str) -> None:
    heavy = [*light.split(), "transformers", "matplotlib", "huggingface_hub", "IPython", "ipywidgets"]
    code = f"import sys; {code}; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("package", [explorable, gpt2_teach])
def test_every_public_name_is_there_when_asked_for(package: ModuleType) -> None:
    for name in package.__all__:
        assert name in dir(package)
        value = getattr(package, name)
        assert value.__doc__
        assert getattr(package, name) is value


@pytest.mark.parametrize("package", [explorable, gpt2_teach])
def test_an_unknown_name_is_refused_with_the_known_ones(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match=f"no attribute 'GTP'.*{', '.join(package.__all__)}"):
        package.GTP  # noqa: B018


@pytest.mark.parametrize("module", MODULES)
def test_every_public_class_and_function_has_a_docstring(module: str) -> None:
    loaded = importlib.import_module(module)
    for name, thing in vars(loaded).items():
        own = not name.startswith("_") and getattr(thing, "__module__", "") == module
        if own and (inspect.isfunction(thing) or inspect.isclass(thing)):
            assert thing.__doc__, name


@pytest.mark.parametrize("module", MODULES)
def test_a_module_fits_into_the_head(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= 180
