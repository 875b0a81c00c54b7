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
let current, wanted, unfolded = [];

addEventListener("scroll", () => { wanted ??= requestAnimationFrame(look); }, { passive: true });
look();

// What begins last above the middle of the upper half is what is read. Only leaves near the window are laid out, so a
// leaf is found first, and then the provision in it.
function look() {
  wanted = undefined;
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
  links.get(current?.id)?.removeAttribute("aria-current");
  current = article;
  const link = links.get(article.id), at = places.get(article.id);
  link.setAttribute("aria-current", "location");
  here.textContent = nameOf(article);
  where.textContent = article.querySelector("h3")?.textContent.trim() ?? "";
  const own = article.querySelector(":scope > .facts .badge");
  if (own) standing.replaceChildren(own.cloneNode(true));
  else standing.innerHTML = ofDocument.standing;
  step(before, articles[at - 1]);
  step(after, articles[at + 1]);
  cite.hidden = false;
  lovdata.href = article.id.startsWith("§") ? `${ofDocument.lovdata}/${encodeURIComponent(article.id)}` : ofDocument.lovdata;
  // Nothing moves away from under the hand that is about to press it; a finger hovers only in name, long after its tap.
  if (!(hovers.matches && contents.matches(":hover"))) bring(link);
}

function nameOf(article) {
  return links.get(article.id)?.querySelector("b")?.textContent ?? links.get(article.id)?.textContent ?? "";
}

function step(link, article) {
  link.hidden = !article;
  if (!article) return;
  link.href = `#${encodeURIComponent(article.id)}`;
  link.querySelector(".step").textContent = nameOf(article);
}

// The chapter that is read is unfolded, and folded again when it is left, unless the reader unfolded it.
function unfold(link) {
  const around = [];
  for (let one = link.closest("details"); one !== panel; one = one.parentElement.closest("details")) around.push(one);
  unfolded.filter((one) => !around.includes(one)).forEach((one) => { one.open = false; });
  unfolded = [...unfolded.filter((one) => around.includes(one)), ...around.filter((one) => !one.open)];
  around.forEach((one) => { one.open = true; });
}

// Only the contents are scrolled; `scrollIntoView` would move the law as well.
function bring(link) {
  if (narrow.matches && !panel.open) return;
  unfold(link);
  const box = narrow.matches ? contents.querySelector("ul") : contents;
  const frame = box.getBoundingClientRect(), at = link.getBoundingClientRect();
  if (at.top < frame.top || at.bottom > frame.bottom) box.scrollTop += at.top - frame.top - frame.height / 3;
}

// On a narrow screen the contents unfold over the text they lead to.
panel.addEventListener("toggle", () => current && bring(links.get(current.id)));
contents.addEventListener("click", (event) => {
  if (narrow.matches && event.target.closest("ul a")) panel.open = false;
});

cite.addEventListener("click", async () => {
  const place = `${location.origin}${location.pathname}/${encodeURIComponent(current.id).replaceAll("%2F", "/")}`;
  const said = document.getElementById("cited");
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
