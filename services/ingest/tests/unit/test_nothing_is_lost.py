"""Every visible word of a document is stored once and in order, by a reading that shares no code with the parser."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from lxml import etree

from lovsvar_contracts.law import ProvisionKind
from lovsvar_ingest.adapters.tar_stream import TarLimits, read_tar
from lovsvar_ingest.core.corpus import ParsedDocument
from lovsvar_ingest.core.lovdata_reader import parse_document

SAMPLE = Path(__file__).parents[2] / "src/lovsvar_ingest/sample"
TODAY = date(2026, 11, 21)

INLINE = {"i", "strong", "b", "em", "a", "sub", "sup", "span", "s", "u"}
AMENDMENT = re.compile(
    r"[\d\s(\[*]*(?:vert |blir |er )?"
    r"(endr|tilf|opphev|opphø|føy|flytt|nåv[eæ]r|jf|overskrift|omnumm|kapit|tidl|iflg|fr[aå] |"
    r"ikk(j?)e i kraft|rett(et|a)|ved |se |lagt|utgår|►|◄)",
    re.IGNORECASE,
)
APART = {"legalArticleValue", "legalArticleTitle", "footnotereference", "footnoteLabel", "data-marginOriginalId"}
APART |= {"futuretitle", "miscHeadline", "futureLegalArticleHeader"}
UNSEEN = str.maketrans("", "", "\u00ad\u200b\u200c\u2060\ufeff")


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.translate(UNSEEN))


def texts_among_notes(article: etree._Element) -> list[etree._Element]:
    """The notes of a provision that are its text: it has no other, and they do not speak of amendments."""
    if article.get("class") != "legalArticle" or any(e.get("class") == "legalArticle" for e in article.iterancestors()):
        return []
    held = [e for e in article.iter() if e.get("class") in {"changesToParent", "footnotes"}]
    held += [e for e in article if e.get("class") == "legalArticleHeader"]
    apart = {inner for e in held for inner in e.iter()}
    outside = [e.text for e in article.iter() if e not in apart]
    outside += [e.tail for e in article.iter() if e is not article and e.getparent() not in apart]
    if any(text and text.translate(UNSEEN).split() for text in outside):
        return []
    notes = [e for e in held if e.get("class") == "changesToParent"]
    return [e for e in notes if not AMENDMENT.match(" ".join("".join(e.itertext()).split()))]


def holds_but_notes(article: etree._Element) -> bool:
    """Whether a provision whose notes are its text is like those of every archive: it holds nothing else."""
    held = {"legalArticleHeader", "changesToParent", "footnotes"}
    notes = [e for e in article.iter() if e.get("class") == "changesToParent"]
    return all(e.get("class") in held for e in article) and all(e.getparent() is article for e in notes)


def printed(xml: bytes) -> tuple[str, str, str]:
    """Return what a reader of the page sees: body, amendment notes, footnotes; a bar where two texts may not touch."""
    main = etree.fromstring(xml, etree.XMLParser(resolve_entities=False, load_dtd=False)).find(".//main")
    assert main is not None
    streams: dict[str, list[str]] = {"body": [], "notes": [], "footnotes": [], "title": []}
    streams_of = {"changesToParent": "notes", "footnotes": "footnotes"}
    unnoted = {note for article in main.iter("article") for note in texts_among_notes(article)}
    stack = ["body"]
    for event, element in etree.iterwalk(main, events=("start", "end")):
        css = element.get("class")
        boundary = element.tag not in INLINE or css in APART
        if event == "start":
            streams[stack[-1]].append("|" if boundary else "")
            stream = stack[-1] if element in unnoted else streams_of.get(css or "", stack[-1])
            stack.append("title" if element.tag == "h1" else stream)
            out = streams[stack[-1]]
            out.append("|" if boundary else "")
            if element.tag == "li":
                out.append(f"{element.get('data-li-identifier') or element.get('data-name') or ''}|")
            out.append(element.text or "")
        else:
            streams[stack.pop()].append("|" if boundary else "")
            streams[stack[-1]].append("|" if boundary else "")
            streams[stack[-1]].append(element.tail or "")
    return "".join(streams["body"]), "".join(streams["notes"]), "".join(streams["footnotes"])


def stored(document: ParsedDocument) -> Iterator[str]:
    """Yield the stored texts in reading order."""
    structures = list(document.structures)
    for section in document.sections:
        while structures and structures[0].before <= section.position:
            yield structures.pop(0).title
        if section.kind is ProvisionKind.PROVISION:
            yield section.value
            yield section.title
        yield section.text
    for structure in structures:
        yield structure.title


def difference(xml: bytes, file: str = "nl/test.xml") -> str:
    """Return where the stored document and the printed page part, or ""."""
    document = parse_document(xml, file, "test", TODAY)
    body, notes, footnotes = printed(xml)
    holders = [*document.structures, *document.sections]
    for name, page, store in (
        ("text", words(body), words("|".join(stored(document)))),
        ("notes", sorted(words(notes)), sorted(words("|".join(n for h in holders for n in h.notes)))),
        ("footnotes", sorted(words(footnotes)), sorted(words("|".join(n for h in holders for n in h.footnotes)))),
    ):
        if page != store:
            at = next(
                (i for i, (a, b) in enumerate(zip(page, store, strict=False)) if a != b), min(len(page), len(store))
            )
            return f"{file} {name} at {at}: page {page[max(at - 4, 0) : at + 6]} store {store[max(at - 4, 0) : at + 6]}"
    return ""


texts = st.text(alphabet="abæø ­§12.()\n", max_size=12)

BLOCKS = (
    *("<i>{}</i>", "<strong>{}</strong>", "<sub>{}</sub>", '<a href="lov/2999-01-01-1">{}</a>', "<span>{}</span>"),
    *("<br/>{}", "<p>{}</p>", "<div>{}</div>", "<blockquote>{}</blockquote>", "<h4>{}</h4>", "<b>{}</b>"),
    *('<sup class="footnotereference">{}</sup>', '<div class="latexBlock">{}</div>', '<img alt="x"/>{}'),
    *('<article class="legalP">{}</article>', '<article class="defaultP">{}</article>', "<ukjent>{}</ukjent>"),
    '<article class="numberedLegalP" data-numerator="7">7. {}</article>',
    '<ol><li data-name="a.">{}</li></ol>',
    '<ul><li data-li-identifier="-" data-name="-"><article class="listArticle">{}</article></li></ul>',
    '<table><caption>tt</caption><tbody><tr><td>{}</td><th colspan="2">hh</th></tr></tbody></table>',
    '<article class="changesToParent">{}</article>',
    '<footer class="footnotes"><article class="footnote"><span class="footnoteLabel">1</span>{}</article></footer>',
    '<article class="marginIdArticle"><span class="data-marginOriginalId">m</span>{}</article>',
    '<article class="futureLegalArticle"><span class="futureLegalArticleHeader"><span class="legalArticleValue">v'
    '</span>. <span class="legalArticleTitle">t</span></span>{}</article>',
    '<article class="document-change"><article class="change">{}</article></article>',
    '<article class="ukjent">{}</article>',
)
DIVISIONS = (
    '<article class="legalArticle" data-name="§1"><h3 class="legalArticleHeader"><span class="legalArticleValue">'
    'v</span>. <span class="legalArticleTitle">t</span></h3>{}</article>',
    '<section class="section" data-name="kap1"><h2>hode</h2>{}</section>',
    '<div class="box">{}</div>',
)


def around(children: st.SearchStrategy[str], wrappers: Sequence[str]) -> st.SearchStrategy[str]:
    """Return up to four elements with `children` inside and text behind."""
    element = st.tuples(st.sampled_from(wrappers), children, texts).map(lambda t: t[0].format(t[1]) + t[2])
    return st.lists(element, max_size=4).map("".join)


contents = st.recursive(texts, lambda inner: around(inner, BLOCKS), max_leaves=15)
bodies = st.recursive(contents, lambda inner: around(inner, DIVISIONS), max_leaves=10)


def is_stored_whole(body: str) -> None:
    """Assert that every word of a document with this body is stored once and in order."""
    head = '<dl class="data-document-key-info"><dd class="refid">lov/2999-01-01-1</dd></dl>'
    xml = f"<html>{head}<main class='documentBody'>{body}</main></html>".encode()
    assume(
        all(holds_but_notes(article) for article in etree.fromstring(xml).iter("article") if texts_among_notes(article))
    )
    assert difference(xml) == ""


@pytest.mark.parametrize("examples", [100, pytest.param(1_000, marks=pytest.mark.slow)])
def test_every_word_of_any_document_is_stored_once_and_in_order(examples: int) -> None:
    check = example(DIVISIONS[0].format('<article class="changesToParent">1</article>\u00ad'))(is_stored_whole)
    settings(max_examples=examples, deadline=None)(given(bodies)(check))()


@pytest.mark.parametrize("path", sorted(SAMPLE.rglob("*.xml")), ids=lambda path: path.stem)
def test_every_word_of_a_sample_document_is_stored_once_and_in_order(path: Path) -> None:
    assert difference(path.read_bytes(), path.name) == ""


@pytest.mark.parametrize("one_in", [32, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("dataset", ["gjeldende-lover", "gjeldende-sentrale-forskrifter", "lovtidend-avd1-2025"])
def test_every_word_of_the_real_archives_is_stored_once_and_in_order(archives: Path, dataset: str, one_in: int) -> None:
    files = (file for file, _ in read_tar(archives / f"{dataset}.tar.bz2", TarLimits()))
    drawn = (file for file in files if crc32(file.name.encode()) % one_in == 0)
    assert [d for file in drawn if (d := difference(file.content, file.name))] == []
