// Operates the demos that demo_html.py wrote into the page. A demo has one picture; its data contains the patches and
// the description for each position.
(() => {
  const taken = new Set();
  let moved, settled; // parameters not yet in the address, and a timer
  const demos = [...document.querySelectorAll(".explore")].map((root) => {
    const data = JSON.parse(root.querySelector("script").textContent);
    const elements = root.querySelectorAll("svg *");
    const words = root.querySelector(".explore-words");
    const parameters = data.parameters.map(([name, texts, inAddress]) => {
      let key = name; // in the address; a second demo adds a number
      for (let k = 2; taken.has(key); k++) key = `${name}-${k}`;
      taken.add(key);
      const inputs = [...root.querySelectorAll(`[data-parameter="${name}"]`)];
      return { key, texts, inAddress, inputs, at: 0 };
    });
    const frame = () => parameters.reduce((n, p) => n * p.texts.length + p.at, 0);

    const read = () => {
      for (const p of parameters) p.at = +(p.inputs.find((input) => input.checked) || p.inputs[0]).value;
    };
    const show = () => {
      const now = frame();
      for (const [index, attribute, values, which] of data.changes) {
        const element = elements[index];
        const value = values[which[now]];
        if (!attribute) element.textContent = value;
        else if (value === null) element.removeAttribute(attribute);
        else element.setAttribute(attribute, value);
      }
      words.textContent = data.words[now];
      for (const { inputs, texts, at } of parameters) {
        if (inputs[0].type !== "range") continue;
        inputs[0].setAttribute("aria-valuetext", texts[at]);
        inputs[0].nextElementSibling.textContent = texts[at];
      }
    };
    // If a slider does not have the value, use the nearest one.
    const nearest = (p, wanted) => {
      const exact = p.inAddress.indexOf(wanted);
      const number = wanted.trim() ? +wanted.replaceAll(",", "") : NaN;
      if (exact >= 0 || p.inputs[0].type !== "range" || isNaN(number)) return exact;
      if (number > p.inAddress.at(-1)) return p.inAddress.length - 1;
      const off = p.inAddress.map((value) => Math.abs(value - number));
      return off.indexOf(Math.min(...off));
    };
    const visit = (address) => {
      let found = false;
      for (const p of parameters) {
        const at = address.has(p.key) ? nearest(p, address.get(p.key)) : -1;
        if (at < 0) continue;
        found = true;
        if (p.inputs[0].type === "radio") p.inputs[at].checked = true;
        else p.inputs[0].value = at;
      }
      if (found) {
        read();
        show();
      }
      return found;
    };

    root.addEventListener("input", () => {
      read();
      show();
      if (moved !== parameters) remember(); // another demo was moved just before
      moved = parameters;
      clearTimeout(settled); // browsers limit the rate of address changes
      settled = setTimeout(remember, 300);
    });
    root.querySelector(".explore-controls").hidden = false;
    root.classList.add("explore-on");
    return { root, parameters, visit };
  });

  const here = () => new URLSearchParams(location.hash.slice(1));
  const remember = () => {
    if (!moved) return;
    const address = new URLSearchParams(moved.map((p) => [p.key, p.inAddress[p.at]]));
    for (const [key, value] of here()) if (taken.has(key) && !address.has(key)) address.append(key, value);
    history.replaceState(history.state, "", "#" + address);
    moved = null;
  };
  const goTo = (place) => {
    const scroll = () => place.scrollIntoView({ block: "center" });
    scroll();
    if (document.readyState === "complete") return;
    addEventListener("load", scroll, { once: true }); // again, once fonts are loaded, unless the reader has moved on
    for (const move of ["wheel", "touchstart", "pointerdown", "keydown"])
      addEventListener(move, () => removeEventListener("load", scroll), { once: true });
  };
  const visit = () => {
    const address = here();
    const visited = demos.filter((demo) => demo.visit(address));
    const first = visited.find((demo) => demo.parameters.some((p) => p.key === [...address.keys()][0]));
    const reached = first || visited[0];
    if (reached) goTo(reached.root);
  };
  addEventListener("hashchange", () => {
    moved = null;
    visit();
  });
  addEventListener("pagehide", remember);
  visit();
})();
