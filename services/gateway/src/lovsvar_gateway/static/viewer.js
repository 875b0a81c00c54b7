// Where the reader is in a document: the bar and the contents follow, and a ledd shows its own address.
// The document is read, and its contents lead, without this.

const contents = document.querySelector(".contents");
const panel = contents.querySelector(":scope > details");
const [here, where, standing] = ["here", "where", "standing"].map((id) => document.getElementById(id));
const [before, after, cite, lovdata] = ["before", "after", "cite", "lovdata"].map((id) => document.getElementById(id));
const law = document.querySelector(".law");
const leaves = [...law.querySelectorAll(".leaf")];
const links = new Map([...contents.querySelectorAll("li a")].map((a) => [idOf(a), a]));
const articles = [...law.querySelectorAll("article")].filter(({ id }) => links.has(id));
const places = new Map(articles.map((article, at) => [article.id, at]));
const narrow = matchMedia("(max-width: 61.99rem)");
const hovers = matchMedia("(hover: hover)");
const address = Object.assign(document.createElement("a"), { className: "address" });
const ofDocument = { standing: standing.innerHTML, lovdata: lovdata.href };
let current, marked, wanted;

for (const event of ["scroll", "hashchange"]) {
  addEventListener(event, () => { wanted ??= requestAnimationFrame(look); }, { passive: true });
}
look();

// What begins last above the middle of the upper half is what is read; at the end of the page, where nothing can be
// scrolled there, what the reader went to. Only leaves near the window are laid out, so a leaf is found first, and then
// the provision in it.
function look() {
  wanted = undefined;
  const gone = document.querySelector(":target")?.closest("article");
  if (places.has(gone?.id) && scrollY + innerHeight >= document.documentElement.scrollHeight - 2) {
    if (gone !== current && gone.getBoundingClientRect().top < innerHeight) show(gone);
    return;
  }
  const leaf = lastAbove(leaves);
  const inside = leaf ? [...leaf.querySelectorAll(":scope > article")].filter(({ id }) => links.has(id)) : [];
  const article = lastAbove(inside);
  if (article && article !== current) show(article);
}

function lastAbove(elements) {
  let low = 0, high = elements.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (elements[middle].getBoundingClientRect().top < innerHeight / 4) low = middle;
    else high = middle - 1;
  }
  return elements[low];
}

function show(article) {
  current = article;
  const at = places.get(article.id);
  here.textContent = nameOf(article);
  where.textContent = article.querySelector("h3")?.textContent.trim() ?? "";
  const own = article.querySelector(":scope > .facts .badge");
  if (own) standing.replaceChildren(own.cloneNode(true));
  else standing.innerHTML = ofDocument.standing;
  step(before, articles[at - 1]);
  step(after, articles[at + 1]);
  cite.disabled = false;
  lovdata.href = article.id.startsWith("§") ? `${ofDocument.lovdata}/${encodeURIComponent(article.id)}` : ofDocument.lovdata;
  mark();
  // Nothing moves away from under the hand that is about to press it; a finger hovers only in name, long after its tap.
  if (!(hovers.matches && contents.matches(":hover"))) bring();
}

// Of a provision in a folded chapter, the chapter is marked: what unfolds by itself would move what is below it.
function mark() {
  marked?.removeAttribute("aria-current");
  marked = links.get(current.id);
  for (let one = marked.closest("details"); one !== panel; one = one.parentElement.closest("details")) {
    if (!one.open) marked = one.parentElement.querySelector("a");
  }
  marked.setAttribute("aria-current", "location");
}

function nameOf(article) {
  return links.get(article.id)?.querySelector("b")?.textContent ?? links.get(article.id)?.textContent ?? "";
}

function step(link, article) {
  if (article) link.href = `#${encodeURIComponent(article.id)}`;
  else link.removeAttribute("href");
  link.querySelector(".to").textContent = article ? nameOf(article) : "";
}

// Only the contents are scrolled; `scrollIntoView` would move the law as well.
function bring() {
  const box = narrow.matches ? contents.querySelector("ul") : contents;
  const frame = box.getBoundingClientRect(), at = marked.getBoundingClientRect();
  if (at.top < frame.top || at.bottom > frame.bottom) box.scrollTop += at.top - frame.top - frame.height / 3;
}

// On a narrow screen the contents unfold over the text they lead to, with the chapter that is read.
panel.addEventListener("toggle", () => {
  if (!current) return;
  for (let one = links.get(current.id).closest("details"); one !== panel; one = one.parentElement.closest("details")) one.open = true;
  mark();
  bring();
});
contents.addEventListener("toggle", () => current && mark(), true);
contents.addEventListener("click", (event) => {
  const link = event.target.closest("ul a");
  if (!link) return;
  if (narrow.matches) panel.open = false;
  else link.parentElement.querySelector(":scope > details")?.setAttribute("open", "");
});

cite.addEventListener("click", async () => {
  const place = `${location.origin}${location.pathname}/${encodeURIComponent(current.id).replaceAll("%2F", "/")}`;
  const said = document.getElementById("said");
  try {
    await navigator.clipboard.writeText(`${cite.dataset.citation} ${nameOf(current)}\n${decodeURI(place)}`);
    said.textContent = cite.dataset.copied;
  } catch {
    said.textContent = cite.dataset.failed;
  }
  said.classList.remove("unseen");
  setTimeout(() => said.classList.add("unseen"), 3_000);
});

law.addEventListener("pointerover", (event) => {
  const ledd = event.target.closest(".ledd[id]");
  if (!ledd || address.parentNode === ledd) return;
  const number = ledd.id.split("/").at(-1);
  address.href = `#${encodeURIComponent(ledd.id).replaceAll("%2F", "/")}`;
  address.textContent = law.dataset.ledd.replace("{number}", number);
  ledd.prepend(address);
});

function idOf(link) {
  return decodeURIComponent(link.hash.slice(1));
}
