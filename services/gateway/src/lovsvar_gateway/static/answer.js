// What can be done with an answer that is shown: its quotes opened in their provisions, copied, printed.

import { prepare } from "./quotes.js";
import { say } from "./words.js";

export function prepareAnswer(answer) {
  for (const hidden of answer.querySelectorAll(".scripted")) hidden.hidden = false;
  prepare(answer);
  answer.querySelector("[data-print]")?.addEventListener("click", () => print());
  answer.querySelector("#lagre")?.addEventListener("submit", (event) => {
    try {
      sessionStorage.setItem("lovsvar.saving", event.target.elements.run.value);
    } catch {
      // Without storage the answer is saved, and the browser has no list of it.
    }
  });
  for (const button of answer.querySelectorAll("[data-copy]")) {
    const citable = answer.querySelector("#citable");
    button.addEventListener("click", () => copy(button.dataset.copy === "address" ? location.href : citable.value));
  }
}

async function copy(text) {
  const told = document.getElementById("copied");
  told.textContent = say(await copied(text) ? "copied" : "copy_failed");
  setTimeout(() => { told.textContent = ""; }, 4_000);
}

// The clipboard is there on secure pages alone; the older way needs a field that is selected.
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.getElementById("citable"), kept = field.value;
    field.hidden = false;
    field.value = text;
    field.select();
    const done = document.execCommand("copy");
    field.value = kept;
    field.hidden = true;
    return done;
  }
}
