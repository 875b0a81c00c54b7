"""The same blocks as text, HTML and Markdown: all say the same, and nothing in a block is markup or a foreign link."""

import re
from datetime import date
from html.parser import HTMLParser
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from lovsvar_contracts.blocks import (
    AnswerBlock,
    Choice,
    Choices,
    Contact,
    Emergency,
    Explanation,
    Fact,
    Heading,
    List,
    Paragraph,
    Quote,
    Recommendation,
    Recommendations,
    Remark,
    RemarkRole,
    Situation,
    SourceList,
    Span,
    Suggestions,
    plain,
)
from lovsvar_rendering.html import TAGS, HtmlRenderer, sanitised
from lovsvar_rendering.markdown import MarkdownRenderer
from lovsvar_rendering.names import act_name, source_name
from lovsvar_rendering.selection import blocks_of, with_sources, without
from lovsvar_rendering.text import TextRenderer
from lovsvar_testkit.answers import make_answer, make_citation, make_evidence


def as_text(blocks: list, citations: tuple, found: tuple, **how: bool) -> str:
    return TextRenderer(citations, found, **how).render(blocks)


def as_html(blocks: list, citations: tuple, found: tuple) -> str:
    return HtmlRenderer(citations, found).render(blocks)


def as_markdown(blocks: list, citations: tuple, found: tuple) -> str:
    return MarkdownRenderer(citations, found).render(blocks)


