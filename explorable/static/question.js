// Judges the self-checks that question_html.py wrote into the page, using the list of answers and reasons in each.
// Numbers are parsed as in answers.py.
(() => {
  const normalized = (typed) => typed.replace(/\s/g, "").replaceAll("−", "-");
  const hundredth = (numeral) => {
    const [digits, exponent = 0] = numeral.toLowerCase().split("e");
    return `${digits}e${exponent - 2}`;
  };
  const readings = (whole, inPercent) => {
    const typed = whole.replace(/%$/, "");
    const decimal = typed.replace(",", ".");
    const found = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(decimal) ? [decimal] : [];
    if (/^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(typed)) found.unshift(typed.replaceAll(",", ""));
    return typed === whole || inPercent ? found : found.map(hundredth);
  };
  for (const root of document.querySelectorAll(".self-check")) {
    const inputs = [...root.querySelectorAll("input")];
    const reasons = [...root.querySelectorAll("li")];
    const button = root.querySelector("button");
    const verdict = root.querySelector("[role=status]");
    const judge = () => {
      let reason, readAs = "", prompt = root.dataset.unanswered;
      if (inputs[0].type === "radio") reason = reasons[inputs.findIndex((input) => input.checked)];
      else {
        const typed = normalized(inputs[0].value);
        const [number, other] = readings(typed, "percent" in root.dataset);
        const matches = ({ value }) => !value || Math.abs(number - value) <= root.dataset.tolerance * Math.abs(value);
        if (other) prompt = `${typed} may mean ${number} or ${other}: type one of these two.`;
        else if (number) reason = reasons.find(({ dataset }) => matches(dataset));
        if (number !== inputs[0].value.trim()) readAs = `Read as ${number}. `;
      }
      const right = reason && "right" in reason.dataset;
      root.dataset.judged = reason ? (right ? "right" : "wrong") : "";
      if (reason)
        verdict.innerHTML = `${readAs}<b>${right ? "Right." : "Not quite."}</b> ${reason.querySelector("span").innerHTML}`;
      else verdict.textContent = prompt;
    };
    for (const hidden of root.querySelectorAll("[hidden]")) hidden.hidden = false;
    button.addEventListener("click", judge);
    root.addEventListener("input", () => {
      root.dataset.judged = verdict.textContent = "";
    });
    root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) judge();
    });
  }
})();
