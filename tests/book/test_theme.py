"""The pages after `book/_ext/theme` has processed them, without a browser."""

from __future__ import annotations

import base64
import re
from functools import cache
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import tinycss2
from bs4 import BeautifulSoup, Tag
from fontTools.ttLib import TTFont
from theme import (
    accessibility,
    font_subsets,
    mathml_cleanup,
    picture_sizes,
    unbroken_words,
    unused_scripts,
    unused_styles,
    wrapped_code,
)

from tests.book.test_site import pages, parsed, text
from tests.small_books import Book

MAX_SIZE = 450_000  # bytes of scripts and styles that a page loads; with the bare theme 2.3 million
BUTTONS = "button, a.btn, [role=button]"


@cache
def embedded_font(sheet: Path, family: str) -> TTFont:
    """Return the font that is embedded in a style sheet."""
    faces = re.findall(r"@font-face\s*{[^}]*}", sheet.read_text(encoding="utf-8"))
    (face,) = [face for face in faces if family in face]
    found = re.search(r"base64,([^\")]+)", face)
    assert found
    return TTFont(BytesIO(base64.b64decode(found.group(1))))


def loaded_files(page: Path) -> list[Path]:
    """Return the scripts and style sheets that a page loads."""
    elements = parsed(page).select("script[src], link[rel=stylesheet], link[rel=preload]")
    names = [text(element, "src") or text(element, "href") for element in elements]
    return [(page.parent / name.partition("?")[0]).resolve() for name in names]


@pytest.mark.site
def test_pages_are_light(site: Path) -> None:
    for page in pages(site):
        files = loaded_files(page)
        assert len(files) == len(set(files)), page.name
        assert sum(file.stat().st_size for file in files) < MAX_SIZE, page.name
        assert not {"fontawesome.js", "sphinx-thebe.js"} & {file.name for file in files}, page.name
        sheets = parsed(page).head.select("link[rel=stylesheet]")  # type: ignore[union-attr]
        assert len(sheets) == 1, page.name


@pytest.mark.site
def test_no_script_delays_the_page(site: Path) -> None:
    for page in pages(site):
        for script in parsed(page).select("head script[src]"):
            assert script.has_attr("defer") or script.has_attr("async"), (page.name, script)


@pytest.mark.site
def test_searching_loads_what_it_needs_in_order(site: Path) -> None:
    names = [
        unused_scripts.script_name(script) for script in parsed(site / "search.html").select("script[src]")
    ]
    order = ("doctools.js", "sphinx_highlight.js", "searchtools.js", "language_data.js", "searchindex.js")
    places = [names.index(name) for name in order]
    assert places == sorted(places)


@pytest.mark.site
def test_every_icon_is_in_the_font(site: Path) -> None:
    sheet = site / "_static" / unused_styles.JOINED_SHEET
    css = sheet.read_text(encoding="utf-8")
    drawn = embedded_font(sheet, font_subsets.ICON_FAMILY).getBestCmap()
    for page in pages(site):
        assert not parsed(page).select(".far, .fab, .fa-regular, .fa-brands"), page.name
        for icon in parsed(page).select("[class*='fa-']"):
            classes = set(icon.get_attribute_list("class")) - {"fa-solid", "fa-lg"}
            for name in [name for name in classes if name.startswith("fa-")]:
                rule = re.search(rf"\.{name}:{{1,2}}before[^{{]*{{[^}}]*content:\s*\"(.)\"", css)
                assert rule, (page.name, name)
                assert ord(rule.group(1)) in drawn, (page.name, name)


@pytest.mark.site
def test_every_character_of_a_formula_is_in_the_font(site: Path) -> None:
    font = embedded_font(site / "_static" / font_subsets.MATH_STYLE_SHEET, font_subsets.MATH_FAMILY)
    assert "MATH" in font
    for page in pages(site):
        found = parsed(page).find_all("math")
        for formula in found:
            missing = mathml_cleanup.displayed_characters(formula) - set(font.getBestCmap())
            assert not missing, (page.name, formula.get_text(), [chr(code) for code in missing])
            assert not formula.select("[mathvariant]:not([mathvariant=normal])"), (page.name, formula)
        linked = parsed(page).select(f"link[href*='{font_subsets.MATH_STYLE_SHEET}']")
        assert len(linked) == bool(found), page.name


@pytest.mark.site
def test_buttons_dialogs_and_boxes_are_named(site: Path) -> None:
    for page in pages(site):
        soup = parsed(page)
        for control in soup.select(BUTTONS):
            assert text(control, "aria-label") or control.get_text(strip=True), (page.name, control)
        assert not soup.select("summary[aria-label]"), page.name
        for dialog in soup.find_all("dialog"):
            assert text(dialog, "aria-label"), (page.name, dialog.get("id"))
        for box in soup.select(accessibility.SCROLLING):
            assert text(box, "tabindex") == "0", (page.name, box.get_text()[:50])
        for icon in soup.select("i[class*='fa-'], i.fas"):
            assert text(icon, "aria-hidden") == "true", (page.name, icon)
        assert len(soup.find_all("meta", attrs={"name": "viewport"})) == 1, page.name


