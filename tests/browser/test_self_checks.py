"""Self-checks and folded solutions in a browser: by keyboard, without a script or a server, on paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from explorable.answers import NO_NUMBER, NOTHING_CHOSEN, Question, Reason
from tests.browser.conftest import Visitor
from tests.browser.demos import DEMOS
from tests.browser.looks import STILL, WIDER, axe, scheme
from tests.browser.visits import PAPER, PHONE, none

pytestmark = pytest.mark.site
each_page = pytest.mark.parametrize("name", DEMOS)

TYPED = [
    *("0.0041", "4.1e-3", "0,0041", "1,200.5", "1,23", "31 %", "−3", "+.5", "5.", "2 346", "1,200,300"),
    *(" 4 ", "1,200", "-12,345", "1,200e3", "many", "", "1_0", "0x10", "1e", "1.2.3", "<b>"),
    *("3.1E1%", "%5", "5%%", "1,200 %"),
]


def choice_and_number(page: Page) -> tuple[Locator, Locator]:
    """A page's self-checks."""
    checks = page.locator(".self-check")
    assert checks.count() == 2
    (choice,) = checks.filter(has=page.locator("input[type=radio]")).all()
    (number,) = checks.filter(has=page.locator("input[type=text]")).all()
    return choice, number


def reach(check: Locator) -> None:
    """Come to its first input with Tab."""
    check.evaluate("root => { root.tabIndex = -1; root.focus(); root.removeAttribute('tabindex'); }")
    check.page.keyboard.press("Tab")
    assert check.evaluate("root => root.querySelector('input').name === document.activeElement.name")


def press(check: Locator) -> None:
    """Come from its input to the button, whose focus can be seen, and press it."""
    check.page.keyboard.press("Tab")
    button = check.locator("button")
    expect(button).to_be_focused()
    assert button.evaluate("e => getComputedStyle(e).outlineStyle") == "solid"
    check.page.keyboard.press("Space")


def says(check: Locator, words: str) -> None:
    expect(check.locator("[role=status]")).to_have_text(words)


def judged(check: Locator, reason: Locator) -> None:
    """What is said is the reason of the list, after the verdict."""
    right = reason.evaluate("e => 'right' in e.dataset")
    says(check, f"{'Right.' if right else 'Not quite.'} {reason.locator('span').text_content()}")
    expect(check).to_have_attribute("data-judged", "right" if right else "wrong")


@each_page
def test_w9_each_answer_gets_its_reason_by_keyboard_alone(visit: Visitor, name: str) -> None:
    opened = visit(f"{name}.html")
    choice, number = choice_and_number(opened.page)
    keyboard = opened.page.keyboard
    reach(choice)
    press(choice)
    says(choice, NOTHING_CHOSEN)
    for index, reason in enumerate(choice.locator("li").all()):
        reach(choice)
        keyboard.press("ArrowDown" if index else "Space")
        says(choice, "")  # what was said was about another answer
        assert choice.locator("input").nth(index).is_checked()
        press(choice)
        judged(choice, reason)

    tolerance = float(number.get_attribute("data-tolerance") or "nan")
    reasons = number.locator("li").all()
    for reason in reasons:
        exact = float(reason.get_attribute("data-value") or 1e9)
        for typed in (exact * (1 + 0.9 * tolerance), exact * (1 - 0.9 * tolerance)):
            reach(number)
            keyboard.press("ControlOrMeta+a")
            keyboard.type(f"{typed:.8g}")
            keyboard.press("Enter")
            judged(number, reason)
    right = float(reasons[0].get_attribute("data-value") or "nan")
    for typed in (right * (1 + 1.1 * tolerance), right * (1 - 1.1 * tolerance)):
        number.locator("input").fill(f"{typed:.8g}")
        reach(number)
        press(number)
        judged(number, reasons[-1])
    number.locator("input").fill("small")
    reach(number)
    press(number)
    says(number, NO_NUMBER)
    none(opened.faults)


def test_w3_the_page_reads_numbers_as_the_package_does_also_without_a_server(
    visit: Visitor, site: Path
) -> None:
    opened = visit((site / f"{[*DEMOS][1]}.html").as_uri())
    _, check = choice_and_number(opened.page)
    right, *slips, otherwise = check.locator("li").all()
    why = [reason.locator("span").text_content() or "" for reason in (right, otherwise)]
    for slip in slips:
        slip.evaluate("e => { e.dataset.value = 1e300; }")  # no answer
    for value, unit in ((0.0041, ""), (31.0, "%"), (0.31, "")):
        check.evaluate("(e, on) => { e.toggleAttribute('data-percent', on); }", unit == "%")
        right.evaluate("(e, value) => { e.dataset.value = value; }", str(value))
        reasons = (Reason("right", why[0], right=True, value=value), Reason("otherwise", why[1]))
        question = Question("Which?", reasons, float(check.get_attribute("data-tolerance") or "nan"), unit)
        for typed in TYPED:
            check.locator("input").fill(typed)
            check.locator("button").click()
            assert check.locator("[role=status]").inner_text() == question.judge(typed)[1], typed
    none(opened.faults)


@each_page
def test_w7_w9_an_answered_self_check_and_an_open_solution_are_accessible(visit: Visitor, name: str) -> None:
    page = visit(f"{name}.html").page
    page.add_style_tag(content=STILL)
    choice, number = choice_and_number(page)
    choice.locator("input").last.check()
    number.locator("input").fill("1")
    for check in (choice, number):
        check.locator("button").click()
        expect(check.locator("[role=status]")).not_to_be_empty()
        check.locator("summary").click()
    page.evaluate("document.querySelectorAll('details.solution').forEach(fold => { fold.open = true; })")
    for mode in ("light", "dark"):
        scheme(page, mode)
        rules = ["color-contrast", "link-in-text-block"] if mode == "dark" else None  # colours alone change
        none([f"{mode}: {fault}" for fault in axe(page, rules, ".self-check, .exercise, details.solution")])
    for width in (390, PHONE["width"]):
        page.set_viewport_size({"width": width, "height": 800})
        none(page.evaluate(WIDER))
        field = number.locator("label > span:has(input)")  # with its unit, in one row
        assert field.evaluate("e => e.offsetHeight < 1.5 * e.querySelector('input').offsetHeight")


@each_page
def test_w2_w9_without_javascript_and_in_print_solutions_and_reasons_can_be_read(
    visit: Visitor, name: str
) -> None:
    opened = visit(f"{name}.html", java_script_enabled=False)
    page = opened.page
    checks = choice_and_number(page)
    folds = page.locator("details.solution").all()
    assert len(folds) >= 4
    for fold in folds:
        fold.locator("summary").focus()
        for key in ("Enter", "Space"):
            expect(fold.locator("p").first).to_be_visible(visible=key == "Space")
            page.keyboard.press(key)
        expect(fold.locator("p").first).to_be_hidden()
    for check in checks:
        expect(check.locator("legend")).to_be_visible()
        expect(check.locator("button")).to_be_hidden()
        expect(check.locator("noscript p")).to_be_visible()
        expect(check.locator("li").first).to_be_hidden()
        check.locator("summary").focus()
        page.keyboard.press("Enter")
        for reason in check.locator("li").all():
            expect(reason).to_be_visible()
        page.keyboard.press("Enter")
    expect(checks[1].get_by_text("Your answer")).to_be_hidden()
    none(opened.faults)

    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    for fold in [*folds, *(check.locator("details") for check in checks)]:
        assert fold.locator("p, li").first.evaluate("e => e.checkVisibility()")
    for check in checks:
        expect(check.locator("button")).to_be_hidden()
