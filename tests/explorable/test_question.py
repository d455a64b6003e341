"""`self_check`: what it refuses, how it judges, and the same question with a kernel and on a page."""

from __future__ import annotations

from typing import Any

import pytest

from explorable import BOOK_VARIABLE, self_check
from explorable.answers import NO_NUMBER, NOTHING_CHOSEN, readings
from explorable.question_widgets import question_widgets
from tests.explorable.drawings import page

STD = 0.02 / 24**0.5
CHOICE: dict[str, Any] = {
    "question": "Is `a < b`?",
    "answer": "yes",
    "choices": {"yes": "It is.", "no": "Look at `a`.", "never.": "Not so."},
}
NUMBER: dict[str, Any] = {
    "question": "Which std?",
    "answer": STD,
    "tolerance": 0.01,
    "right": "The root of 24.",
    "slips": {0.02 / 12**0.5: "You divided by `sqrt(n_layer)`.", 0.02: "Unscaled."},
    "otherwise": "Divide 0.02 by the root of 24.",
    "unit": "std",
}
OTHERWISE = "Not quite. Divide 0.02 by the root of 24."


@pytest.mark.parametrize(
    ("base", "given", "right", "words"),
    [
        (CHOICE, "yes", True, "Right. It is."),
        (CHOICE, "no", False, "Not quite. Look at `a`."),
        (CHOICE, None, False, NOTHING_CHOSEN),
        (NUMBER, "0.00408 ", True, "Right. The root of 24."),
        (NUMBER, "4.1e-3", True, "Right. The root of 24."),
        (NUMBER, "0.0040", False, OTHERWISE),
        (NUMBER, ".00577", False, "Not quite. You divided by `sqrt(n_layer)`."),
        (NUMBER, "0,02", False, "Read as 0.02. Not quite. Unscaled."),
        (NUMBER, "4,080,000.0", False, f"Read as 4080000.0. {OTHERWISE}"),
        (NUMBER, "4,080", False, "4,080 may mean 4080 or 4.080: type one of these two."),
        (NUMBER, " −4,080 %", False, "-4,080% may mean -4080e-2 or -4.080e-2: type one of these two."),
        (NUMBER, "0.408 %", True, "Read as 0.408e-2. Right. The root of 24."),
        (NUMBER | {"answer": 31, "unit": "%"}, "31 %", True, "Read as 31. Right. The root of 24."),
        (NUMBER, "small", False, NO_NUMBER),
        (NUMBER, None, False, NO_NUMBER),
    ],
)
def test_each_answer_has_its_own_sentence(
    base: dict[str, Any], given: str | None, right: bool, words: str
) -> None:
    assert self_check(**base).question.judge(given) == (right, words)


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        ("38,597,376", [38597376.0]),
        ("1,200.5", [1200.5]),
        ("0,004", [0.004]),
        ("−3", [-3.0]),
        (" 31 % ", [0.31]),
        ("3.3E-1 %", [0.0033]),
        ("5.", [5.0]),
        (".5", [0.5]),
        ("2 346", [2346.0]),
        ("1,2345", [1.2345]),
        ("12,345e2", [1234.5]),
        ("-12,345", [-12345.0, -12.345]),
        *((nothing, []) for nothing in ("%5", "5%%", "1_000", "nan", "inf", "0x10", "1.2.3", "1e", "٣", "")),
    ],
)
def test_a_number_may_be_written_as_people_do(typed: str, numbers: list[float]) -> None:
    assert [float(numeral) for numeral in readings(typed)] == numbers


def test_where_the_tolerance_is_wide_two_digits_are_shown_and_are_judged_as_what_they_stand_for() -> None:
    slips = {4.6135: "Too much.", 1.5378: "Too little."}
    question = self_check(**NUMBER | {"answer": 2.7214, "tolerance": 0.09, "slips": slips}).question
    shown = [reason.shown for reason in question.reasons]
    assert shown == ["About 2.7", "About 4.6", "About 1.5", "Anything else"]
    for reason in question.reasons[:-1]:
        assert question.judge(reason.shown.removeprefix("About ")) == (reason.right, reason.verdict)
    assert [question.judge(typed)[0] for typed in ("2.4", "2.5", "2.9", "3")] == [False, True, True, False]


