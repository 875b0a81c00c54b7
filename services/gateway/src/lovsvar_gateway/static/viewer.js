// Where the reader is in a document: its provision is marked in the contents, and a ledd shows its own address.
// The document is read, and its contents lead, without this.

const contents = document.querySelector(".contents");
const folded = contents.querySelector("details");
const here = document.getElementById("here");
const law = document.querySelector(".law");
const links = new Map([...contents.querySelectorAll("li:not(.heading) a")].map((a) => [idOf(a), a]));
const articles = [...law.querySelectorAll("article")].filter(({ id }) => links.has(id));
const narrow = matchMedia("(max-width: 61.99rem)");
const hovers = matchMedia("(hover: hover)");
const address = Object.assign(document.createElement("a"), { className: "address" });
let current, wanted;

addEventListener("scroll", () => { wanted ??= requestAnimationFrame(look); }, { passive: true });
look();

// What begins last above the middle of the upper half is what is read; the longest act takes eleven looks to find it.
function look() {
  wanted = undefined;
  let low = 0, high = articles.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (articles[middle].getBoundingClientRect().top < innerHeight / 4) low = middle;
    else high = middle - 1;
  }
  const link = links.get(articles[low]?.id);
  if (link && link !== current) show(link);
}

function show(link) {
  current?.removeAttribute("aria-current");
  current = link;
  link.setAttribute("aria-current", "location");
  here.textContent = link.querySelector("b").textContent;
  // Nothing moves away from under the hand that is about to press it; a finger hovers only in name, long after its tap.
  if (!(hovers.matches && contents.matches(":hover"))) bring(link);
}

// Only the contents are scrolled; `scrollIntoView` would move the law as well.
function bring(link) {
  const box = narrow.matches ? contents.querySelector("ul") : contents;
  const frame = box.getBoundingClientRect(), at = link.getBoundingClientRect();
  if (at.top < frame.top || at.bottom > frame.bottom) box.scrollTop += at.top - frame.top - frame.height / 3;
}

// On a narrow screen the contents unfold over the text they lead to.
folded.addEventListener("toggle", () => current && bring(current));
contents.addEventListener("click", (event) => {
  if (narrow.matches && event.target.closest("ul a")) folded.open = false;
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
