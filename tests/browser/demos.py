"""A demo on an open page: where it stands, what it shows, and how it is moved by keyboard alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

# How many each chapter has: one that is new is tested as all are, once it is counted here.
DEMOS = {
    "notebooks/01_parameter_sharing": 2,
    "notebooks/02_weight_initialization": 1,
    "notebooks/03_random_walk": 2,
    "notebooks/04_residual_stream": 2,
}
each_demo = pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name, count in DEMOS.items() for number in range(count)]
)
# Attributes in the order of their names, as taking one away and setting it again moves it to the end.
STATE = """root => {
  const texts = element => [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE);
  const one = element => [element.tagName, ...[...element.attributes].map(a => `${a.name}=${a.value}`).sort(),
                          ...texts(element).map(node => node.data)].join(' ');
  const svg = root.querySelector('svg'), ranges = [...root.querySelectorAll('input[type=range]')];
  return {picture: [svg, ...svg.querySelectorAll('*')].map(one),
          words: root.querySelector('.explore-words').innerText,
          outputs: [...root.querySelectorAll('output')].map(output => output.innerText),
          spoken: ranges.map(range => range.getAttribute('aria-valuetext'))};
}"""
POSITION = """(root, name) => {
  const inputs = [...root.querySelectorAll(`[data-parameter="${name}"]`)];
  return inputs.length > 1 ? inputs.findIndex(input => input.checked) : Number(inputs[0].value);
}"""


@dataclass(frozen=True)
class Parameter:
    """One thing that a demo lets the reader set."""

    name: str
    kind: str  # range, radio or select
    texts: list[str]  # each value as it is shown
    in_address: list[str]  # each value as the address has it


class Demo:
    """The demo of that number on a page, whose script has run."""

    def __init__(self, page: Page, number: int) -> None:
        self.page = page
        self.root: Locator = page.locator(".explore").nth(number)
        data = json.loads(self.root.locator("script[type='application/json']").text_content() or "")
        self.parameters = [
            Parameter(name, self._kind(name), texts, in_address)
            for name, texts, in_address in data["parameters"]
        ]
        every = product(*(range(len(parameter.texts)) for parameter in self.parameters))
        self.words = {position: " ".join(words.split()) for position, words in zip(every, data["words"])}

    def _kind(self, name: str) -> str:
        control = self.root.locator(f"[data-parameter='{name}']").first
        kind: str = control.evaluate("control => control.type === 'select-one' ? 'select' : control.type")
        return kind

    def state(self) -> dict[str, Any]:
        """What it shows now: its picture, its words, and its values as they are seen and spoken."""
        shown: dict[str, Any] = self.root.evaluate(STATE)
        return shown

    def position(self) -> tuple[int, ...]:
        """At which of its values each parameter stands."""
        return tuple(self.root.evaluate(POSITION, parameter.name) for parameter in self.parameters)

    def texts(self) -> list[str]:
        """What its sliders should show where they stand."""
        standing = zip(self.parameters, self.position())
        return [parameter.texts[at] for parameter, at in standing if parameter.kind == "range"]

    def reach(self, parameter: Parameter) -> None:
        """Come to its control with Tab, from the demo's beginning; radio buttons of one name are one stop."""
        self.root.evaluate("root => { root.tabIndex = -1; root.focus(); root.removeAttribute('tabindex'); }")
        for _ in range(self.parameters.index(parameter) + 1):
            self.page.keyboard.press("Tab")
        here = self.page.evaluate("document.activeElement.dataset.parameter")
        assert here == parameter.name, f"Tab came to {here!r}, not to {parameter.name!r}"

    def home(self, parameter: Parameter) -> None:
        """Go to its first value, once its control has been reached."""
        if parameter.kind != "radio":
            self.page.keyboard.press("Home")
            return
        for _ in parameter.texts:
            if self.root.evaluate(POSITION, parameter.name) == 0:
                return
            self.page.keyboard.press("ArrowUp")

    def step(self, parameter: Parameter) -> None:
        """Go to its next value."""
        self.page.keyboard.press("ArrowRight" if parameter.kind == "range" else "ArrowDown")

    def put(self, parameter: Parameter, position: int) -> None:
        """Set it by keyboard."""
        self.reach(parameter)
        self.home(parameter)
        for _ in range(position):
            self.step(parameter)

    def goto(self, position: tuple[int, ...]) -> None:
        """Set all of it by keyboard."""
        for parameter, at in zip(self.parameters, position):
            self.put(parameter, at)
        assert self.position() == position

    def address(self, keys: list[str], position: tuple[int, ...]) -> str:
        """The end of the page's address for a position; `keys` are the parameters' names there."""
        values = [p.in_address[at] for p, at in zip(self.parameters, position)]
        return "#" + "&".join(f"{key}={value}" for key, value in zip(keys, values))

    def visit(self, keys: list[str], position: tuple[int, ...]) -> None:
        """Go to a position by the page's address. The event is sent, too: the browser's own may come late."""
        self.page.evaluate(
            "hash => { location.hash = hash; dispatchEvent(new HashChangeEvent('hashchange')); }",
            self.address(keys, position),
        )