@pytest.mark.parametrize(
    ("base", "change", "error"),
    [
        (CHOICE, {"question": 7}, TypeError),
        (CHOICE, {"question": " "}, ValueError),
        (CHOICE, {"answer": "maybe"}, ValueError),
        (CHOICE, {"answer": ["yes", "no"]}, TypeError),
        (CHOICE, {"choices": {"yes": "It is."}}, ValueError),
        (CHOICE, {"choices": ["yes", "no"]}, TypeError),
        (CHOICE, {"choices": {"yes": "It is.", "no": ""}}, ValueError),
        (CHOICE, {"choices": {"yes": "A.", "yes ": "B."}}, ValueError),
        (CHOICE, {"tolerance": 0.1}, ValueError),
        (CHOICE, {"unit": "m"}, ValueError),
        (NUMBER, {"answer": "0.004"}, TypeError),
        (NUMBER, {"answer": True}, TypeError),
        (NUMBER, {"answer": 0}, ValueError),
        (NUMBER, {"answer": float("nan")}, ValueError),
        (NUMBER, {"tolerance": 0}, ValueError),
        (NUMBER, {"tolerance": 0.5}, ValueError),
        (NUMBER, {"tolerance": None}, TypeError),
        (NUMBER, {"right": None}, TypeError),
        (NUMBER, {"right": ""}, ValueError),
        (NUMBER, {"slips": None}, TypeError),
        (NUMBER, {"slips": {0.00409: "Near."}}, ValueError),
        (NUMBER, {"slips": {0.02: "A.", 0.0201: "B."}}, ValueError),
        (NUMBER, {"slips": {"0.02": "A."}}, TypeError),
        (NUMBER, {"slips": {0.02: ""}}, ValueError),
        (NUMBER, {"otherwise": None}, TypeError),
        (NUMBER, {"unit": 3}, TypeError),
    ],
)
def test_what_cannot_be_judged_is_refused_by_name(
    base: dict[str, Any], change: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error, match=next(iter(change))):
        self_check(**base | change)


def test_on_a_page_it_is_native_inputs_and_a_folded_list_of_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BOOK_VARIABLE, "1")
    choice, number, again = (
        page(self_check(**arguments)._repr_mimebundle_()["text/html"])
        for arguments in (CHOICE, NUMBER, CHOICE)
    )
    assert str(choice.legend) == "<legend>Is <code>a &lt; b</code>?</legend>"
    assert [radio["value"] for radio in choice.select("label > input[type=radio]")] == ["0", "1", "2"]
    assert [item.get_text() for item in choice.select("li b")] == ["✓ yes:", "no:", "never:"]
    assert [item.get_text() for item in choice.select("li span")] == ["It is.", "Look at a.", "Not so."]
    assert choice.select("button[hidden]")
    assert choice["id"] != again["id"]
    assert {radio["name"] for radio in choice.select("input")}.isdisjoint(again.input["name"])  # type: ignore[index]
    (label,) = number.select("fieldset > label[hidden]")  # of no use without the script, which shows it
    assert label.select("input[type=text][inputmode=decimal]")
    assert label.get_text() == "Your answer  std"
    assert number["data-tolerance"] == "0.01"
    values = [item.get("data-value") for item in number.select("li")]
    assert values == [repr(STD), repr(0.02 / 12**0.5), "0.02", None]


@pytest.mark.parametrize(
    ("arguments", "given", "words"),
    [
        (CHOICE, "no", "Not quite. Look at <code>a</code>."),
        (CHOICE, None, NOTHING_CHOSEN),
        (NUMBER, "0.0041", "✓ Right. The root of 24."),
    ],
)
def test_with_a_kernel_it_is_widgets_that_say_the_same(
    arguments: dict[str, Any], given: str | None, words: str
) -> None:
    check = self_check(**arguments)
    assert "application/vnd.jupyter.widget-view+json" in check._repr_mimebundle_()
    _, answer, button, verdict = question_widgets(check.question).children
    if given is not None:
        answer.value = given
    button.click()
    assert f">{words}</p>" in verdict.value
    assert 'role="status"' in verdict.value
