"""Fuzzing the parser: it refuses a document in its own words, or stores every visible word once and in order.

    uv run python services/ingest/fuzz/fuzz_markup.py [-runs=20000] [-max_total_time=60] [CORPUS]

The options are libFuzzer's. It begins with the bundled sample and a page of the rarer forms; CORPUS is a folder
where what it finds interesting is kept from run to run. Each input is used twice:

- as a document, however strange: it is refused in the parser's own words, or no letter of it is lost or doubled;
- as choices, by which a document is built of Lovdata's forms: all its words are stored once and in order.

Half of the mutations are of bytes, which tries what the parser refuses; half are of the tree, which tries what it
reads. What a page says is decided by `tests/unit/test_nothing_is_lost.py`, which shares no code with the parser.
"""

import itertools
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path

import atheris
from lxml import etree

with atheris.instrument_imports(include=["lovsvar_ingest.core"]):
    from lovsvar_ingest.core.errors import MalformedDocument
    from lovsvar_ingest.core.flow import BY_CLASS
    from lovsvar_ingest.core.lovdata_reader import parse_document

INGEST = Path(__file__).parents[1]
SAMPLE = INGEST / "src/lovsvar_ingest/sample"
sys.path.insert(0, str(INGEST / "tests/unit"))
from test_nothing_is_lost import BLOCKS, DIVISIONS, difference, stored  # noqa: E402

TODAY = date(2026, 11, 21)
FRAGMENTS = (*BLOCKS, *DIVISIONS)
WORDS = ("ord", " ", "\n", "§ 1", "(2)", "a.", "\u00ad", "2\u00a0", "æ", "")
HEAD = '<dl class="data-document-key-info"><dd class="refid">lov/2999-01-01-1</dd></dl>'
PARSER = etree.XMLParser(resolve_entities=False, load_dtd=False, remove_comments=True, remove_pis=True)
UNSEEN = ("{*}img", "{*}script", "{*}style")


class LostText(Exception):
    """A document was stored with words missing, doubled, glued or moved. The message says where."""


def check(data: bytes) -> None:
    """Read `data` as a document, and what it builds. Raises `LostText`, and what the parser should not raise."""
    if found := miscounted(data) or difference(build(data)):
        raise LostText(found)


def miscounted(xml: bytes) -> str:
    """Return the letters that are stored more or less often than they are printed, or ""; "" for what is refused."""
    try:
        document = parse_document(xml, "nl/fuzz.xml", "fuzz", TODAY)
    except MalformedDocument:
        return ""
    main = etree.fromstring(xml, PARSER).find(".//main")
    assert main is not None  # noqa: S101 - else it was refused
    if any(len(element) for element in main.iter(*UNSEEN)):
        return ""  # nobody can say what a picture that holds provisions looks like
    etree.strip_elements(main, *UNSEEN, with_tail=False)
    holders = [*document.structures, *document.sections]
    asides = (note for holder in holders for note in (*holder.notes, *holder.footnotes))
    page, store = letters(main.itertext(), labels(main)), letters(stored(document), asides)
    numbers = letters(element.get("data-numerator", "") for element in main.iter("{*}article"))
    title = letters([document.header.title])
    titles = sum((title for heading in main.iter("h1") if title <= letters(heading.itertext())), Counter[str]())
    lost, doubled = page - store - titles, store - page - numbers
    return f"lost {dict(lost)}, doubled {dict(doubled)}" if lost or doubled else ""


def labels(main: etree._Element) -> Iterator[str]:
    """Yield the labels that a page prints from attributes; an item that its class makes something else has none."""
    for item in main.iter("li"):
        if item.get("class") not in BY_CLASS:
            yield item.get("data-li-identifier") or item.get("data-name") or ""


def letters(*texts: Iterable[str]) -> Counter[str]:
    """Return how often each letter and digit occurs."""
    return Counter(re.sub(r"\W", "", "".join(itertools.chain(*texts))))


def build(data: bytes) -> bytes:
    """Return a document of Lovdata's forms, as `data` chooses."""
    choices = atheris.FuzzedDataProvider(data)

    def content(forms: tuple[str, ...], depth: int) -> str:
        text = choices.PickValueInList(list(WORDS))
        for _ in range(choices.ConsumeIntInRange(0, 3) if depth else 0):
            form = choices.PickValueInList(list(forms))
            inside = FRAGMENTS if form in DIVISIONS else BLOCKS
            text += form.format(content(inside, depth - 1)) + choices.PickValueInList(list(WORDS))
        return text

    return page(content(FRAGMENTS, 5))


def page(body: str) -> bytes:
    """Return a document with `body`."""
    return f'<html>{HEAD}<main class="documentBody">{body}</main></html>'.encode()


def mutate(data: bytes, max_size: int, seed: int) -> bytes:
    """Return `data` changed a little: its bytes, or, where it is XML, its elements and texts."""
    dice = random.Random(seed)  # noqa: S311
    if dice.random() < 0.5:
        return bytes(atheris.Mutate(data, max_size))
    try:
        root = etree.fromstring(data, PARSER)
    except (etree.XMLSyntaxError, ValueError):
        return bytes(atheris.Mutate(data, max_size))
    elements = [element for element in root.iterfind(".//main//*") if isinstance(element.tag, str)]
    for _ in range(dice.randint(1, 4)):
        if elements:
            change(dice.choice(elements), dice.choice(elements), dice)
    changed: bytes = etree.tostring(root, encoding="utf-8")
    return changed if len(changed) <= max_size else data


def change(element: etree._Element, other: etree._Element, dice: random.Random) -> None:
    """Change `element`: its text, its name, what is in it, or its place."""
    parent = element.getparent()
    match dice.randrange(6):
        case 0:
            element.text = dice.choice(WORDS)
        case 1:
            element.tail = dice.choice(WORDS)
        case 2:
            element.extend(etree.fromstring(f"<x>{dice.choice(FRAGMENTS).format(dice.choice(WORDS))}</x>"))
        case 3 if element not in other.iterancestors() and element is not other:
            other.append(element)
        case 4 if parent is not None and parent.tag != "html":
            parent.remove(element)
        case _:
            element.tag = other.tag
            element.attrib.pop("class", None)
            element.attrib.update({name: other.attrib[name] for name in other.attrib if name == "class"})


def main() -> None:
    """Fuzz until libFuzzer's options say that it is enough, or something is found."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-fuzz-") as seeds:
        for path in SAMPLE.rglob("*.xml"):
            (Path(seeds) / path.name).write_bytes(path.read_bytes())
        (Path(seeds) / "rare.xml").write_bytes(page("".join(fragment.format("ord") for fragment in FRAGMENTS)))
        own = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
        options = [argument for argument in sys.argv[1:] if argument.startswith("-")]
        defaults = ["-max_len=65536", "-timeout=10", "-rss_limit_mb=2048"]
        atheris.Setup([sys.argv[0], *defaults, *options, *own, seeds], check, custom_mutator=mutate)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
