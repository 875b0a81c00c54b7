// The conversation of a case. Forms and addresses work without this; it follows the run that answers.

import { follow } from "./follow.js";
import { settle, showEvent } from "./steps.js";
import { say } from "./words.js";

const run = document.getElementById("run");
const status = document.getElementById("status");

if (run) followRun();
prepareForm();

function followRun() {
  let told = "";
  follow(run.dataset.address, run.dataset.events.split(" "), {
    happened: showEvent,
    contact: (there) => {
      if (!there) {
        told ||= status.textContent;
        status.textContent = say("reconnecting");
      } else if (told) {
        status.textContent = told;
        told = "";
      }
    },
    ended: showEnd,
  });
}

// The case is another when its run has ended: the page has the answer, the phase, and the form again.
async function showEnd() {
  settle();
  try {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store" });
    if (!answer.ok) return location.reload(); // The page itself asks for a key.
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    const written = document.getElementById("message")?.value;
    for (const id of ["standing", "talk", "turn"]) {
      document.getElementById(id).replaceWith(document.adoptNode(parsed.getElementById(id)));
    }
    const box = document.getElementById("message");
    if (box && written) box.value = written;
  } catch {
    status.textContent = say("reconnecting");
    setTimeout(showEnd, 2_000);
    return;
  }
  document.getElementById("heard").textContent = say("ready");
  document.getElementById("siste")?.focus();
  prepareForm();
}

function prepareForm() {
  const form = document.getElementById("say"), box = document.getElementById("message");
  if (!form) return;
  for (const hidden of form.querySelectorAll(".scripted")) hidden.hidden = false;
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
}
