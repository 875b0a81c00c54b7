// The page where questions are asked and answers read. Forms and addresses work without this; it adds what moves.

import { prepareAnswer } from "./answer.js";
import { follow } from "./follow.js";
import { questions } from "./past.js";
import { settle, showEvent } from "./steps.js";
import { say } from "./words.js";

const run = document.getElementById("run");
const form = document.getElementById("ask");
const status = document.getElementById("status");
const place = document.getElementById("svar");
const SILENT_TRIES = 4; // These take eight seconds; a shorter break is no news.

if (run) {
  questions.remember(run.dataset.run, run.dataset.question);
  if ("working" in run.dataset) showRun(run.dataset.run);
  else prepareAnswer(place);
}
prepareForm();
questions.show(document.getElementById("history"), document.getElementById("question"), run?.dataset.run);

function showRun(id) {
  let told = "";
  follow(`/v1/questions/${id}`, run.dataset.events.split(" "), {
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
    ended: async () => {
      await showAnswer(id);
      settle();
      delete run.dataset.working;
    },
  });
  const stop = document.getElementById("stop");
  stop.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = stop.querySelector("button");
    button.disabled = true;
    const answer = await fetch(`/v1/questions/${id}`, { method: "DELETE" }).catch(() => null);
    button.disabled = Boolean(answer?.ok);
  });
}

async function showAnswer(id, tries = 0) {
  try {
    const answer = await fetch(`/svar/${id}`, { cache: "no-store" });
    if (answer.status === 401 || answer.status === 403) return location.reload(); // The page itself asks for a key.
    if (!answer.ok) throw new Error(`${answer.status}`);
    const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
    place.replaceChildren(...parsed.body.childNodes);
  } catch {
    if (tries >= SILENT_TRIES) status.textContent = say("reconnecting");
    await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** tries, 5_000)));
    return showAnswer(id, tries + 1);
  }
  prepareAnswer(place);
  const stop = document.getElementById("stop"), focused = stop.contains(document.activeElement);
  stop.hidden = true;
  const stopped = place.querySelector(".answer")?.dataset.status === "cancelled";
  status.textContent = say(stopped ? "stopped" : "ready");
  if (focused) document.getElementById("answer-title").focus();
}

function prepareForm() {
  const box = document.getElementById("question");
  for (const hidden of form.querySelectorAll(".scripted")) hidden.hidden = false;
  if (form.dataset.gone) box.value ||= questions.questionOf(form.dataset.gone) ?? "";
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  // Asking twice by an impatient double press would be two runs. Back from the run's page, one can ask again.
  let asking = false;
  form.addEventListener("submit", (event) => {
    if (asking) event.preventDefault();
    asking = true;
  });
  addEventListener("pageshow", () => { asking = false; });
}
