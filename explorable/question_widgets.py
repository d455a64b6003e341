"""A self-check with a kernel: plain ipywidgets, judged by `Question.judge`."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from explorable.answers import Question
from explorable.question_html import to_html

_STYLE = "line-height:1.5;white-space:normal;max-width:44rem"


def question_widgets(question: Question) -> widgets.VBox:
    """Return the question, an input, a button, and the verdict on the answer."""
    text = widgets.HTML(f'<p style="{_STYLE};font-weight:600">{to_html(question.text)}</p>')
    answer = _field(question)
    button = widgets.Button(description="Check")
    verdict = widgets.HTML('<p role="status"></p>')

    def judge(_: object = None) -> None:
        right, words = question.judge(answer.value)
        verdict.value = f'<p role="status" style="{_STYLE}">{"✓ " if right else ""}{to_html(words)}</p>'

    button.on_click(judge)
    return widgets.VBox([text, answer, button, verdict])


def _field(question: Question) -> Any:
    if question.tolerance is None:
        return widgets.RadioButtons(
            options=[reason.shown for reason in question.reasons], value=None, layout={"width": "auto"}
        )
    unit = f" ({question.unit})" if question.unit else ""
    return widgets.Text(description=f"Your answer{unit}", style={"description_width": "initial"})
