// The steps of a run as they happen, and the draft as it is written. The server tells a run that has ended in the
// same words (`core/steps.py`), and what had happened when the page was sent; that is told anew here from the start.

import { make, say, whole } from "./words.js";

const DRAFT_MARK = /\s*\[(?:lovdata|serper)-\d*\]?|\s*\[[a-z]{0,7}$/g;

// Events that are no line of a step; all others that are not known here say what they are (`core/steps.py`).
const UNTOLD = ["usage.updated", "run.completed", "run.failed", "run.cancelled", "run.limit_reached"];

const box = document.getElementById("steps");
const list = document.getElementById("step-list");
const summary = document.getElementById("steps-summary");
const draft = document.getElementById("draft");
const draftText = document.getElementById("draft-text");
const steps = new Map();
const calls = new Map();
const names = new Map();
let text = "", model = "", began = 0, ms = 0, toggled = false, wanted = null;

box?.querySelector("summary").addEventListener("click", () => { toggled = true; });

export function showEvent(event) {
  if (event.type in HANDLERS) HANDLERS[event.type](event);
  else if (!UNTOLD.includes(event.type)) last().append(make("li", {}, event.text || event.type));
}

export function settle() {
  draft.hidden = true;
  if (!toggled) box.open = false;
  for (const step of steps.values()) step.item.classList.remove("open");
  document.getElementById("steps-title").textContent = say("steps");
  const parts = [say("steps_count", { n: steps.size }), duration(ms), model];
  summary.textContent = `· ${parts.filter(Boolean).join(" · ")}`;
}

const HANDLERS = {
  "run.accepted"(event) {
    list.replaceChildren();
    if (!event.place) return;
    const wait = event.expected_wait, long = wait >= 120;
    const values = { n: event.place, wait: long ? Math.round(wait / 60) : Math.max(2, Math.round(wait)) };
    document.getElementById("status").textContent = say(long ? "queued_minutes" : "queued_seconds", values);
  },
  "run.started"(event) {
    document.getElementById("status").textContent = say("working");
    box.hidden = false;
    if (!toggled) box.open = true;
    if (event.attempt > 1) {
      for (const step of steps.values()) step.item.classList.remove("open");
      list.append(make("li", { className: "step", textContent: say("taken_over") }));
      write("");
    }
    began ||= Date.parse(event.ts);
    model = event.model === "extractive" ? say("extractive") : say("model", { model: event.model });
  },
  "step.started"(event) {
    const time = make("span", { className: "ms" }), inside = make("ul");
    const title = say(`step_${event.name}`) || event.title;
    const item = make("li", { className: "step open" }, title, " ", time, inside);
    steps.set(event.step, { item, time, inside });
    list.append(item);
    document.getElementById("status").textContent = `${title} …`;
  },
  "step.finished"(event) {
    const step = steps.get(event.step);
    step?.item.classList.remove("open");
    if (step) step.time.textContent = duration(event.ms);
    ms = Date.parse(event.ts) - began;
  },
  "tool.called"(event) {
    const line = make("li", {}, `${say(`tool_${event.name}`) || event.name} `, ...whole(asked(event.arguments)));
    calls.set(event.call_id, line);
    last().append(line);
  },
  "tool.result"(event) {
    const line = calls.get(event.call_id);
    if (!line) return;
    const result = event.error ?? say(event.name === "hent_lovtekst" ? "read" : "hits", { n: event.hits });
    line.append(make("span", { className: event.error ? "failed" : "" }, ` → ${result} `));
    line.append(make("span", { className: "ms", textContent: duration(event.ms) }));
  },
  "sources.found"(event) {
    const line = make("li", {}, `${say("sources")}: `);
    event.evidence.forEach((evidence, number) => {
      const value = evidence.title.split(". ")[0];
      const name = evidence.section ? `${evidence.act.split(/ [–-] /)[0]} ${value}` : evidence.title;
      names.set(`${evidence.refid} ${evidence.section}`, name);
      const link = evidence.url ? [make("a", { href: evidence.url, lang: "no" }, ...whole(name))] : whole(name);
      line.append(number ? ", " : "", ...link);
    });
    last().append(line);
  },
  "answer.delta"(event) {
    write(event.restart ? event.text : text + event.text);
    draft.hidden = !text;
  },
  "citation.verified"(event) {
    const { number, title, excerpt } = event.citation;
    const named = { title: `[${number}] ${title}` };
    const said = excerpt ? say("excerpt_quote", named) : `✓ ${say("verified_quote", named)}`;
    last().append(make("li", {}, ...whole(said)));
  },
  "citation.rejected"(event) {
    last().append(make("li", { className: "failed" }, `✗ ${say("rejected_quote", { quote: event.quote })}`));
  },
  "answer.completed"(event) {
    ms = Date.parse(event.ts) - began;
  },
};

// Writing is put off to the next frame: a fast model sends more pieces than a screen shows.
function write(words) {
  text = words;
  wanted ??= requestAnimationFrame(() => {
    wanted = null;
    draftText.textContent = text.replace(DRAFT_MARK, "");
  });
}

function last() {
  return [...steps.values()].at(-1)?.inside ?? list;
}

function asked(given) {
  const said = Object.entries(given ?? {}).flatMap(([name, value]) => {
    if (name === "query" || name === "reference") return [`«${value}»`];
    if (name === "provisions" && Array.isArray(value)) return [value.map(named).join(", ")];
    if (name === "document" || name === "section" || name === "chapter") return [value];
    return ["page", "pageSize"].includes(name) || typeof value === "object" ? [] : [`(${name}: ${value})`];
  }).join(" ");
  return said.length > 300 ? `${said.slice(0, 300)}…` : said;
}

function named({ document = "", section = "" }) {
  const given = `${document} ${section}`;
  return names.get(given) ?? given.trim();
}

function duration(time) {
  if (!(time >= 0)) return "";
  if (time < 1_000) return say("milliseconds", { n: Math.round(time) });
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return say("seconds", { n: (time / 1_000).toLocaleString(document.documentElement.lang, digits) });
}