NEAR = Suggestions(title="Nærmest:", evidence_ids=("lovdata-1", "lovdata-9", "lovdata-2"))
LEAD = Paragraph(words=(Span(text="Loven", evidence_id="lovdata-1", strong=True), Span(text=" sier:")))
OFFERED = Recommendations(
    title="Tilbud",
    note="Ikke lov.",
    invented="verzonnen",
    items=(
        Recommendation(
            evidence_id="product-1",
            name="Herstelcoaching",
            price="Vanaf € 2.500",
            why="Traject van 6 maanden.",
            url="https://hjelp.example.no/15",
            catalogue="Arbeidshulp",
            invented=True,
        ),
        Recommendation(evidence_id="product-2", name="Gratis prat"),
    ),
)
POLICE = Contact(name="Politiet", does="rykker ut", phone="112", url="https://politiet.no")
PAWN = Situation(
    id="pant",
    title="Får du ikke pantet?",
    steps=("Skriv til eieren.", "Klag."),
    facts=(
        Fact(label="Frist", words=(Span(text="Fire uker", citations=(1,)),)),
        Fact(label="Koster", words=plain("Ingenting.")),
    ),
    contact=Contact(name="Nemnda", url="https://nemnd.no"),
    note="Sjekket i mars.",
    checked=date(2999, 3, 1),
)
RENDERED = {
    "heading": (Heading(words=plain("Pant")), "Pant", "<p><strong>Pant</strong></p>", "### Pant"),
    "lead": (
        LEAD,
        "Loven sier:",
        '<p><strong><a href="/lov/2999-01-01-1#§3-1">Loven</a></strong> sier:</p>',
        "**[Loven](https://lovdata.no/lov/2999-01-01-1/§3-1)** sier:",
    ),
    "numbers": (
        Paragraph(words=(Span(text="Ja", citations=(1, 7)), Span(text=", (nei)."))),
        "Ja [1] [7], (nei).",
        '<p>Ja <a href="/lov/2999-01-01-1#§3-1">[1]</a> [7], (nei).</p>',
        "Ja [1] [7], (nei).",
    ),
    "quote": (
        Quote(citation=1),
        "«Når\na. det regner» [1]",
        "<blockquote><p>Når</p><ul><li>a. det regner</li></ul><p><sup>[1]</sup></p></blockquote>",
        "> «Når  \n> a. det regner» [1]",
    ),
    "why": (
        Quote(citation=1, why="Regelen:"),
        "Regelen:\n\n«Når\na. det regner» [1]",
        "<p>Regelen:</p><blockquote><p>Når</p><ul><li>a. det regner</li></ul><p><sup>[1]</sup></p></blockquote>",
        "Regelen:\n\n> «Når  \n> a. det regner» [1]",
    ),
    "cut_quote": (
        Quote(citation=1, cut_before=True, cut_after=True, marks=((0, 3),)),
        "«… Når\na. det regner …» [1]",
        "<blockquote><p>… Når</p><ul><li>a. det regner …</li></ul><p><sup>[1]</sup></p></blockquote>",
        "> «… Når  \n> a. det regner …» [1]",
    ),
    "explanation": (
        Explanation(
            label="Forklart av Lovsvar, ikke lovtekst", evidence_id="lovdata-1", ledd=(1,), words=plain("Nei.")
        ),
        "Forklart av Lovsvar, ikke lovtekst: Nei.",
        "<p><em>Forklart av Lovsvar, ikke lovtekst: Nei.</em></p>",
        "*Forklart av Lovsvar, ikke lovtekst: Nei.*",
    ),
    "emergency": (
        Emergency(title="Ring nå", contacts=(POLICE, Contact(name="Ambulanse", phone="113"), Contact(name="En venn"))),
        "Ring nå\n\n- Politiet (112, politiet.no): rykker ut\n- Ambulanse (113)\n- En venn",
        "<p><strong>Ring nå</strong></p><ul><li>Politiet (112, politiet.no): rykker ut</li><li>Ambulanse (113)</li>"
        "<li>En venn</li></ul>",
        "### Ring nå\n\n- Politiet (112, politiet.no): rykker ut\n- Ambulanse (113)\n- En venn",
    ),
    "situation": (
        PAWN,
        "Får du ikke pantet?\n\n1. Skriv til eieren.\n2. Klag.\n\n- Frist: Fire uker [1]\n- Koster: Ingenting.\n"
        "- Nemnda (nemnd.no)\n\nSjekket i mars.",
        "<p><strong>Får du ikke pantet?</strong></p><ol><li>Skriv til eieren.</li><li>Klag.</li></ol>"
        '<ul><li>Frist: Fire uker <a href="/lov/2999-01-01-1#§3-1">[1]</a></li><li>Koster: Ingenting.</li>'
        "<li>Nemnda (nemnd.no)</li></ul><p><em>Sjekket i mars.</em></p>",
        "### Får du ikke pantet?\n\n1. Skriv til eieren.\n2. Klag.\n\n- Frist: Fire uker [1]\n- Koster: Ingenting.\n"
        "- Nemnda (nemnd.no)\n\n*Sjekket i mars.*",
    ),
    "bare_situation": (
        Situation(id="x", title="Og nå?", steps=("Klag.",), checked=date(2999, 3, 1)),
        "Og nå?\n\n1. Klag.",
        "<p><strong>Og nå?</strong></p><ol><li>Klag.</li></ol>",
        "### Og nå?\n\n1. Klag.",
    ),
    "choices": (
        Choices(title="Hvem?", choices=(Choice(label="Eier", question="Hva kan eieren?"),), narrows=True),
        "Hvem?\n\n- Hva kan eieren?",
        "<p>Hvem?</p><ul><li>Hva kan eieren?</li></ul>",
        "Hvem?\n\n- Hva kan eieren?",
    ),
    "unknown_quote": (Quote(citation=9, why="Regelen:"), "", "", ""),
    "list": (
        List(items=(plain("en"), plain("to")), ordered=True),
        "1. en\n2. to",
        "<ol><li>en</li><li>to</li></ol>",
        "1. en\n2. to",
    ),
    "bullets": (List(items=(plain("- en"),)), "- - en", "<ul><li>- en</li></ul>", "- \\- en"),
    "sample": (
        Remark(role=RemarkRole.SAMPLE, words=plain("Merk.")),
        "Merk.",
        "<p><strong>Merk.</strong></p>",
        "**Merk.**",
    ),
    "mode": (
        Remark(role=RemarkRole.MODE, words=plain("Sitater.")),
        "Sitater.",
        "<p><em>Sitater.</em></p>",
        "*Sitater.*",
    ),
    "note": (Remark(words=plain("Merk.")), "Merk.", "<p>Merk.</p>", "Merk."),
    "suggestions": (
        NEAR,
        "Nærmest:\n\n- Båtleieloven § 3-1 (Pant)\n- Båtleieloven § 3-2 (Pant)",
        '<p>Nærmest:</p><ul><li><a href="/lov/2999-01-01-1#§3-1">Båtleieloven § 3-1 (Pant)</a></li>'
        '<li><a href="/lov/2999-01-01-1#§3-2">Båtleieloven § 3-2 (Pant)</a></li></ul>',
        "Nærmest:\n\n- [Båtleieloven § 3-1 (Pant)](https://lovdata.no/lov/2999-01-01-1/§3-1)\n"
        "- [Båtleieloven § 3-2 (Pant)](https://lovdata.no/lov/2999-01-01-1/§3-2)",
    ),
    "nothing_near": (NEAR.model_copy(update={"evidence_ids": ("lovdata-9",)}), "", "", ""),
    "sources": (
        SourceList(title="Kilder"),
        "Kilder\n\n[1] Båtleieloven § 3-1: «Når a. det regner»",
        '<p><strong>Kilder</strong></p><ol><li><a href="/lov/2999-01-01-1#§3-1">Båtleieloven § 3-1</a>: '
        "«Når a. det regner» <sup>[1]</sup></li></ol>",
        "### Kilder\n\n- [1] [Båtleieloven § 3-1](https://lovdata.no/lov/2999-01-01-1/§3-1): «Når a. det regner»",
    ),
    "recommendations": (
        OFFERED,
        "Tilbud\n\nIkke lov.\n\nHerstelcoaching (Vanaf € 2.500)\nTraject van 6 maanden.\nArbeidshulp: verzonnen\n"
        "https://hjelp.example.no/15\n\nGratis prat",
        "<p><strong>Tilbud</strong></p><p><em>Ikke lov.</em></p><ul><li><p><strong>Herstelcoaching</strong> "
        "(Vanaf € 2.500)</p><p>Traject van 6 maanden.</p><p>Arbeidshulp: verzonnen</p>"
        '<p><a href="https://hjelp.example.no/15">https://hjelp.example.no/15</a></p></li>'
        "<li><p><strong>Gratis prat</strong></p></li></ul>",
        "### Tilbud\n\n*Ikke lov.*\n\n**Herstelcoaching** (Vanaf € 2.500)  \nTraject van 6 maanden.  \n"
        "Arbeidshulp: verzonnen  \n🔗 https://hjelp.example.no/15\n\n**Gratis prat**",
    ),
    "nothing_to_recommend": (Recommendations(title="Tilbud", items=()), "", "", ""),
}
CITED = (make_citation(1, "Når\na. det regner"),)
PRODUCT = {"evidence_id": "product-1", "source": "product", "refid": None, "section": None}
ADDRESS = "https://hjelp.example.no/15"
FOUND = (
    make_evidence(1),
    make_evidence(2),
    make_evidence(1).model_copy(update={**PRODUCT, "url": ADDRESS, "lovdata_url": ADDRESS}),
)


