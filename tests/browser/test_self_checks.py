"""Self-checks and folded solutions in a browser: by keyboard, without a script or a server, on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from explorable.answers import NO_NUMBER, Question, Reason
from explorable.question_html import NOT_JUDGED
from tests.browser.conftest import Visitor
from tests.browser.looks import STILL, WIDER, axe, scheme
from tests.browser.visits import PHONE, none
from tests.exercises import PAGES

pytestmark = pytest.mark.site
each_page = pytest.mark.parametrize("name", PAGES)

TYPED = [
    *("0.0041", "4.1e-3", "0,0041", "1,200.5", "1,23", "31 %", "−3", "+.5", "5.", "2 346", "1,200,300"),
    *(" 4 ", "1,200", "-12,345", "1,200e3", "many", "", "1_0", "0x10", "1e", "1.2.3", "<b>"),
    *("3.1E1%", "%5", "5%%", "1,200 %"),
]


def checks(page: Page) -> list[Locator]:
    """The self-checks of an open page."""
    found = page.locator(".self-check").all()
    assert len(found) == 2
    return found


def reach(check: Locator, page: Page) -> None:
    """Come to its first input with Tab."""
    check.evaluate("root => { root.tabIndex = -1; root.focus(); root.removeAttribute('tabindex'); }")
    page.keyboard.press("Tab")
    assert check.evaluate("root => root.querySelector('input').name === document.activeElement.name")


def press(check: Locator, page: Page) -> None:
    """Come from its input to the button, whose focus can be seen, and press it."""
    page.keyboard.press("Tab")
    button = check.locator("button")
    expect(button).to_be_focused()
    assert button.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    page.keyboard.press("Space")


def judged(check: Locator, reason: Locator) -> None:
    """What is said is the reason of the list, after the verdict, in a live region."""
    right = reason.evaluate("e => 'right' in e.dataset")
    why = reason.evaluate("e => e.querySelector('span').textContent")
    expect(check.locator("[role=status]")).to_have_text(f"{'Right.' if right else 'Not quite.'} {why}")
    expect(check).to_have_attribute("data-judged", "right" if right else "wrong")


@each_page
def test_w9_each_typical_slip_gets_its_reason_by_keyboard_alone(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html").page
    check = next(check for check in checks(page) if check.locator("input[type=text]").count())
    tolerance = float(check.get_attribute("data-tolerance") or "nan")
    reasons = check.locator("li").all()
    for reason in reasons:
        value = reason.get_attribute("data-value")
        exact = 1e9 if value is None else float(value)
        for typed in (exact, exact * (1 + 0.9 * tolerance), exact * (1 - 0.9 * tolerance)):
            reach(check, page)
            page.keyboard.press("ControlOrMeta+a")
            page.keyboard.type(f"{typed:.8g}")
            page.keyboard.press("Enter")
            judged(check, reason)
    right = float(reasons[0].get_attribute("data-value") or "nan")
    for typed in (right * (1 + 1.1 * tolerance), right * (1 - 1.1 * tolerance)):
        check.locator("input").fill(f"{typed:.8g}")
        press_from_input(check, page)
        judged(check, reasons[-1])
    check.locator("input").fill("small")
    press_from_input(check, page)
    expect(check.locator("[role=status]")).to_have_text(NO_NUMBER)


def press_from_input(check: Locator, page: Page) -> None:
    check.locator("input").focus()
    press(check, page)


def test_the_page_reads_numbers_as_the_package_does(visit: Visitor) -> None:
    page = visit(f"{PAGES[1]}.html").page
    check = next(check for check in checks(page) if check.locator("input[type=text]").count())
    right, *slips, otherwise = check.locator("li").all()
    why = [reason.locator("span").text_content() or "" for reason in (right, otherwise)]
    for slip in slips:
        slip.evaluate("e => { e.dataset.value = 1e300; }")  # no answer
    for value, unit in ((0.0041, ""), (31.0, "%"), (0.31, "")):
        check.evaluate("(e, on) => { e.toggleAttribute('data-percent', on); }", unit == "%")
        right.evaluate("(e, value) => { e.dataset.value = value; }", str(value))
        reasons = (Reason("right", why[0], right=True, value=value), Reason("otherwise", why[1]))
        tolerance = float(check.get_attribute("data-tolerance") or "nan")
        question = Question("Which?", reasons, tolerance, unit)
        for typed in TYPED:
            check.locator("input").fill(typed)
            check.locator("button").click()
            assert check.locator("[role=status]").inner_text() == question.judge(typed)[1], typed


@each_page
def test_w7_w9_an_answered_self_check_and_an_open_solution_are_accessible(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html").page
    page.add_style_tag(content=STILL)
    for check in checks(page):
        if check.locator("input[type=radio]").count():
            check.locator("input").last.check()
        else:
            check.locator("input").fill("1")
        check.locator("button").click()
        expect(check.locator("[role=status]")).not_to_be_empty()
        check.locator("summary").click()
    page.evaluate("document.querySelectorAll('details.solution').forEach(fold => { fold.open = true; })")
    for mode in ("light", "dark"):
        scheme(page, mode)
        for part in (".self-check", ".exercise", "details.solution"):
            none([f"{mode}: {fault}" for fault in axe(page, within=part)])
    for width in (390, PHONE["width"]):
        page.set_viewport_size({"width": width, "height": 800})
        none(page.evaluate(WIDER))
        for field in page.locator(".self-check label > span:has(input)").all():  # with its unit, in one row
            assert field.evaluate("e => e.offsetHeight < 1.5 * e.querySelector('input').offsetHeight")


@each_page
def test_w2_w9_without_javascript_solutions_and_reasons_open_by_keyboard(visit: Visitor, name: str) -> None:
    opened = visit(f"{name}.html", java_script_enabled=False)
    page = opened.page
    folds = page.locator("details.solution").all()
    assert len(folds) >= 4
    for fold in folds:
        inside = fold.locator("p").first
        expect(inside).to_be_hidden()
        fold.locator("summary").focus()
        page.keyboard.press("Enter")
        expect(inside).to_be_visible()
        page.keyboard.press("Space")
        expect(inside).to_be_hidden()
    for check in checks(page):
        expect(check.locator("legend")).to_be_visible()
        expect(check.locator("button")).to_be_hidden()
        expect(check.get_by_text("Your answer")).to_have_count(check.locator("input[type=text]").count())
        for label in check.get_by_text("Your answer").all():
            expect(label).to_be_hidden()
        expect(check.locator("noscript p")).to_have_text(NOT_JUDGED)
        expect(check.locator("noscript p")).to_be_visible()
        expect(check.locator("li").first).to_be_hidden()
        check.locator("summary").focus()
        page.keyboard.press("Enter")
        for reason in check.locator("li").all():
            expect(reason).to_be_visible()
    none(opened.faults)


@each_page
def test_w3_a_self_check_works_without_a_server(visit: Visitor, site: Path, name: str) -> None:
    opened = visit((site / f"{name}.html").as_uri())
    check = next(check for check in checks(opened.page) if check.locator("input[type=radio]").count())
    check.locator("input").first.check()
    check.locator("button").click()
    judged(check, check.locator("li").first)
    none(opened.faults)
