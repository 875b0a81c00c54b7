// The questions asked from this browser. They never leave it.

import { make, say } from "./words.js";

const KEY = "lovsvar.questions", MOST = 30;
const section = document.getElementById("history");
const list = section?.querySelector("ul");

export function remember(run, question) {
  const rest = known().filter((entry) => entry.run !== run);
  keep([{ run, question: question.slice(0, 300), at: Date.now() }, ...rest].slice(0, MOST));
}

export function questionOf(run) {
  return known().find((entry) => entry.run === run)?.question;
}

export function showPast(current) {
  const entries = known().filter((entry) => entry.run !== current);
  section.hidden = !entries.length;
  list.replaceChildren(...entries.map(({ run, question, at }) => {
    const time = new Date(at);
    const label = say("history_remove", { question });
    const remove = make("button", { type: "button", textContent: "×", title: label, ariaLabel: label });
    remove.addEventListener("click", () => {
      keep(known().filter((entry) => entry.run !== run));
      showPast(current);
      (section.querySelector("li a") ?? document.getElementById("question")).focus();
    });
    const when = time.toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
    const link = make("a", { href: `/?run=${encodeURIComponent(run)}`, textContent: question });
    return make("li", {}, link, make("time", { dateTime: time.toISOString(), textContent: when }), remove);
  }));
}

document.getElementById("history-clear")?.addEventListener("click", () => {
  keep([]);
  showPast();
  document.getElementById("question").focus();
});

// Storage may be turned off, or hold what another version wrote.
function known() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((entry) => entry?.run && entry?.question) : [];
  } catch {
    return [];
  }
}

function keep(entries) {
  try {
    localStorage.setItem(KEY, JSON.stringify(entries));
  } catch {
    // Without storage there is no history; everything else works.
  }
}
