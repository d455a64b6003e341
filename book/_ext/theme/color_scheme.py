"""Sets the initial light or dark mode of each page, so that no style waits for the theme's deferred script.

The theme starts a page as "auto", in which its colours have no values. Without JavaScript the page is light;
with it, a few lines make the choice of the theme's script before anything is drawn.
"""

from __future__ import annotations

from bs4 import BeautifulSoup

THEME_SCRIPT_START = "document.documentElement.dataset.mode"  # of the script that is replaced
CHOOSE_SCHEME = """
    try {
      localStorage.getItem("mode");
    } catch { // storage is blocked: the theme's scripts work without memory
      const memory = { getItem: () => null, setItem() {}, removeItem() {} };
      Object.defineProperties(window, { localStorage: { value: memory }, sessionStorage: { value: memory } });
    }
    (({ dataset }) => {
      const preferred = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      dataset.mode = localStorage.getItem("mode") || "auto";
      dataset.theme = dataset.mode === "auto" ? preferred : dataset.mode;
    })(document.documentElement);
  """


def set_initial_scheme(page: BeautifulSoup) -> None:
    """Start the page light, and replace the theme's first script."""
    for root in page.select("html"):
        root["data-theme"] = "light"
    for script in page.find_all("script", src=False):
        if script.get_text().strip().startswith(THEME_SCRIPT_START):
            script.string = CHOOSE_SCHEME
