"""The packages as a whole: light to import, every public thing explained."""

from __future__ import annotations

import ast
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
EVERY = pytest.mark.parametrize("module", [module for module in MODULES if "." in module])


def fresh(code: str) -> str:
    """Run `code` in a process of its own and return what it prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def imported(path: Path, *, top_level_only: bool = False) -> set[str]:
    """Names of the modules that a file imports, except for the type checker's sake alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            return
        if top_level_only and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            return
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            assert node.module is not None
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(tree)
    return names


# ---- importing ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("package", ["explorable", "gpt2_teach"])
def test_importing_a_package_imports_nothing_heavy(package: str) -> None:
    heavy = "torch transformers matplotlib numpy huggingface_hub IPython ipywidgets sphinx tabulate".split()
    assert fresh(f"import sys, {package}; print([m for m in {heavy} if m in sys.modules])") == "[]"


@pytest.mark.parametrize("package", [explorable, gpt2_teach])
def test_every_public_name_is_there_when_asked_for(package: ModuleType) -> None:
    for name in package.__all__:
        assert name in dir(package)
        value = getattr(package, name)
        assert value.__doc__
        assert getattr(package, name) is value


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    known = "GPT, GPTConfig, build_gpt, demos, load_gpt2"
    with pytest.raises(AttributeError, match=rf"'gpt2_teach' has no attribute 'GTP'.*{known}"):
        gpt2_teach.GTP  # noqa: B018
    with pytest.raises(
        AttributeError, match="'explorable' has no attribute 'explor'; it offers explore, self"
    ):
        explorable.explor  # noqa: B018


# ---- what imports what -------------------------------------------------------------------------------------


@EVERY
def test_only_what_draws_imports_matplotlib_and_nobody_imports_transformers_before_it_is_called(
    module: str,
) -> None:
    roots = {name.partition(".")[0] for name in imported(MODULES[module], top_level_only=True)}
    assert "transformers" not in roots
    drawing = ("explorable.figure_svg", "gpt2_teach.demos", "gpt2_teach.plots")
    assert ("matplotlib" in roots) <= module.startswith(drawing)


# ---- words -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [module for module in MODULES if "._" not in module])
def test_every_public_class_and_function_has_a_docstring_and_types(module: str) -> None:
    loaded = importlib.import_module(module)
    for name, thing in vars(loaded).items():
        if name.startswith("_") or getattr(thing, "__module__", "") != loaded.__name__:
            continue
        if inspect.isfunction(thing) or inspect.isclass(thing):
            assert thing.__doc__, name
        if inspect.isfunction(thing):
            signature = inspect.signature(thing)
            annotations = [p.annotation for p in signature.parameters.values()] + [
                signature.return_annotation
            ]
            assert inspect.Signature.empty not in annotations, name


@EVERY
def test_a_module_fits_into_the_head(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= 180
