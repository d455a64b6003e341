"""The packages as a whole: light to import, every public thing explained."""

from __future__ import annotations

import ast
import doctest
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


def test_a_model_brings_torch_alone() -> None:
    heavy = ("transformers", "matplotlib", "huggingface_hub", "IPython", "ipywidgets")
    ask = f"print([m for m in {heavy} if m in sys.modules])"
    assert fresh(f"import sys; from gpt2_teach import GPT, random_walk; {ask}") == "[]"


def test_asking_for_the_loader_does_not_yet_import_transformers() -> None:
    assert (
        fresh("import sys; from gpt2_teach import load_gpt2; print('transformers' in sys.modules)") == "False"
    )


@pytest.mark.parametrize("package", [explorable, gpt2_teach])
def test_every_public_name_is_there_when_asked_for(package: ModuleType) -> None:
    for name in package.__all__:
        assert name in dir(package)
        value = getattr(package, name)
        assert value.__doc__
        assert getattr(package, name) is value


def test_the_public_names_are_those_of_the_design() -> None:
    assert {"GPT", "GPTConfig", "load_gpt2", "random_walk", "residual_std"} <= set(gpt2_teach.__all__)
    assert gpt2_teach.__all__ == sorted(gpt2_teach.__all__)
    assert len(gpt2_teach.__all__) <= 12  # and few others


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    known = "GPT, GPTConfig, build_gpt, demos, load_gpt2"
    with pytest.raises(AttributeError, match=rf"'gpt2_teach' has no attribute 'GTP'.*{known}"):
        gpt2_teach.GTP  # noqa: B018
    with pytest.raises(
        AttributeError, match="'explorable' has no attribute 'explor'; it offers explore, self"
    ):
        explorable.explor  # noqa: B018


@pytest.mark.parametrize(
    "first",
    [
        "from gpt2_teach.walk import walk_std",
        "from gpt2_teach import random_walk; import gpt2_teach.walk",
    ],
)
def test_random_walk_is_the_function_whatever_was_imported_before(first: str) -> None:
    assert (
        fresh(f"{first}\nfrom gpt2_teach import random_walk\nprint(len(random_walk(2, 3, generator=0)))")
        == "3"
    )


def test_star_import_brings_the_public_names() -> None:
    code = "from gpt2_teach import *\nprint(sorted(n for n in globals() if not n.startswith('_')))"
    assert fresh(code) == str(sorted(gpt2_teach.__all__))


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


@EVERY
def test_a_module_says_what_it_is_for_in_its_first_line(module: str) -> None:
    doc = importlib.import_module(module).__doc__
    assert doc
    assert len(doc.splitlines()[0]) > 20


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
def test_docstring_examples_run(module: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testmod(importlib.import_module(module))
    assert results.failed == 0


@EVERY
def test_a_module_fits_into_the_head(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= 200


@EVERY
def test_no_module_seeds_the_global_generator_or_prints(module: str) -> None:
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            assert called != "print" or module == "gpt2_teach.doctor", "only a command's report is printed"
            assert called not in {
                "torch.manual_seed",
                "torch.random.manual_seed",
                "np.random.seed",
                "random.seed",
            }
