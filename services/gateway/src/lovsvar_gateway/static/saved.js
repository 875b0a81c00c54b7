// The page of a saved answer, and the list of those that were saved from this browser.

import { prepareAnswer } from "./answer.js";
import { saved } from "./past.js";

const answer = document.getElementById("svar"), list = document.getElementById("saved");

if (answer) {
  const { run, question } = document.getElementById("run").dataset;
  prepareAnswer(answer);
  if (wasSavedHere(run)) saved.remember(run, question);
  document.getElementById("slett")?.addEventListener("submit", () => saved.forget(run));
}

if (list) {
  const none = document.getElementById("none");
  const isEmpty = () => { none.hidden = !list.hidden; };
  saved.show(list, none);
  new MutationObserver(isEmpty).observe(list, { attributeFilter: ["hidden"] });
  isEmpty();
}

// Who opened the page by an address that was shared has not saved the answer.
function wasSavedHere(run) {
  try {
    const is = sessionStorage.getItem("lovsvar.saving") === run;
    if (is) sessionStorage.removeItem("lovsvar.saving");
    return is;
  } catch {
    return false;
  }
}