@pytest.mark.site
def test_drawings_state_their_size(site: Path) -> None:
    for page in pages(site):
        drawings = parsed(page).select("article img")
        assert [text(image, "loading") for image in drawings[1:]] == ["lazy"] * len(drawings[1:]), page.name
        for image in drawings:
            assert int(text(image, "width")) > 0, (page.name, image["src"])
            assert int(text(image, "height")) > 0, (page.name, image["src"])


@pytest.mark.site
def test_the_font_has_its_licence_in_its_folder() -> None:
    assert "SIL OPEN FONT LICENSE" in (font_subsets.STIX.parent / "OFL.txt").read_text(encoding="utf-8")


def test_scripts_that_no_page_needs_are_not_written() -> None:
    files = [
        "_static/scripts/bootstrap.js?digest=1",
        SimpleNamespace(filename="sphinx-thebe.js", attributes={}),
        SimpleNamespace(filename=None, attributes={"body": 'const THEBE_JS_URL = "there"'}),
        SimpleNamespace(filename=None, attributes={"body": "let other"}),
    ]
    context: dict[str, Any] = {"script_files": files}
    unused_scripts.omit_never_needed(None, "page", "page.html", context, None)  # type: ignore[arg-type]
    assert context["script_files"] == [files[0], files[3]]


@pytest.mark.parametrize(
    ("line", "indent"),
    [
        ("<b>if</b> short:", None),
        ("<b>if</b> " + "long_" * 9 + ":", 0),
        ("<b>        </b><b>return</b> &lt;" + "long_" * 9, 8),
        ("<b>    long</b> " + "long_" * 9, 4),
        ("    " + "é" * (wrapped_code.PHONE_WIDTH - 4), None),
        ("    " + "é" * (wrapped_code.PHONE_WIDTH - 3), 4),
        ("", None),
    ],
)
def test_a_long_line_of_code_knows_its_indent(line: str, indent: int | None) -> None:
    page = BeautifulSoup(f"<div class='highlight'><pre>x\n{line}\n\ny</pre></div>", "html.parser")
    before = page.get_text()
    wrapped_code.wrap_long_lines(page)
    assert page.get_text() == before
    found = [(element["style"], element.get_text()[-1]) for element in page.select(".line")]
    assert [len(spaces.get_text()) for spaces in page.select(".line i")] == ([indent] if indent else [])
    assert found == ([] if indent is None else [(f"--indent:{indent}", "\n")])


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("a = model.wte.weight", "a = model.wte.weight"),
        ("<b>model</b><b>.</b>wte.weight.copy_<b>(</b>other)", "model.|wte.|weight.|copy_(|other)"),
        ("torch.empty(width).normal_()  # about 0", "torch.|empty(|width).|normal_()  # about 0"),
        ("f(first=a[0],second=other==-1e-4.5)", "f(|first=|a[|0],|second=|other==-1e-4.5)"),
        ("https://example.org/docs/of_something", "https://|example.|org/|docs/|of_something"),
        ("one_name_longer_than_a_row_is = 1", "one_|name_|longer_|than_|a_|row_|is = 1"),
        ("                    short_name()  # far in", "                    short_name()  # far in"),
    ],
)
def test_a_row_of_code_ends_between_names(line: str, rows: str) -> None:
    page = BeautifulSoup(f"<div class='highlight'><pre>{line}\n</pre></div>", "html.parser")
    before = page.get_text()
    wrapped_code.wrap_long_lines(page)
    assert page.get_text() == before  # only the code is copied
    for place in page.select("wbr"):
        place.replace_with("|")
    assert page.get_text() == f"{rows}\n"


@pytest.mark.site
def test_formulas_in_rows_are_tables_and_show_no_mark_of_alignment(site: Path) -> None:
    formulas_of_site = [formula for page in pages(site) for formula in parsed(page).find_all("math")]
    assert not [formula for formula in formulas_of_site if "&" in formula.get_text()]
    assert not [formula for formula in formulas_of_site if formula.select("mspace[linebreak]")]
    assert [formula for formula in formulas_of_site if formula.select("mtable > mtr + mtr")]


def test_a_page_keeps_the_scripts_that_it_needs(tmp_path: Path) -> None:
    source = "<html><head><script src='_static/togglebutton.js'></script></head><body>{}</body></html>"
    for body, kept in (("", 0), ("<p class='admonition dropdown'></p>", 1), ("<p class='toggle'></p>", 1)):
        page = BeautifulSoup(source.format(body), "html.parser")
        unused_scripts.remove_unused_scripts(page, tmp_path, tmp_path)
        assert len(page.find_all("script")) == kept


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        (".on-page{color:red}", ".on-page{color:red}"),
        (".nowhere{color:red}", ""),
        (".nowhere,.on-page p{color:red}", ".on-page p{color:red}"),
        (".on-page .nowhere{color:red}", ""),
        ("#nowhere{color:red}", ""),
        ("p:not(.nowhere){color:red}", "p:not(.nowhere){color:red}"),
        (".bs-tooltip-top{color:red}", ".bs-tooltip-top{color:red}"),
        ("@media print{.nowhere{color:red}}", ""),
        ("@media print{p{color:red}}", "@media print{p{color:red}}"),
        ("@keyframes spin{to{rotate:1turn}}", "@keyframes spin{to{rotate:1turn}}"),
    ],
)
def test_rules_are_kept_that_may_match(rule: str, kept: str) -> None:
    known = unused_styles.KnownNames({"on-page"}, "const prefix = 'bs-tooltip';")
    assert unused_styles.strip_unused_rules(tinycss2.parse_stylesheet(rule), known) == kept


