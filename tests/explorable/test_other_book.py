"""Another Jupyter Book, with a copy of `explorable` beside its _config.yml, where torch is not installed."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, expect, sync_playwright

from explorable.sphinx_extension import PACKAGE
from tests.browser.contrast import faint
from tests.browser.demos import Demo
from tests.browser.find import browser as find_browser
from tests.browser.looks import STILL, axe, scheme
from tests.browser.visits import FLAGS, PHONE, none, visiting
from tests.small_books import ROOT, environment

CONFIG = """\
title: Another book
execute: {run_in_temp: true}
sphinx:
  local_extensions: {explorable: .}
"""
CONTENTS = "format: jb-book\nroot: intro\nchapters: [{file: chapters/demos}, {file: chapters/widget}]\n"
# This environment, as if neither torch nor what is in this repository were installed.
WITHOUT = f"""\
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "transformers", "gpt2_teach"):
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.path[:] = [path for path in sys.path if path != {str(ROOT)!r}]
sys.meta_path.insert(0, Missing())
"""
DEMOS = [
    """\
import matplotlib.pyplot as plt
from explorable import explore, self_check

def draw(n):
    figure, axes = plt.subplots()
    for k in range(10):
        axes.plot([0, 100], [k, k + n / 20], label=f"line {k}")
        axes.text(90, k + 0.1, f"C{k}", color=f"C{k}")
    axes.set(title=f"n is {n}", xlabel="x", ylabel="y", xlim=(0, 100), ylim=(-1, 15), yticks=range(0, 15, 5))
    axes.grid()
    axes.legend(loc="upper left", ncols=5)
    return figure, f"Ten lines rise by {n / 20:g}."

explore(draw, alt="Lines.", n=[1, 10, 100])""",
    """\
def bar(kind):
    figure, axes = plt.subplots()
    axes.bar(["a", "b"], [1, 2] if kind == "up" else [2, 1])
    axes.set(ylim=(0, 2.5), title=kind)
    return figure, f"The bars go {kind}."

explore(bar, alt="Two bars.", kind=["up", "down"])""",
    re.findall(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M | re.S)[
        0
    ],
    """\
self_check("2 + 2?", answer=4, tolerance=0.01, right="Yes.", slips={5: "One less."}, otherwise="Count.")""",
    """\
import importlib, os, explorable
for name in ("torch", "gpt2_teach"):
    try:
        importlib.import_module(name)
    except ModuleNotFoundError:
        print("without", name)
print(explorable.__file__, os.listdir())""",
]
WIDGET = ["import ipywidgets\nipywidgets.IntSlider(value=3, max=7)"]


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the book, built once."""
    root = tmp_path_factory.mktemp("other") / "a book"
    shutil.copytree(PACKAGE, root / "explorable", ignore=shutil.ignore_patterns("__pycache__"))
    (root / "chapters").mkdir()
    (root / "_config.yml").write_text(CONFIG, encoding="utf-8")
    (root / "_toc.yml").write_text(CONTENTS, encoding="utf-8")
    (root / "intro.md").write_text("# Another book\n", encoding="utf-8")
    for name, sources in (("demos", DEMOS), ("widget", WIDGET)):
        cells = [nbformat.v4.new_markdown_cell(f"# {name}"), *map(nbformat.v4.new_code_cell, sources)]
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(notebook, root / "chapters" / f"{name}.ipynb")
    blocker = tmp_path_factory.mktemp("without")
    (blocker / "sitecustomize.py").write_text(WITHOUT, encoding="utf-8")
    build = "from jupyter_book.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-P", "-c", build, "build", "-W", "--keep-going", str(root)],
        env=environment(PYTHONPATH=str(blocker)),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-5000:]
    return root


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for this module alone: an open Playwright runs an event loop."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        yield chromium
        chromium.close()


def page(book: Path, name: str) -> BeautifulSoup:
    source = (book / "_build" / "html" / f"{name}.html").read_text(encoding="utf-8")
    return BeautifulSoup(source, "html.parser")


