// Judges the self-checks that gpt2_teach.self_check wrote into the page (gpt2_teach/interactive/check_page.py), by the
// list of answers and reasons that each of them holds. What counts as a number: questions.as_number.
(() => {
  const number = (typed) => {
    let plain = typed.replace(/[\s%]/g, "").replaceAll("−", "-");
    if (/^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(plain)) plain = plain.replaceAll(",", "");
    plain = plain.replace(",", ".");
    return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? +plain : NaN;
  };
  for (const root of document.querySelectorAll(".self-check")) {
    const inputs = [...root.querySelectorAll("input")];
    const reasons = [...root.querySelectorAll("li")];
    const button = root.querySelector("button");
    const said = root.querySelector("[role=status]");
    const chosen = () => {
      if (inputs[0].type === "radio") return reasons[inputs.findIndex((input) => input.checked)];
      const given = number(inputs[0].value);
      const meant = ({ value }) => !value || Math.abs(given - value) <= root.dataset.tolerance * Math.abs(value);
      return isNaN(given) ? undefined : reasons.find((reason) => meant(reason.dataset));
    };
    const judge = () => {
      const reason = chosen();
      const right = reason && "right" in reason.dataset;
      root.dataset.judged = reason ? (right ? "right" : "wrong") : "";
      if (reason) said.innerHTML = `<b>${right ? "Right." : "Not quite."}</b> ${reason.querySelector("span").innerHTML}`;
      else said.textContent = root.dataset.asked;
    };
    button.hidden = false;
    button.addEventListener("click", judge);
    root.addEventListener("input", () => {
      root.dataset.judged = said.textContent = "";
    });
    root.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && event.target.matches("input")) judge();
    });
  }
})();
