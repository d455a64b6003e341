"""A demo on an open page: what it shows, and how it is moved by keyboard or by the address."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import product
from typing import Any

from playwright.sync_api import Locator, Page

Position = tuple[int, ...]

# How many each chapter has: one that is new is tested as all are, once it is counted here.
DEMOS = {
    "notebooks/01_parameter_sharing": 2,
    "notebooks/02_weight_initialization": 1,
    "notebooks/03_random_walk": 2,
    "notebooks/04_residual_stream": 2,
}
# Attributes in the order of their names, as taking one away and setting it again moves it to the end.
STATE = """root => {
  const texts = element => [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE);
  const one = element => [element.tagName, ...[...element.attributes].map(a => `${a.name}=${a.value}`).sort(),
                          ...texts(element).map(node => node.data)].join(' ');
  const svg = root.querySelector('svg'), ranges = [...root.querySelectorAll('input[type=range]')];
  return {picture: [svg, ...svg.querySelectorAll('*')].map(one).join('\\n'),
          words: root.querySelector('.explore-words').textContent,
          outputs: [...root.querySelectorAll('.explore-range span')].map(value => value.textContent),
          spoken: ranges.map(range => range.getAttribute('aria-valuetext'))};
}"""
# The event is sent, too: the browser's own may come late.
SWEEP = f"""(root, addresses) => addresses.map(address => {{
  location.hash = address;
  dispatchEvent(new HashChangeEvent('hashchange'));
  return ({STATE})(root);
}})"""
POSITION = """(root, name) => {
  const inputs = [...root.querySelectorAll(`[data-parameter="${name}"]`)];
  return inputs.length > 1 ? inputs.findIndex(input => input.checked) : Number(inputs[0].value);
}"""


@dataclass(frozen=True)
class Parameter:
    """One thing that a demo lets the reader set."""

    name: str
    texts: list[str]  # each value as it is shown
    in_address: list[str]  # each value as the address has it
    kind: str  # range, radio or select-one


class Demo:
    """The demo of that number on a page, whose script has run."""

    def __init__(self, page: Page, number: int) -> None:
        self.page = page
        self.root: Locator = page.locator(".explore").nth(number)
        data = json.loads(self.root.locator("script[type='application/json']").text_content() or "")
        self.parameters = [
            Parameter(name, texts, in_address, self.control(name).evaluate("control => control.type"))
            for name, texts, in_address in data["parameters"]
        ]
        every = product(*(range(len(parameter.texts)) for parameter in self.parameters))
        self.words: dict[Position, str] = dict(zip(every, data["words"]))

    def control(self, name: str) -> Locator:
        """Its first control of a parameter."""
        return self.root.locator(f"[data-parameter='{name}']").first

    def state(self) -> dict[str, Any]:
        """What it shows now: its picture, its words, and its values as they are seen and spoken."""
        shown: dict[str, Any] = self.root.evaluate(STATE)
        return shown

    def position(self) -> Position:
        """At which of its values each parameter stands."""
        return tuple(self.root.evaluate(POSITION, parameter.name) for parameter in self.parameters)

    def texts(self, position: Position) -> list[str]:
        """What its sliders should show at a position."""
        standing = zip(self.parameters, position)
        return [parameter.texts[at] for parameter, at in standing if parameter.kind == "range"]

    def address(self, position: Position) -> str:
        """The end of the page's address for a position."""
        return "#" + "&".join(f"{p.name}={p.in_address[at]}" for p, at in zip(self.parameters, position))

    def sweep(self, positions: list[Position]) -> list[dict[str, Any]]:
        """What it shows at each of these positions, reached by the page's address one after another."""
        shown: list[dict[str, Any]] = self.root.evaluate(SWEEP, [self.address(at) for at in positions])
        return shown

    def reach(self, parameter: Parameter) -> None:
        """Come to its control with Tab, from the demo's beginning; radio buttons of one name are one stop."""
        self.root.evaluate("root => { root.tabIndex = -1; root.focus(); root.removeAttribute('tabindex'); }")
        for _ in range(self.parameters.index(parameter) + 1):
            self.page.keyboard.press("Tab")
        assert self.page.evaluate("document.activeElement.dataset.parameter") == parameter.name

    def step(self, parameter: Parameter) -> None:
        """Go to its next value."""
        self.page.keyboard.press("ArrowRight" if parameter.kind == "range" else "ArrowDown")

    def put(self, parameter: Parameter, position: int) -> None:
        """Set it by keyboard."""
        self.reach(parameter)
        if parameter.kind != "radio":
            self.page.keyboard.press("Home")
        else:
            while self.root.evaluate(POSITION, parameter.name):
                self.page.keyboard.press("ArrowUp")
        for _ in range(position):
            self.step(parameter)

    def goto(self, position: Position) -> None:
        """Set all of it by keyboard."""
        for parameter, at in zip(self.parameters, position):
            self.put(parameter, at)
        assert self.position() == position

    def ends(self) -> tuple[Position, Position]:
        """Its first and its last position."""
        return min(self.words), max(self.words)
