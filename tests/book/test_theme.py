"""The pages after `book/_ext/theme` has processed them, without a browser."""

from __future__ import annotations

import base64
import re
from io import BytesIO
from pathlib import Path

import mathml
import pytest
import tinycss2
from bs4 import BeautifulSoup, Tag
from fontTools.ttLib import TTFont
from theme import accessibility, font_subsets, unbroken_words, unused_styles, wrapped_code

from tests.book.test_site import pages, parsed
from tests.small_books import Book

MAX_SIZE = 450_000  # bytes of scripts and styles that a page loads; with the bare theme 2.3 million


def embedded_font(css: str) -> TTFont:
    """Return the first font that is embedded in a style sheet."""
    return TTFont(BytesIO(base64.b64decode(css.partition("base64,")[2].partition('"')[0])))


def html(text: str) -> BeautifulSoup:
    return BeautifulSoup(text, "html.parser")


@pytest.mark.site
def test_pages_are_light_and_no_script_delays_them(site: Path) -> None:
    for page in pages(site):
        elements = parsed(page).select("script[src], link[rel=stylesheet], link[rel=preload]")
        names = [str(element.get("src") or element["href"]).partition("?")[0] for element in elements]
        assert len(names) == len(set(names)), page.name
        assert sum((page.parent / name).stat().st_size for name in names) < MAX_SIZE, page.name
        assert not parsed(page).select("head script[src]:not([defer], [async])"), page.name
        assert len(parsed(page).select("head link[rel=stylesheet]")) == 1, page.name


@pytest.mark.site
def test_every_icon_and_every_character_of_a_formula_is_in_its_font(site: Path) -> None:
    css = (site / "_static" / unused_styles.JOINED_SHEET).read_text(encoding="utf-8")
    math = (site / "_static" / font_subsets.MATH_STYLE_SHEET).read_text(encoding="utf-8")
    icons, letters = embedded_font(css).getBestCmap(), embedded_font(math).getBestCmap()
    for page in pages(site):
        for icon in parsed(page).select("[class*='fa-']"):
            rules = [
                re.search(rf"\.{name}:{{1,2}}before[^{{]*{{[^}}]*content:\s*\"(.)\"", css)
                for name in icon.get_attribute_list("class")
            ]
            assert [rule for rule in rules if rule and ord(rule.group(1)) in icons], (page.name, icon)
        for formula in parsed(page).find_all("math"):
            missing = font_subsets.displayed_characters(formula) - set(letters)
            assert not missing, (page.name, formula.get_text(), [chr(code) for code in missing])
            assert "&" not in formula.get_text(), (page.name, formula)
            assert not formula.select("[mathvariant]:not([mathvariant=normal])"), (page.name, formula)


@pytest.mark.site
def test_controls_and_boxes_are_named_and_pictures_state_their_size(site: Path) -> None:
    for page in pages(site):
        soup = parsed(page)
        for control in soup.select("button, a.btn, [role=button], dialog"):
            assert control.get("aria-label") or control.get_text(strip=True), (page.name, control)
        assert not soup.select(f":is({accessibility.SCROLLING}):not([tabindex='0'])"), page.name
        assert not soup.select("i[class*='fa-']:not([aria-hidden=true])"), page.name
        assert not soup.select("article img:not([width][height])"), page.name
        assert all(image.get("loading") == "lazy" for image in soup.select("article img")[1:]), page.name


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        ("a = model.wte.weight", "a = model.wte.weight"),
        ("<b>model</b><b>.</b>wte.weight.copy_<b>(</b>other)", "model.|wte.|weight.|copy_(|other)"),
        ("f(first=a[0],second=other==-1e-4.5)", "f(|first=|a[|0],|second=|other==-1e-4.5)"),
        ("https://example.org/docs/of_something", "https://|example.|org/|docs/|of_something"),
        ("one_name_longer_than_a_row_is = 1", "one_|name_|longer_|than_|a_|row_|is = 1"),
        ("<b>        </b>return &lt;" + "long_" * 5, "8 spaces return <long_|long_|long_|long_|long_"),
    ],
)
def test_a_row_of_code_ends_between_names_and_is_copied_as_it_was(line: str, rows: str) -> None:
    page = html(f"<div class='highlight'><pre>x\n{line}\n\ny</pre></div>")
    before = page.get_text()
    wrapped_code.wrap_long_lines(page)
    assert page.get_text() == before
    for place in page.select("wbr"):
        place.replace_with("|")
    for indent in page.select("[style='--indent:8'] i"):
        indent.replace_with("8 spaces ")
    assert page.get_text() == f"x\n{rows}\n\ny"


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        (".nowhere,.on-page p{color:red}", ".on-page p{color:red}"),
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


def test_no_line_ends_within_a_name_a_percentage_or_before_a_full_stop() -> None:
    written = "<p>In GPT-2 <code>GPT-2</code> is 31.0 % (<math display='inline'><mi>n</mi></math>). So</p>"
    written += "<pre>3 %</pre><div class='self-check'><p>3 %</p></div>"  # its script looks for spans
    page = html(f"<article>{written}</article>")
    before = page.get_text()
    unbroken_words.keep_words_whole(page)
    assert page.get_text() == before
    assert [kept.get_text() for kept in page.select(".kept-together")] == ["GPT-2", "31.0 %", "(n)."]


@pytest.mark.parametrize(
    ("latex", "marked"),
    [
        (r"z \sim \mathcal N", "<mi>z</mi><mo>∼</mo><mi>𝒩</mi>"),
        (r"\operatorname{gelu}", "<mi>gelu</mi>"),
        (r"\left.L\right|", '<mrow><mi>L</mi><mo fence="true" form="postfix" stretchy="true">|</mo></mrow>'),
    ],
)
def test_formulas_contain_only_what_browsers_support(latex: str, marked: str) -> None:
    row = html(mathml.convert(latex)).mrow
    assert isinstance(row, Tag)
    assert html(row.decode_contents()) == html(marked)


@pytest.mark.parametrize(("inside", "sizes"), [(r"n", 1), (r"\frac{n}{2}", 4)])
def test_the_root_sign_has_tall_sizes_only_for_tall_content(inside: str, sizes: int) -> None:
    page = html(mathml.convert(rf"\sqrt{{{inside}}}"))
    font = embedded_font(font_subsets.math_font({Path("p.html"): page}))
    table = font["MATH"].table.MathVariants
    root = table.VertGlyphCoverage.glyphs.index(font.getBestCmap()[ord("√")])
    assert len(table.VertGlyphConstruction[root].MathGlyphVariantRecord) == sizes


def test_a_small_book_is_processed_again_if_nothing_changed(toy: Book) -> None:
    for _ in range(2):
        built = toy.make("book")
        assert built.returncode == 0, built.stdout + built.stderr
        page = toy.page()
        assert page.count("site.css?v=") == 1
        assert "fontawesome.js" not in page
    joined = (toy.html / "_static" / unused_styles.JOINED_SHEET).read_text(encoding="utf-8")
    assert re.search(r"@media print\s*{", joined)
