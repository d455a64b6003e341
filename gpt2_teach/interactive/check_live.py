"""A self-check with a kernel: the same question in plain ipywidgets, judged by `Question.judge`."""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets

from gpt2_teach.interactive.check_page import marked
from gpt2_teach.interactive.questions import Question

_STYLE = "line-height:1.5;white-space:normal;max-width:44rem"


def live_check(question: Question) -> widgets.VBox:
    """The question, something to answer with, a button, and what is said to the answer."""
    asked = widgets.HTML(f'<p style="{_STYLE};font-weight:600">{marked(question.text)}</p>')
    answer = _field(question)
    button = widgets.Button(description="Check")
    said = widgets.HTML('<p role="status"></p>')

    def judge(_: object = None) -> None:
        right, words = question.judge(answer.value)
        said.value = f'<p role="status" style="{_STYLE}">{"✓ " if right else ""}{marked(words)}</p>'

    button.on_click(judge)
    return widgets.VBox([asked, answer, button, said])


def _field(question: Question) -> Any:
    if question.tolerance is None:
        return widgets.RadioButtons(
            options=[reason.shown for reason in question.reasons], value=None, layout={"width": "auto"}
        )
    unit = f" ({question.unit})" if question.unit else ""
    return widgets.Text(description=f"Your answer{unit}", style={"description_width": "initial"})
