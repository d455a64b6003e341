"""A self-check on a page without a kernel: native inputs, and a folded list of answers and reasons.

`book/_static/self_check.js` judges it by that very list. Without a script question and list stand alone: what
only a script can use is hidden until it comes.
"""

from __future__ import annotations

import re
from html import escape

from gpt2_teach.interactive.numerals import in_percent
from gpt2_teach.interactive.questions import NO_NUMBER, NOTHING_CHOSEN, Question, Reason

NOT_JUDGED = "Without JavaScript nothing judges your answer: decide, then read the reasons below."


def check_html(question: Question, name: str) -> str:
    """The self-check as HTML; the ids in it begin with `name`."""
    a_choice = question.tolerance is None
    asked = NOTHING_CHOSEN if a_choice else NO_NUMBER
    number = "" if a_choice else f' data-tolerance="{question.tolerance!r}"'
    number += " data-percent" if in_percent(question.unit) else ""
    reasons = "\n".join(map(_reason, question.reasons))
    return f"""<div class="self-check" id="{name}" data-asked="{escape(asked)}"{number}>
<p class="self-check-kind">Check yourself</p>
<fieldset>
<legend>{marked(question.text)}</legend>
{_choices(question, name) if a_choice else _field(question, name)}
</fieldset>
<noscript><p class="self-check-note">{NOT_JUDGED}</p></noscript>
<button type="button" hidden>Check</button>
<p class="self-check-said" role="status"></p>
<details>
<summary>Answer and reasons</summary>
<ul>
{reasons}
</ul>
</details>
</div>"""


def marked(text: str) -> str:
    """Text as HTML: code is what stands between backticks, emphasis between asterisks; quotes are curled.

    >>> marked("Is `a < b`? *Is* it GPT-2's?")
    'Is <code>a &lt; b</code>? <em>Is</em> it GPT-2’s?'
    """
    parts = re.split(r"`([^`]+)`", escape(text, quote=False))  # every other one is code
    return "".join(f"<code>{part}</code>" if n % 2 else _prose(part) for n, part in enumerate(parts))


def _prose(text: str) -> str:
    emphasized = re.sub(r"\*(\S[^*]*)\*", r"<em>\1</em>", text)
    return re.sub(r'"([^"]*)"', r"“\1”", emphasized).replace("'", "’")


def _choices(question: Question, name: str) -> str:
    return "\n".join(
        f'<label><input type="radio" name="{name}.answer" value="{n}" autocomplete="off">'
        f"<span>{marked(reason.shown)}</span></label>"
        for n, reason in enumerate(question.reasons)
    )


def _field(question: Question, name: str) -> str:
    unit = f" {marked(question.unit)}" if question.unit else ""
    return (
        f'<label hidden>Your answer <span><input type="text" inputmode="decimal" name="{name}.answer"'
        f' size="10" autocomplete="off" spellcheck="false">{unit}</span></label>'
    )


def _reason(reason: Reason) -> str:
    value = "" if reason.value is None else f' data-value="{reason.value!r}"'
    right = " data-right" if reason.right else ""
    mark = "✓ " if reason.right else ""
    shown = marked(reason.shown.removesuffix("."))  # a colon follows
    return f"<li{value}{right}><b>{mark}{shown}:</b> <span>{marked(reason.why)}</span></li>"