@pytest.mark.parametrize(("block", "text", "html", "markdown"), RENDERED.values(), ids=RENDERED)
def test_how_each_kind_of_block_is_rendered(block: AnswerBlock, text: str, html: str, markdown: str) -> None:
    assert as_text([block], CITED, FOUND) == text
    assert as_html([block], CITED, FOUND) == html
    assert as_markdown([block], CITED, FOUND) == markdown


def test_every_kind_of_block_is_rendered() -> None:
    assert {type(block) for block, *_ in RENDERED.values()} == set(get_args(AnswerBlock))


def test_text_goes_without_numbers_and_with_addresses() -> None:
    blocks = [Paragraph(words=(Span(text="Ja", citations=(1,)),)), Quote(citation=1), SourceList(title="Kilder")]
    assert as_text(blocks, CITED, FOUND, numbers=False) == (
        "Ja\n\n«Når\na. det regner»\n\nKilder\n\nBåtleieloven § 3-1: «Når a. det regner»"
    )
    assert as_text(blocks, CITED, FOUND, addresses=True).endswith("» https://lovdata.no/lov/2999-01-01-1/§3-1")


def test_pieces_join_to_the_text() -> None:
    blocks = [block for block, *_ in RENDERED.values()]
    assert "\n\n".join(TextRenderer(CITED, FOUND).pieces(blocks)) == as_text(blocks, CITED, FOUND)