def test_no_line_ends_between_a_formula_and_its_full_stop() -> None:
    page = BeautifulSoup("<p>by (<math display='inline'><mi>n</mi></math>). So</p>", "html.parser")
    mathml_cleanup.clean_up_formulas(page)
    assert isinstance(page.p, Tag)
    assert page.p.get_text() == "by (n). So"
    assert page.select_one(".kept-together").get_text() == "(n)."  # type: ignore[union-attr]


def test_no_line_ends_within_a_name_or_a_percentage() -> None:
    written = "<p>In GPT-2 <code>GPT-2</code> is 31.0 % of <b>GPT-2’s</b> 5 parts.</p><pre>3 %</pre>"
    written += "<div class='self-check'><p>3 %</p></div>"  # its script looks for spans
    page = BeautifulSoup(f"<article>{written}</article>", "html.parser")
    before = page.get_text()
    unbroken_words.keep_words_whole(page)
    assert page.get_text() == before
    assert [kept.get_text() for kept in page.select(".kept-together")] == ["GPT-2", "31.0 %", "GPT-2"]


def test_a_distribution_sign_becomes_an_operator() -> None:
    page = BeautifulSoup("<math><mi>z</mi><mi>~</mi><mi>N</mi></math>", "html.parser")
    mathml_cleanup.clean_up_formulas(page)
    assert str(page.mo) == "<mo>∼</mo>"


def test_an_empty_fence_is_removed() -> None:
    empty, bar = '<mo fence="true" form="prefix"></mo>', '<mo fence="true" form="postfix">|</mo>'
    page = BeautifulSoup(f"<math><mrow>{empty}<mi>L</mi>{bar}</mrow></math>", "html.parser")
    mathml_cleanup.clean_up_formulas(page)
    assert str(page.mrow) == f"<mrow><mi>L</mi>{bar}</mrow>"


@pytest.mark.site
def test_every_page_starts_light_or_dark(site: Path) -> None:
    for path in pages(site):
        page = parsed(path)
        assert page.html
        assert page.html["data-theme"] == "light", path.name
        first = page.find("script", src=False)
        assert first
        assert "prefers-color-scheme" in first.get_text(), path.name


def test_the_root_sign_has_tall_sizes_only_for_tall_content() -> None:
    for inside, sizes in (("<mi>n</mi>", 1), ("<mfrac><mi>n</mi><mn>2</mn></mfrac>", 4)):
        page = BeautifulSoup(f"<math><msqrt>{inside}</msqrt></math>", "html.parser")
        data = font_subsets.math_font({Path("p.html"): page}).partition("base64,")[2].partition('"')[0]
        font = TTFont(BytesIO(base64.b64decode(data)))
        table = font["MATH"].table.MathVariants
        root = table.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])
        assert len(table.VertGlyphConstruction[root].MathGlyphVariantRecord) == sizes


@pytest.mark.parametrize(
    ("head", "size"),
    [
        ('<svg width="411.6pt" height="72pt" version="1.1">', (549, 96)),
        ('<svg width="20" height="10px">', (20, 10)),
        ('<svg viewBox="0 0 1 1"><rect width="1" height="2"/>', None),
    ],
)
def test_the_size_of_a_drawing_is_read_from_it(head: str, size: tuple[int, int] | None) -> None:
    assert picture_sizes.svg_size(head) == size


def test_a_small_book_is_processed_again_if_nothing_changed(toy: Book) -> None:
    for _ in range(2):
        built = toy.make("book")
        assert built.returncode == 0, built.stdout + built.stderr
        page = toy.page()
        assert page.count("site.css?v=") == 1
        assert page.count('aria-label="Search"') >= 1
        assert "fontawesome.js" not in page


def test_a_style_sheet_for_print_stays_one(tmp_path: Path) -> None:
    for name, css in (("screen.css", "p { color: red }"), ("print.css", "p { color: blue }")):
        (tmp_path / name).write_text(css, encoding="utf-8")
    links = '<link rel="stylesheet" href="screen.css"><link rel="stylesheet" href="print.css" media="print">'
    page = BeautifulSoup(f"<html><head>{links}</head><body><p>words</p></body></html>", "html.parser")
    unused_styles.join_style_sheets({tmp_path / "page.html": page}, tmp_path)
    joined = (tmp_path / unused_styles.JOINED_SHEET).read_text(encoding="utf-8")
    assert re.search(r"@media print\s*{\s*p\s*{\s*color: blue", joined)
    assert "blue" not in joined.partition("@media print")[0]
    assert [link.get("media") for link in page.select("link")] == [None]
