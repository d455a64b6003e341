// Judges the self-checks that gpt2_teach.self_check wrote into the page (gpt2_teach/interactive/check_page.py), by the
// list of answers and reasons that each of them holds. How a number is read: gpt2_teach/interactive/numerals.py.
(() => {
  const bare = (typed) => typed.replace(/\s/g, "").replaceAll("−", "-");
  const hundredth = (numeral) => {
    const [digits, exponent = 0] = numeral.toLowerCase().split("e");
    return `${digits}e${exponent - 2}`;
  };
  const numerals = (whole, inPercent) => {
    const typed = whole.replace(/%$/, "");
    const decimal = typed.replace(",", ".");
    const readings = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(decimal) ? [decimal] : [];
    if (/^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(typed)) readings.unshift(typed.replaceAll(",", ""));
    return typed === whole || inPercent ? readings : readings.map(hundredth);
  };
  for (const root of document.querySelectorAll(".self-check")) {
    const inputs = [...root.querySelectorAll("input")];
    const reasons = [...root.querySelectorAll("li")];
    const button = root.querySelector("button");
    const said = root.querySelector("[role=status]");
    const judge = () => {
      let reason, read = "", asked = root.dataset.asked;
      if (inputs[0].type === "radio") reason = reasons[inputs.findIndex((input) => input.checked)];
      else {
        const typed = bare(inputs[0].value);
        const [number, other] = numerals(typed, "percent" in root.dataset);
        const meant = ({ value }) => !value || Math.abs(number - value) <= root.dataset.tolerance * Math.abs(value);
        if (other) asked = `${typed} may mean ${number} or ${other}: type one of these two.`;
        else if (number) reason = reasons.find(({ dataset }) => meant(dataset));
        if (number !== inputs[0].value.trim()) read = `Read as ${number}. `;
      }
      const right = reason && "right" in reason.dataset;
      root.dataset.judged = reason ? (right ? "right" : "wrong") : "";
      if (reason)
        said.innerHTML = `${read}<b>${right ? "Right." : "Not quite."}</b> ${reason.querySelector("span").innerHTML}`;
      else said.textContent = asked;
    };
    for (const hidden of root.querySelectorAll("[hidden]")) hidden.hidden = false;
    button.addEventListener("click", judge);
    root.addEventListener("input", () => {
      root.dataset.judged = said.textContent = "";
    });
    root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) judge();
    });
  }
})();
