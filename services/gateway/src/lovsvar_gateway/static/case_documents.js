// Documents of a case: several handed in at once, with what has been sent of each, and looked at until they are read.

import { make, say } from "./words.js";

const LOOK = 2_000;
const form = document.getElementById("upload");
const list = document.getElementById("sent");

if (form) {
  const input = form.querySelector("input[type=file]");
  input.multiple = true;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const files = [...input.files], button = form.querySelector("button");
    if (!files.length) return input.reportValidity();
    button.disabled = true;
    list.replaceChildren();
    let refused = 0;
    for (const file of files) refused += await send(file) ? 0 : 1;
    button.disabled = false;
    form.reset();
    await refresh();
    (refused ? list : document.getElementById("documents")).focus();
  });
}
look();

function send(file) {
  const bar = make("progress", { max: file.size || 1, value: 0 });
  bar.setAttribute("aria-label", file.name);
  const said = make("span", {}, say("sending"));
  const line = make("li", {}, make("span", { className: "name" }, file.name), " ", bar, " ", said);
  list.append(line);
  const request = new XMLHttpRequest();
  request.open("POST", `${form.dataset.address}?name=${encodeURIComponent(file.name.slice(0, 200))}`);
  request.setRequestHeader("Content-Type", "application/octet-stream");
  request.setRequestHeader("Idempotency-Key", crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`);
  request.upload.onprogress = (event) => {
    bar.value = event.loaded;
    if (event.loaded === event.total) said.textContent = say("being_read");
  };
  return new Promise((resolve) => {
    request.onloadend = () => {
      bar.remove();
      const taken = request.status === 201;
      said.textContent = say(taken ? "sent" : "not_sent", { why: taken ? "" : why(request) });
      if (!taken) {
        line.className = "failed";
        said.setAttribute("role", "alert");
      }
      resolve(taken);
    };
    request.send(file);
  });
}

function why(request) {
  try {
    return JSON.parse(request.responseText).detail;
  } catch {
    return say("no_contact");
  }
}

async function refresh() {
  const answer = await fetch(form?.dataset.page ?? location.pathname, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const parsed = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = parsed.getElementById("documents"), there = document.getElementById("documents");
  document.getElementById("find").hidden = parsed.getElementById("find").hidden;
  if (there.contains(document.activeElement) || there.querySelector("details[open]")) return;
  there.replaceWith(document.adoptNode(fresh));
}

// What is being read is looked at again, ever more slowly, until nothing is: each look is in the log of who saw the case.
function look(wait = LOOK) {
  setTimeout(async () => {
    const reading = document.querySelector("#documents[data-reading]");
    if (reading) await refresh();
    look(reading ? Math.min(wait * 1.5, 15_000) : LOOK);
  }, wait);
}
