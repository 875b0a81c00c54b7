// The questions asked, and the answers saved, from this browser. The lists never leave it.

import { make, say } from "./words.js";

export const questions = listOf("lovsvar.questions", 30, (run) => `/?run=${encodeURIComponent(run)}`);
export const saved = listOf("lovsvar.saved", 200, (run) => `/lagret/${encodeURIComponent(run)}`);

function listOf(key, most, address) {
  // Storage may be turned off, or hold what another version wrote.
  function known() {
    try {
      const stored = JSON.parse(localStorage.getItem(key) ?? "[]");
      return Array.isArray(stored) ? stored.filter((entry) => entry?.run && entry?.question) : [];
    } catch {
      return [];
    }
  }

  function keep(entries) {
    try {
      localStorage.setItem(key, JSON.stringify(entries));
    } catch {
      // Without storage there is no list; everything else works.
    }
  }

  function without(run) {
    return known().filter((entry) => entry.run !== run);
  }

  // Shows the list in `section`, but for the `current` run; `next` gets the focus when the last entry is removed.
  function show(section, next, current) {
    const entries = without(current);
    section.hidden = !entries.length;
    section.querySelector("ul").replaceChildren(...entries.map(({ run, question, at }) => {
      const time = new Date(at);
      const label = say("history_remove", { question });
      const remove = make("button", { type: "button", textContent: "×", title: label, ariaLabel: label });
      remove.addEventListener("click", () => {
        keep(without(run));
        show(section, next, current);
        (section.querySelector("li a") ?? next).focus();
      });
      const when = time.toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
      const link = make("a", { href: address(run), textContent: question });
      return make("li", {}, link, make("time", { dateTime: time.toISOString(), textContent: when }), remove);
    }));
    section.querySelector("[data-clear]").onclick = () => {
      keep([]);
      show(section, next, current);
      next.focus();
    };
  }

  return {
    show,
    remember: (run, question) => keep([{ run, question: question.slice(0, 300), at: Date.now() }, ...without(run)].slice(0, most)),
    forget: (run) => keep(without(run)),
    questionOf: (run) => known().find((entry) => entry.run === run)?.question,
  };
}
