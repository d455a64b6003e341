"""Another Jupyter Book, with a copy of `explorable` beside its _config.yml, where torch is not installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import nbformat
import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page, expect, sync_playwright

from explorable import BOOK_VARIABLE
from explorable.sphinx_extension import PACKAGE, prepare_kernels
from tests.browser.contrast import faint
from tests.browser.demos import Demo
from tests.browser.find import browser as find_browser
from tests.browser.looks import STILL, axe, scheme
from tests.browser.visits import FLAGS, none, visiting
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


def page(book: Path, name: str) -> BeautifulSoup:
    source = (book / "_build" / "html" / f"{name}.html").read_text(encoding="utf-8")
    return BeautifulSoup(source, "html.parser")


def test_a_kernel_in_a_folder_of_its_own_imports_the_copy_without_torch(book: Path) -> None:
    printed = page(book, "chapters/demos").get_text()
    assert "without torch\nwithout gpt2_teach\n" in printed
    assert f"{book / 'explorable' / '__init__.py'} []" in printed


def test_pages_load_what_they_need_and_ordinary_widgets_go_on_as_they_were(book: Path) -> None:
    files = [
        book / "_build" / "html" / "_static" / "explorable" / name for name in ("demo.js", "question.js")
    ]
    assert all(file.is_file() for file in files)
    demos, widget = page(book, "chapters/demos"), page(book, "chapters/widget")
    assert len(demos.select("script[src*='_static/explorable/'][defer]")) == 2
    assert len(demos.select("link[href*='_static/explorable/']")) == 1
    assert not widget.select("[src*='_static/explorable/'], [href*='_static/explorable/']")
    (state,) = widget.select("script[type='application/vnd.jupyter.widget-state+json']")
    models = json.loads(state.get_text())["state"].values()
    assert "IntSliderModel" in [model["model_name"] for model in models]
    assert widget.select("script[src*='@jupyter-widgets/html-manager']")
    assert not demos.select("script[src*='@jupyter-widgets']")


def test_w1_w7_sliders_and_self_checks_work_and_are_readable_in_both_modes_and_in_print(book: Path) -> None:
    # A browser for this test alone: an open Playwright runs an event loop.
    path = find_browser()  # before Playwright is open: it asks Playwright, too
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        with visiting(browser, (book / "_build" / "html" / "chapters" / "demos.html").as_uri()) as visit:
            sliders_and_self_checks_work(visit.page)
            none([error for error in visit.errors if "THEBE" not in error])  # the theme's own, on any page
            visit.page.add_style_tag(content=STILL)
            for mode in ("light", "dark"):
                scheme(visit.page, mode)
                everything_is_readable(visit.page, mode)
            visit.page.emulate_media(media="print", color_scheme="dark")
            line = visit.page.locator(".explore svg path[style*='1f77b4']").first
            assert (
                line.evaluate("e => getComputedStyle(e).stroke") == "rgb(31, 119, 180)"
            )  # as on light pages
            title = visit.page.locator(".explore svg text", has_text="n is 100")
            assert title.evaluate("e => getComputedStyle(e).fill") == "rgb(0, 0, 0)"
        browser.close()


def sliders_and_self_checks_work(page: Page) -> None:
    demo, readme = Demo(page, 0), Demo(page, 1)
    demo.goto((2,))
    assert "n is 100" in demo.root.locator("svg").inner_html()
    expect(demo.root.locator(".explore-words")).to_have_text("Ten lines rise by 5.")
    readme.goto((1,))
    expect(readme.root.locator(".explore-words")).to_have_text("The line ends at 10.")
    page.wait_for_function("location.hash === '#n-2=10&n=100'")
    check = page.locator(".self-check")
    check.locator("input").fill("5")
    check.locator("button").click()
    expect(check.locator("[role=status]")).to_have_text("Not quite. One less.")


def everything_is_readable(page: Page, mode: str) -> None:
    for demo in page.locator(".explore").all():
        faults = faint(demo)
        if mode == "light":  # matplotlib's own ten colours are too pale for text on white
            faults = [fault for fault in faults if not fault.partition(": ")[2].startswith("C")]
        none(faults)
    for part in (".explore", ".self-check"):
        none(axe(page, ["color-contrast"], within=part))


def test_the_environment_of_kernels_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    monkeypatch.delenv(BOOK_VARIABLE, raising=False)
    app = Mock()
    prepare_kernels(app)
    assert os.environ["PYTHONPATH"].split(os.pathsep) == [str(PACKAGE.parent), "elsewhere"]
    assert os.environ[BOOK_VARIABLE] == "1"
    event, restore = app.connect.call_args.args
    assert event == "build-finished"
    restore(app, None)
    assert os.environ["PYTHONPATH"] == "elsewhere"
    assert BOOK_VARIABLE not in os.environ
