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
from bs4 import BeautifulSoup
from fontTools.ttLib import TTFont
from theme import (
    accessibility,
    font_subsets,
    mathml_cleanup,
    unused_scripts,
    unused_styles,
    wrapped_code,
)

from tests.book.test_site import pages, parsed, text

BUTTONS = "button, a.btn, [role=button]"


@cache
def embedded_font(sheet: Path, family: str) -> TTFont:
    """Return the font that is embedded in a style sheet."""
    faces = re.findall(r"@font-face\s*{[^}]*}", sheet.read_text(encoding="utf-8"))
    (face,) = [face for face in faces if family in face]
    found = re.search(r"base64,([^\")]+)", face)
    assert found
    return TTFont(BytesIO(base64.b64decode(found.group(1))))


@pytest.mark.site
def test_no_script_delays_the_page(site: Path) -> None:
    for page in pages(site):
        for script in parsed(page).select("head script[src]"):
            assert script.has_attr("defer") or script.has_attr("async"), (page.name, script)


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


def test_the_root_sign_has_tall_sizes_only_for_tall_content() -> None:
    for inside, sizes in (("<mi>n</mi>", 1), ("<mfrac><mi>n</mi><mn>2</mn></mfrac>", 4)):
        page = BeautifulSoup(f"<math><msqrt>{inside}</msqrt></math>", "html.parser")
        data = font_subsets.math_font({Path("p.html"): page}).partition("base64,")[2].partition('"')[0]
        font = TTFont(BytesIO(base64.b64decode(data)))
        table = font["MATH"].table.MathVariants
        root = table.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])
        assert len(table.VertGlyphConstruction[root].MathGlyphVariantRecord) == sizes
