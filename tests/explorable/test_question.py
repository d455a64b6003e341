"""`self_check`: what it refuses, how it judges, and the same question with a kernel and on a page."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import pytest
from bs4 import BeautifulSoup

from explorable import BOOK_VARIABLE, self_check
from explorable.answers import NO_NUMBER, NOTHING_CHOSEN, readings
from explorable.question_html import NOT_JUDGED
from explorable.question_widgets import question_widgets
from gpt2_teach import residual_std

CHOICE: dict[str, Any] = {
    "question": "Is `a < b`?",
    "answer": "yes",
    "choices": {"yes": "It is.", "no": "Look at `a`.", "never": "Not so."},
}
NUMBER: dict[str, Any] = {
    "question": "Which std?",
    "answer": residual_std(12),
    "tolerance": 0.01,
    "right": "The root of 24.",
    "slips": {0.02 / 12**0.5: "You divided by `sqrt(n_layer)`.", 0.02: "Unscaled."},
    "otherwise": "Divide 0.02 by the root of 24.",
    "unit": "std",
}


@pytest.mark.parametrize(
    ("given", "right", "words"),
    [
        ("yes", True, "Right. It is."),
        ("no", False, "Not quite. Look at `a`."),
        ("never", False, "Not quite. Not so."),
        (None, False, NOTHING_CHOSEN),
    ],
)
def test_each_choice_has_its_own_sentence(given: str | None, right: bool, words: str) -> None:
    assert self_check(**CHOICE).question.judge(given) == (right, words)


@pytest.mark.parametrize(
    ("given", "right", "words"),
    [
        ("0.00408", True, "Right. The root of 24."),
        ("4.1e-3", True, "Right. The root of 24."),
        ("0.0040", False, "Not quite. Divide 0.02 by the root of 24."),
        (".00577", False, "Not quite. You divided by `sqrt(n_layer)`."),
        ("0,02", False, "Read as 0.02. Not quite. Unscaled."),
        ("0.00408 ", True, "Right. The root of 24."),
        ("408 e-5", True, "Read as 408e-5. Right. The root of 24."),
        ("4,080,000.0", False, "Read as 4080000.0. Not quite. Divide 0.02 by the root of 24."),
        ("4,080", False, "4,080 may mean 4080 or 4.080: type one of these two."),
        (" −4,080 %", False, "-4,080% may mean -4080e-2 or -4.080e-2: type one of these two."),
        ("0.408 %", True, "Read as 0.408e-2. Right. The root of 24."),
        ("7", False, "Not quite. Divide 0.02 by the root of 24."),
        ("", False, NO_NUMBER),
        ("small", False, NO_NUMBER),
        (None, False, NO_NUMBER),
    ],
)
def test_a_number_is_judged_within_the_tolerance_and_slips_are_known(
    given: str | None, right: bool, words: str
) -> None:
    assert self_check(**NUMBER).question.judge(given) == (right, words)


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        ("38,597,376", [38597376.0]),
        ("1,200.5", [1200.5]),
        ("0,004", [0.004]),
        ("-3", [-3.0]),
        ("−3", [-3.0]),
        (" 31 % ", [0.31]),
        ("0.33%", [0.0033]),
        ("3.3E-1 %", [0.0033]),
        ("%5", []),
        ("5%%", []),
        ("5.", [5.0]),
        (".5", [0.5]),
        ("1E3", [1000.0]),
        ("1,23", [1.23]),
        ("2 346", [2346.0]),
        ("1,2345", [1.2345]),
        ("12,345e2", [1234.5]),
        ("2.346", [2.346]),
        ("1,234", [1234.0, 1.234]),
        ("-12,345", [-12345.0, -12.345]),
        ("123,456", [123456.0, 123.456]),
        ("1_000", []),
        ("nan", []),
        ("inf", []),
        ("0x10", []),
        ("1.2.3", []),
        ("1e", []),
        ("٣", []),
        ("", []),
    ],
)
def test_a_number_may_be_written_as_people_do(typed: str, numbers: list[float]) -> None:
    assert [float(numeral) for numeral in readings(typed)] == numbers


def test_a_percent_sign_repeats_a_unit_of_percent_and_is_a_hundredth_elsewhere() -> None:
    share: dict[str, Any] = {
        "question": "Which share?",
        "answer": 31.0,
        "tolerance": 0.01,
        "right": "So.",
        "slips": {0.31: "Times 100."},
        "otherwise": "Divide.",
        "unit": "%",
    }
    assert self_check(**share).question.judge("31 %") == (True, "Read as 31. Right. So.")
    assert self_check(**share | {"unit": ""}).question.judge("31 %") == (
        False,
        "Read as 31e-2. Not quite. Times 100.",
    )


@pytest.mark.parametrize(
    ("base", "change", "error", "message"),
    [
        (CHOICE, {"question": 7}, TypeError, r"question must be a str, got 7 \(int\)"),
        (CHOICE, {"question": " "}, ValueError, "question must not be empty"),
        (CHOICE, {"answer": "maybe"}, ValueError, "answer must be one of 'yes', 'no', 'never', got 'maybe'"),
        (CHOICE, {"answer": ["yes", "no"]}, TypeError, "answer must be a str"),
        (CHOICE, {"choices": {"yes": "It is."}}, ValueError, "choices must contain at least two answers"),
        (CHOICE, {"choices": ["yes", "no"]}, TypeError, "choices must be a Mapping"),
        (CHOICE, {"choices": {"yes": "It is.", "no": ""}}, ValueError, r"choices\['no'\] must not be empty"),
        (CHOICE, {"choices": {"yes": "It is.", "no": None}}, TypeError, r"choices\['no'\] must be a"),
        (CHOICE, {"choices": {"yes": "A.", "yes ": "B."}}, ValueError, "choices must be different texts"),
        (CHOICE, {"tolerance": 0.1}, ValueError, "tolerance and choices exclude each other"),
        (CHOICE, {"unit": "m"}, ValueError, "unit and choices exclude each other"),
        (NUMBER, {"answer": "0.004"}, TypeError, "answer must be a number, got '0.004'"),
        (NUMBER, {"answer": True}, TypeError, "answer must be a number, got True"),
        (NUMBER, {"answer": 0}, ValueError, "answer and tolerance must not be 0, got 0 and"),
        (NUMBER, {"answer": float("nan")}, ValueError, "answer must be finite, got nan"),
        (NUMBER, {"tolerance": 0}, ValueError, "answer and tolerance must not be 0"),
        (NUMBER, {"tolerance": -0.1}, ValueError, "tolerance must be a number from 0 to 0.2"),
        (NUMBER, {"tolerance": 0.5}, ValueError, "tolerance must be a number from 0 to 0.2, got 0.5"),
        (NUMBER, {"tolerance": None}, ValueError, "tolerance must be given for a number"),
        (NUMBER, {"right": None}, ValueError, "right must be given for a number"),
        (NUMBER, {"right": ""}, ValueError, "right must not be empty, got ''"),
        (NUMBER, {"slips": None}, ValueError, "slips must be given for a number"),
        (NUMBER, {"slips": {0.00409: "Near."}}, ValueError, "slips must be further from the answer"),
        (NUMBER, {"slips": {0.02: "A.", 0.0201: "B."}}, ValueError, "slips .* got 0.02 and 0.0201"),
        (NUMBER, {"slips": {"0.02": "A."}}, TypeError, "slips must be a number, got '0.02'"),
        (NUMBER, {"slips": {0.02: ""}}, ValueError, r"slips\[0.02\] must not be empty"),
        (NUMBER, {"otherwise": "  "}, ValueError, "otherwise must not be empty"),
        (NUMBER, {"unit": 3}, TypeError, r"unit must be a str, got 3 \(int\)"),
    ],
)
def test_what_cannot_be_judged_is_refused_by_name(
    base: dict[str, Any], change: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        self_check(**base | change)


def html(**arguments: Any) -> BeautifulSoup:
    return BeautifulSoup(self_check(**arguments)._repr_mimebundle_()["text/html"], "html.parser")


def test_on_a_page_it_is_native_inputs_and_a_folded_list_of_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BOOK_VARIABLE, "1")
    page = html(**CHOICE)
    assert page.fieldset
    assert str(page.legend) == "<legend>Is <code>a &lt; b</code>?</legend>"
    assert [radio["value"] for radio in page.select("label > input[type=radio]")] == ["0", "1", "2"]
    assert len({radio["name"] for radio in page.select("input")}) == 1
    assert page.select_one("[role=status]").get_text() == ""  # type: ignore[union-attr]
    assert page.select_one("button[type=button][hidden]")
    assert [item.get_text() for item in page.select("details li span")] == ["It is.", "Look at a.", "Not so."]
    ending = html(**CHOICE | {"answer": "It is.", "choices": {"It is.": "So.", "It is not.": "Yet it is."}})
    assert [item.get_text() for item in ending.select("li b")] == ["✓ It is:", "It is not:"]
    field = html(**NUMBER)
    assert field.select_one("fieldset > label[hidden]")  # of no use without the script, which shows it
    assert field.select_one("label > span > input[type=text][inputmode=decimal]")
    assert field.select_one("label > span").get_text(strip=True) == "std"  # type: ignore[union-attr]
    assert field.select_one("noscript > p").get_text() == NOT_JUDGED  # type: ignore[union-attr]
    assert [item.get("data-value") for item in field.select("li")] == [
        repr(residual_std(12)),
        repr(0.02 / 12**0.5),
        "0.02",
        None,
    ]
    assert field.select_one(".self-check")["data-tolerance"] == "0.01"  # type: ignore[index]


def test_two_on_a_page_have_ids_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(BOOK_VARIABLE, "1")
    check = self_check(**CHOICE)
    shown = [BeautifulSoup(check._repr_mimebundle_()["text/html"], "html.parser") for _ in range(2)]
    names = [{element["id"] for element in page.select("[id]")} for page in shown]
    assert not names[0] & names[1]


@pytest.mark.parametrize(
    ("arguments", "given", "words"),
    [
        (CHOICE, "yes", "✓ Right. It is."),
        (CHOICE, "no", "Not quite. Look at <code>a</code>."),
        (CHOICE, None, NOTHING_CHOSEN),
        (NUMBER, "0.0041", "✓ Right. The root of 24."),
        (NUMBER, "x", NO_NUMBER),
    ],
)
def test_with_a_kernel_it_is_widgets_that_say_the_same(
    arguments: dict[str, Any], given: str | None, words: str
) -> None:
    check = self_check(**arguments)
    assert "application/vnd.jupyter.widget-view+json" in check._repr_mimebundle_()
    _, answer, button, verdict = question_widgets(check.question).children
    assert isinstance(button, widgets.Button)
    if given is not None:
        answer.value = given
    button.click()
    assert f">{words}</p>" in verdict.value
    assert 'role="status"' in verdict.value