def address(book: Path, name: str = "chapters/demos") -> str:
    return (book / "_build" / "html" / f"{name}.html").as_uri()


def test_a_kernel_in_a_folder_of_its_own_imports_the_copy_without_torch(book: Path) -> None:
    printed = page(book, "chapters/demos").get_text()
    assert "without torch\nwithout gpt2_teach\n" in printed
    assert f"{book / 'explorable' / '__init__.py'} []" in printed


def test_only_a_page_with_a_demo_or_a_self_check_has_their_script_and_style(book: Path) -> None:
    for name, expected in (("chapters/demos", 1), ("chapters/widget", 0), ("intro", 0), ("search", 0)):
        found = page(book, name)
        for file in ("demo", "question"):
            assert len(found.select(f"script[src*='_static/explorable/{file}.js']")) == expected, name
            assert len(found.select(f"link[href*='_static/explorable/{file}.css']")) == expected, name


def test_an_ordinary_widget_is_unharmed(book: Path) -> None:
    found = page(book, "chapters/widget")
    view = found.select_one("script[type='application/vnd.jupyter.widget-view+json']")
    state = found.select_one("script[type='application/vnd.jupyter.widget-state+json']")
    assert view
    assert state
    model = json.loads(state.get_text())["state"][json.loads(view.get_text())["model_id"]]
    assert (model["model_name"], model["state"]["value"], model["state"]["max"]) == ("IntSliderModel", 3, 7)
    assert found.select("script[src*='@jupyter-widgets/html-manager']")
    assert not page(book, "chapters/demos").select("script[src*='@jupyter-widgets']")


def test_sliders_and_choices_change_picture_and_words(book: Path, browser: Browser) -> None:
    with visiting(browser, address(book)) as visit:
        first, second = Demo(visit.page, 0), Demo(visit.page, 1)
        before = first.state(), second.state()
        first.goto((2,))
        assert "n is 100" in first.root.locator("svg").inner_html()
        assert first.root.locator("output").inner_text() == "100"
        expect(first.root.locator(".explore-words")).to_have_text("Ten lines rise by 5.")
        second.goto((1,))
        expect(second.root.locator(".explore-words")).to_have_text("The bars go down.")
        assert first.state()["picture"] != before[0]["picture"]
        assert second.state()["picture"] != before[1]["picture"]
        check = visit.page.locator(".self-check")
        check.locator("input").fill("5")
        check.locator("button").click()
        expect(check.locator("[role=status]")).to_have_text("Not quite. One less.")
        with visiting(
            browser, address(book, "intro")
        ) as plain:  # what the theme does on a page without demos
            assert (visit.foreign, visit.errors) == (plain.foreign, plain.errors)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_has_contrast_also_that_of_a_figure_in_the_default_style(
    book: Path, browser: Browser, mode: str
) -> None:
    with visiting(browser, address(book), reduced_motion="reduce") as visit:
        visit.page.add_style_tag(content=STILL)
        scheme(visit.page, mode)
        texts = visit.page.locator(".explore svg text")
        assert texts.count() > 30
        for demo in visit.page.locator(".explore").all():
            faults = faint(demo)
            if mode == "light":  # matplotlib's own ten colours are too pale for text on white
                faults = [fault for fault in faults if not fault.partition(": ")[2].startswith("C")]
            none(faults)
        for part in (".explore", ".self-check"):
            none(axe(visit.page, ["color-contrast"], within=part))


def test_without_javascript_the_first_picture_is_there(book: Path, browser: Browser) -> None:
    with visiting(browser, address(book), java_script_enabled=False, viewport=PHONE) as visit:
        demo = visit.page.locator(".explore").first
        assert demo.locator("svg").is_visible()
        assert demo.locator(".explore-note").is_visible()
        assert not demo.locator(".explore-controls").is_visible()
        expect(demo.locator(".explore-words")).to_have_text("Ten lines rise by 0.05.")
