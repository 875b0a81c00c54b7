// Names of acts, completed as they are typed. Without this the name is looked up when the form is sent.

const WAIT = 120, LONGEST = 60;
const answers = new Map();

complete(document.getElementById("act"));
complete(document.getElementById("q"));

function complete(field) {
  let timer, asked = 0;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const number = ++asked, acts = await named(field.value.trim());
      if (number === asked) field.list.replaceChildren(...acts.map(option));
    }, WAIT);
  });
}

async function named(typed) {
  if (typed.length < 2 || typed.length > LONGEST) return [];
  if (!answers.has(typed)) {
    try {
      const answer = await fetch(`/v1/acts?limit=8&q=${encodeURIComponent(typed)}`);
      if (!answer.ok) return [];
      answers.set(typed, (await answer.json()).acts);
    } catch {
      return [];
    }
  }
  return answers.get(typed);
}

// Browsers show the options whose value or label has what is typed, so that the name that matched is in the label.
function option(act) {
  const one = document.createElement("option");
  const known = [act.abbreviation, act.name].filter((name) => name && !act.title.toLowerCase().includes(name));
  one.value = act.act.split(/ [–-] /)[0].slice(0, 200);
  one.label = [...new Set(known), act.title].join(" · ");
  return one;
}
