"""Has each page begin in the light or the dark, so that no style waits for the theme's deferred script.

As the theme writes it a page begins as "auto", which is neither: its colours have no values then. Without
JavaScript it stays light; with it, a few lines decide before anything is drawn, by what the reader chose or
else by what the system asks for. The theme's script comes to the same.
"""

from __future__ import annotations

from bs4 import BeautifulSoup

FIRST = "document.documentElement.dataset.mode"  # how the theme's own first script begins
DECIDES = """
    (({ dataset }) => {
      const asked = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      let chosen = null;
      try {
        chosen = localStorage.getItem("mode");
      } catch {} // a browser may keep nothing
      dataset.mode = ["light", "dark"].includes(chosen) ? chosen : "auto";
      dataset.theme = dataset.mode === "auto" ? asked : dataset.mode;
    })(document.documentElement);
  """


def mend(page: BeautifulSoup) -> None:
    """Mend one page."""
    assert page.html
    page.html["data-theme"] = "light"
    for script in page.find_all("script", src=False):
        if script.get_text().strip().startswith(FIRST):
            script.string = DECIDES
