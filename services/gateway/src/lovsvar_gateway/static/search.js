// Names of acts, completed as they are typed. Without this the name is looked up when the form is sent.

const field = document.getElementById("act");
const list = document.getElementById("acts");
const WAIT = 150;
let timer, asked = 0;

field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(complete, WAIT);
});

async function complete() {
  const typed = field.value.trim(), number = ++asked;
  if (typed.length < 2) return list.replaceChildren();
  try {
    const answer = await fetch(`/v1/documents?page_size=12&title=${encodeURIComponent(typed)}`);
    if (!answer.ok || number !== asked) return;
    const { documents } = await answer.json();
    list.replaceChildren(...documents.map((act) => {
      const option = document.createElement("option");
      option.value = (act.short_title || act.title).split(/ [–-] /)[0].slice(0, 200);
      option.label = act.title;
      return option;
    }));
  } catch {
    list.replaceChildren();
  }
}
