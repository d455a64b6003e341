"""How well text in a picture can be read: axe does not look into SVG."""

from __future__ import annotations

from playwright.sync_api import Locator

# Each text against what lies behind its middle: the nearest filled shape under it, or else the nearest box.
FAINT = """root => {
  const numbers = color => (color.match(/[\\d.]+/g) || []).map(Number);
  const light = color => {
    const linear = part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = numbers(color).map(part => linear(part / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const clear = color => color === 'none' || numbers(color)[3] === 0;
  let page = 'rgba(0, 0, 0, 0)';
  for (let box = root; box && clear(page); box = box.parentElement)
    page = getComputedStyle(box).backgroundColor;
  const faults = [];
  for (const text of root.querySelectorAll('svg text')) {
    if (!text.textContent.trim() || !text.checkVisibility({opacityProperty: true})) continue;
    text.scrollIntoView({block: 'center', behavior: 'instant'});
    const box = text.getBoundingClientRect();
    const under = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2).find(element => {
      const style = getComputedStyle(element);
      return element.closest('svg') && !element.closest('text') && element.tagName !== 'svg'
        && !clear(style.fill) && Number(style.opacity) * Number(style.fillOpacity) > 0.5;
    });
    const paper = under ? getComputedStyle(under).fill : page, ink = getComputedStyle(text).fill;
    const [dark, bright] = [light(ink), light(paper)].sort((a, b) => a - b);
    const ratio = (bright + 0.05) / (dark + 0.05);
    if (ratio < 4.5) faults.push(`${ratio.toFixed(1)}: ${text.textContent} in ${ink} on ${paper}`);
  }
  return faults;
}"""


def faint(picture: Locator) -> list[str]:
    """The texts of a picture that have less than 4.5:1 against what is behind them."""
    found: list[str] = picture.evaluate(FAINT)
    return found