@pytest.mark.parametrize("url", ["https://evil.example/", "javascript:alert(1)", "/andre/steder"])
def test_links_to_anything_but_the_evidence_do_not_survive(url: str) -> None:
    assert sanitised(f'<p onclick="x"><a href="{url}" class="y">x</a><img src="z"></p>', FOUND) == "<p><a>x</a></p>"


def test_a_word_of_a_new_block_is_escaped_and_its_addresses_are_no_links() -> None:
    hostile = "<img src=x onerror=y> [x](https://evil.example) **"
    contact = Contact(name=hostile, does=hostile, phone=hostile, url="https://evil.example/<b>")
    given = [
        Explanation(label=hostile, evidence_id="lovdata-1", ledd=(1,), words=plain(hostile)),
        Emergency(title=hostile, contacts=(contact,)),
        Situation(
            id="x",
            title=hostile,
            steps=(hostile,),
            facts=(Fact(label=hostile, words=plain(hostile)),),
            contact=contact,
            note=hostile,
            checked=date(2999, 1, 1),
        ),
        Choices(title=hostile, choices=(Choice(label=hostile, question=hostile),)),
        Recommendations(
            title=hostile,
            note=hostile,
            invented=hostile,
            items=(
                Recommendation(
                    evidence_id="product-1",
                    name=hostile,
                    price=hostile,
                    why=hostile,
                    catalogue=hostile,
                    url="https://evil.example/](x) <b>",
                    invented=True,
                ),
            ),
        ),
    ]
    for block in given:
        html, markdown = as_html([block], CITED, FOUND), as_markdown([block], CITED, FOUND)
        page = Page(html)
        assert page.tags <= {"p", "strong", "em", "ul", "ol", "li"} and not page.attributes
        assert hostile in page.shown
        assert not {"link", "html_inline", "html_block", "image"} & {
            t.type.removesuffix("_open") for t in tokens(markdown)
        }


def test_a_quote_that_is_not_cut_has_no_ellipsis() -> None:
    assert "…" not in as_text([Quote(citation=1)], CITED, FOUND)
    assert as_text([Quote(citation=1, cut_after=True)], CITED, FOUND) == "«Når\na. det regner …» [1]"
    assert as_text([Quote(citation=1, cut_before=True)], CITED, FOUND) == "«… Når\na. det regner» [1]"


# What follows holds for whatever is in a block.

