"""A self-check on a page without a kernel: native inputs, and a folded list of answers and reasons.

`static/question.js` judges an answer with that list. Controls that need the script are hidden until it runs.
"""

from __future__ import annotations

import re
from html import escape

from explorable.answers import NO_NUMBER, NOTHING_CHOSEN, Question, Reason

NOT_JUDGED = "Without JavaScript your answer cannot be checked: decide, then read the reasons below."


def question_html(question: Question, name: str) -> str:
    """Return the self-check as HTML; its ids begin with `name`."""
    is_choice = question.tolerance is None
    unanswered = NOTHING_CHOSEN if is_choice else NO_NUMBER
    number = "" if is_choice else f' data-tolerance="{question.tolerance!r}"'
    number += " data-percent" if question.unit == "%" else ""
    reasons = "\n".join(map(_reason, question.reasons))
    return f"""<div class="self-check" id="{name}" data-unanswered="{escape(unanswered)}"{number}>
<p class="self-check-kind">Check yourself</p>
<fieldset>
<legend>{to_html(question.text)}</legend>
{_choices(question, name) if is_choice else _field(question, name)}
</fieldset>
<noscript><p class="self-check-note">{NOT_JUDGED}</p></noscript>
<button type="button" hidden>Check</button>
<p class="self-check-verdict" role="status"></p>
<details>
<summary>Answer and reasons</summary>
<ul>
{reasons}
</ul>
</details>
</div>"""


def to_html(text: str) -> str:
    """Convert text to HTML: `code`, *emphasis*, and curly quotes.

    >>> to_html("Is `a < b`? *Is* it GPT-2's?")
    'Is <code>a &lt; b</code>? <em>Is</em> it GPT-2’s?'
    """
    parts = re.split(r"`([^`]+)`", escape(text, quote=False))  # odd parts are code
    return "".join(f"<code>{part}</code>" if n % 2 else _prose(part) for n, part in enumerate(parts))


def _prose(text: str) -> str:
    emphasized = re.sub(r"\*(\S[^*]*)\*", r"<em>\1</em>", text)
    return re.sub(r'"([^"]*)"', r"“\1”", emphasized).replace("'", "’")


def _choices(question: Question, name: str) -> str:
    return "\n".join(
        f'<label><input type="radio" name="{name}.answer" value="{n}" autocomplete="off">'
        f"<span>{to_html(reason.shown)}</span></label>"
        for n, reason in enumerate(question.reasons)
    )


def _field(question: Question, name: str) -> str:
    unit = f" {to_html(question.unit)}" if question.unit else ""
    return (
        f'<label hidden>Your answer <span><input type="text" inputmode="decimal" name="{name}.answer"'
        f' size="10" autocomplete="off" spellcheck="false">{unit}</span></label>'
    )


def _reason(reason: Reason) -> str:
    value = "" if reason.value is None else f' data-value="{reason.value!r}"'
    right = " data-right" if reason.right else ""
    mark = "✓ " if reason.right else ""
    shown = to_html(reason.shown.removesuffix("."))  # a colon follows
    return f"<li{value}{right}><b>{mark}{shown}:</b> <span>{to_html(reason.why)}</span></li>"
