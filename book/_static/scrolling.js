/* Makes boxes with hidden content focusable, so that the keyboard can scroll them, and marks the edges with hidden
   content, which book.css fades. */
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