hostile = st.lists(
    st.sampled_from(
        [
            "<script>", "</p>", "<a href='https://evil.example'>", "<img src=x onerror=x>", "<!--", "&lt;", "&#60;",
            '"', "'", ">", "[x](https://evil.example)", "![", "](", ")", "(", ":", "[1]", "[1]: https://evil.example",
            "**", "_", "`", "~~~", "```", "\\", "# ", "- ", "+ ", "1. ", "1) ", "=", "---", "|", "\n", "\n\n", "    ",
            "  \n", "\t", "\r", "<https://evil.example>", "<b>", "ord", " ", "§ 3-5", "«", "»", "&copy;", "\x00",
            "\u2028",
        ]
    )
    | st.text(max_size=5),
    max_size=8,
).map("".join)  # fmt: skip
numbers = st.lists(st.integers(1, 3), max_size=2).map(tuple)
ids = st.sampled_from([None, "lovdata-1", "lovdata-2", "lovdata-9", "<b>"])
words = st.lists(
    st.builds(Span, text=hostile, citations=numbers, evidence_id=ids, strong=st.booleans()), max_size=3
).map(tuple)
contacts = st.builds(Contact, name=hostile, does=hostile, phone=hostile, url=hostile)
blocks = st.lists(
    st.builds(Heading, words=words)
    | st.builds(Paragraph, words=words)
    | st.builds(Quote, citation=st.integers(1, 3), why=hostile, cut_before=st.booleans(), cut_after=st.booleans())
    | st.builds(Explanation, label=hostile, evidence_id=st.just("lovdata-1"), ledd=st.just((1,)), words=words)
    | st.builds(Emergency, title=hostile, contacts=st.lists(contacts, min_size=1, max_size=2).map(tuple))
    | st.builds(
        Situation,
        id=st.just("x"),
        title=hostile,
        steps=st.lists(hostile, min_size=1, max_size=2).map(tuple),
        facts=st.lists(st.builds(Fact, label=hostile, words=words), max_size=2).map(tuple),
        contact=st.none() | contacts,
        note=hostile,
        checked=st.just(date(2999, 1, 1)),
    )
    | st.builds(
        Choices, title=hostile, choices=st.builds(Choice, label=hostile, question=hostile).map(lambda one: (one,))
    )
    | st.builds(List, items=st.lists(words, max_size=3).map(tuple), ordered=st.booleans())
    | st.builds(Remark, role=st.sampled_from(RemarkRole), words=words)
    | st.builds(Suggestions, title=hostile, evidence_ids=st.lists(ids.filter(bool), max_size=2).map(tuple))
    | st.builds(SourceList, title=hostile),
    max_size=4,
)
urls = st.sampled_from(
    ["/lov/1#§1", "javascript:alert(1)", "https://lovdata.no/(x)", '" onclick="x', "https://a.no/ <"]
)
found = st.tuples(
    *(st.builds(make_evidence, st.just(n), title=hostile, act=hostile, url=urls, lovdata_url=urls) for n in (1, 2))
)
answers = st.tuples(blocks, found).flatmap(
    lambda given: st.tuples(
        st.just(given[0]),
        st.tuples(
            *(st.builds(make_citation, st.just(n), hostile, st.just(given[1][n - 1]), title=hostile) for n in (1, 2))
        ),
        st.just(given[1]),
    )
)


