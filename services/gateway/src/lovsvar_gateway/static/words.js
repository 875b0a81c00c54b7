// The page's phrases, in the language that the server chose.

const phrases = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

export function say(name, values = {}) {
  return (phrases[name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

// A line may end anywhere but in a number such as § 15-7.
export function whole(text) {
  return text.split(/(§§?\s?\d+(?:\s?[a-zæøå](?![\wæøå.]))?(?:-\d+)?)/).map((part, at) =>
    at % 2 ? make("span", { className: "whole" }, part) : part);
}

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
