// The page's phrases, in the language that the server chose.

const phrases = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

export function say(name, values = {}) {
  return (phrases[name] ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