class Page(HTMLParser):
    """Tags, attributes and text of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[tuple[str, str | None]] = set()
        self.shown = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(attrs)

    def handle_data(self, data: str) -> None:
        self.shown += data


def letters(text: str) -> str:
    """What two forms of one text have in common: letters alone, in order, without the signs around them."""
    return "".join(re.findall(r"[^\W\d_]", text))


@given(answers)
def test_html_has_the_known_tags_and_links_to_evidence_alone(answer: tuple) -> None:
    given, cited, sources = answer
    page = Page(as_html(given, cited, sources))
    ours = {url for e in sources for url in (e.url, e.lovdata_url)}
    assert page.tags <= TAGS
    assert page.attributes <= {("href", url) for url in ours if not url.startswith("javascript")}


@given(answers)
def test_html_says_what_text_says(answer: tuple) -> None:
    assert letters(Page(as_html(*answer)).shown) == letters(as_text(*answer))


PARSED = {
    *("root", "inline", "text", "softbreak", "hardbreak", "paragraph", "heading", "blockquote", "list_item"),
    *("bullet_list", "ordered_list", "strong", "em", "link"),
}


def tokens(markdown: str) -> list[Token]:
    """All tokens of Markdown, those inside lines too."""
    return [one for token in MarkdownIt("commonmark").parse(markdown) for one in (token, *(token.children or ()))]


@given(answers)
@example(([Paragraph(words=(Span(citations=(1,)), Span(text=": https://evil.example")))], CITED, FOUND))
@example(([Paragraph(words=(Span(citations=(1,)), Span(text="(https://evil.example)")))], CITED, FOUND))
@example(([Paragraph(words=(*plain("1"), *plain(". x")))], CITED, FOUND))
@example(([Situation(id="x", title="", steps=("",), note="\n", checked=date(2999, 1, 1))], (), ()))
def test_markdown_has_links_to_evidence_alone_and_no_html(answer: tuple) -> None:
    given, cited, sources = answer
    parsed = tokens(as_markdown(given, cited, sources))
    assert {re.sub(r"_(?:open|close)$", "", token.type) for token in parsed} <= PARSED
    links = {str(token.attrs["href"]) for token in parsed if token.type == "link_open"}
    assert links <= {"https://lovdata.no/%28x%29"}
    assert len([t for t in parsed if t.type.endswith("list_open")]) <= sum(1 + isinstance(b, Situation) for b in given)
    assert len([t for t in parsed if t.type == "heading_open"]) <= len(given)


@given(blocks.filter(bool), found)
def test_markdown_says_what_text_says(given: list, sources: tuple) -> None:
    given = [block for block in given if isinstance(block, Heading | Paragraph | List)]
    shown = "".join(token.content for token in tokens(as_markdown(given, (), sources)) if token.type == "text")
    assert letters(shown) == letters(as_text(given, (), sources))


@pytest.mark.parametrize(
    ("title", "act", "name"),
    [
        ("§ 3-2. Pant", "Båtleieloven – båtl", "Båtleieloven § 3-2 (Pant)"),
        ("§ 8. (pant).", "båtleieloven", "Båtleieloven § 8 (pant)"),
        ("§ 8", "Lov om båt- og årebruk", "Lov om båt- og årebruk § 8"),
        ("Artikkel 3. Pant", "Båtloven", "Båtloven Artikkel 3 (Pant)"),
    ],
)
def test_how_a_provision_is_named(title: str, act: str, name: str) -> None:
    assert source_name(make_evidence(title=title, act=act)) == name


def test_a_decision_is_named_by_its_title_and_an_act_without_its_abbreviation() -> None:
    assert (
        source_name(make_evidence(source="serper", section=None, title="HR-2999-1-A. Om pant"))
        == "HR-2999-1-A. Om pant"
    )
    assert act_name("Husleieloven – husll") == "Husleieloven"


def test_an_answer_without_blocks_is_its_text() -> None:
    assert blocks_of(make_answer(answer_text="Ja.\n\n\n\nNei.")) == (
        Paragraph(words=plain("Ja.")),
        Paragraph(words=plain("Nei.")),
    )
    assert blocks_of(make_answer(NEAR, answer_text="Ja.")) == (NEAR,)
    assert blocks_of(make_answer()) == ()


def test_a_surface_leaves_out_what_it_says_elsewhere() -> None:
    remarks = [Remark(role=role, words=plain(role)) for role in RemarkRole]
    kept = without([*remarks, NEAR, LEAD], "suggestions", roles={RemarkRole.SAMPLE, RemarkRole.MODE})
    assert [block.role for block in kept if isinstance(block, Remark)] == [RemarkRole.IN_FORCE, RemarkRole.NOTE]
    assert kept[-1] == LEAD


def test_sources_are_listed_once() -> None:
    listed = SourceList(title="Sources")
    assert with_sources([LEAD], "Kilder") == (LEAD, SourceList(title="Kilder"))
    assert with_sources([listed, LEAD], "Kilder") == (listed, LEAD)
    assert with_sources([LEAD, OFFERED], "Kilder") == (LEAD, SourceList(title="Kilder"), OFFERED)
