// The quoted words inside their provision: in a card beside the number, and under each source.

import { make, say, whole } from "./words.js";

const card = document.getElementById("quote-card");
const heading = document.getElementById("quote-card-title");
const body = document.getElementById("quote-card-text");
const ITEM = /^\s*(?:[a-zæøå]{1,2}[.)]|\d{1,2}[.)]|[ivx]+[.)]|[–-])\s/;
const SHOW_AFTER = 250, HIDE_AFTER = 300;
const provisions = new Map();
let opener = null, pinned = false, timer;

// A quote, in the answer or in the list of sources, carries where its words are in the law (`data-number`).
export function prepare(answer) {
  for (const details of answer.querySelectorAll("details.quote[data-refid]")) {
    details.addEventListener("toggle", () => details.open && fill(details.querySelector(".provision-text"), details));
  }
  for (const link of answer.querySelectorAll("a.cite")) {
    const details = answer.querySelector(`[data-number="${Number(link.dataset.cite)}"]`);
    if (!details) continue;
    link.setAttribute("aria-haspopup", "dialog");
    link.setAttribute("aria-label", say("citation_in", { number: details.dataset.number }));
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open(link, details, true);
    });
    link.addEventListener("pointerenter", (event) => {
      if (event.pointerType !== "mouse" || pinned) return;
      later(() => open(link, details, false), SHOW_AFTER);
    });
    link.addEventListener("pointerleave", () => pinned || later(close, HIDE_AFTER));
  }
}

async function open(link, details, pin) {
  clearTimeout(timer);
  pinned = pin;
  opener = link;
  const { number, title, act } = details.dataset;
  heading.replaceChildren(...whole(`[${number}] ${title}`));
  document.getElementById("quote-card-act").textContent = act;
  document.getElementById("quote-card-open").href = details.dataset.open;
  if (!card.matches(":popover-open")) card.showPopover();
  place(link);
  if (pin) heading.focus();
  await fill(body, details);
  place(link);
  body.querySelector("mark")?.scrollIntoView({ block: "nearest" });
}

function close() {
  clearTimeout(timer);
  if (!card.matches(":popover-open")) return;
  const inside = card.contains(document.activeElement);
  card.hidePopover();
  if (inside || pinned) opener?.focus({ preventScroll: true });
  pinned = false;
}

// Below the number where there is room, else above it; narrow screens have the card at their foot, by the stylesheet.
function place(link) {
  if (matchMedia("(max-width: 36rem)").matches) {
    card.style.left = card.style.top = "";
    link.scrollIntoView({ block: "start" });
    return;
  }
  const at = link.getBoundingClientRect(), { width, height } = card.getBoundingClientRect();
  const below = at.bottom + 6, above = at.top - height - 6;
  card.style.left = `${Math.max(12, Math.min(at.left, innerWidth - width - 12))}px`;
  card.style.top = `${below + height < innerHeight - 8 || above < 8 ? Math.min(below, Math.max(8, innerHeight - height - 8)) : above}px`;
}

async function fill(container, details) {
  const { refid, section, start, end, number } = details.dataset;
  const quote = details.dataset.quote ??= details.querySelector("blockquote").textContent;
  container.dataset.number = number;
  if (!refid) {
    container.replaceChildren(make("blockquote", { textContent: quote }));
    return;
  }
  if (container.querySelector("mark") && container !== body) return;
  if (container === body) container.replaceChildren(make("p", { textContent: say("fetching") }));
  try {
    const provision = await read(refid, section);
    if (container.dataset.number !== number) return; // Another quote was opened meanwhile.
    container.replaceChildren(...lines(provision.text, ...span(provision.text, quote, start, end)));
  } catch {
    const told = make("p", { className: "faint", textContent: say("fetch_failed") });
    container.replaceChildren(make("blockquote", { textContent: quote }), told);
  }
}

function read(refid, section) {
  const address = `/v1/documents/${refid}/provisions/${encodeURIComponent(section)}`;
  if (!provisions.has(address)) {
    const reading = fetch(address).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status}`);
      return answer.json();
    });
    reading.catch(() => provisions.delete(address));
    provisions.set(address, reading);
  }
  return provisions.get(address);
}

// The law may have changed since the answer was given: the offsets count only where the words still stand there.
function span(text, quote, start, end) {
  if (start !== undefined && squeezed(text.slice(start, end)) === squeezed(quote)) return [Number(start), Number(end)];
  const at = text.indexOf(quote);
  return at < 0 ? [0, 0] : [at, at + quote.length];
}

function squeezed(words) {
  return words.replace(/\s+/g, " ").trim();
}

function lines(text, start, end) {
  const shown = [];
  let at = 0;
  for (const line of text.split("\n")) {
    const from = Math.max(start - at, 0), to = Math.min(end - at, line.length);
    if (line.trim()) {
      const marked = from < to ? [line.slice(0, from), make("mark", {}, line.slice(from, to)), line.slice(to)] : [line];
      shown.push(make("p", { className: ITEM.test(line) ? "item" : "" }, ...marked));
    }
    at += line.length + 1;
  }
  return shown;
}

function later(action, wait) {
  clearTimeout(timer);
  timer = setTimeout(action, wait);
}

if (card) {
  card.addEventListener("pointerenter", () => clearTimeout(timer));
  card.addEventListener("pointerleave", () => pinned || later(close, HIDE_AFTER));
  document.getElementById("quote-card-close").addEventListener("click", close);
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  document.addEventListener("pointerdown", (event) => {
    if (!card.contains(event.target) && !event.target.closest?.("a.cite")) close();
  });
}
