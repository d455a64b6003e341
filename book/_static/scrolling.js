/* What is wider than the page scrolls in itself. This lets the keyboard reach it, and marks the edges behind which
   there is more, for book.css to fade. */
"use strict";

(() => {
  const mark = (box) => {
    const hidden = box.scrollWidth - box.clientWidth;
    const left = Math.abs(box.scrollLeft);
    const more = hidden > 1 ? [left > 1 && "start", left < hidden - 1 && "end"].filter(Boolean) : [];
    box.dataset.more = more.join(" ");
    if (hidden > 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  };
  const sizes = new ResizeObserver((entries) => entries.forEach((entry) => mark(entry.target)));
  for (const box of document.querySelectorAll("[data-more]")) { // book/_ext/theme/accessibility.py
    sizes.observe(box);
    box.addEventListener("scroll", () => mark(box), { passive: true });
  }
})();
