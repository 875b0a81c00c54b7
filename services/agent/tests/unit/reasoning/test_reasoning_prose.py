"""The model's text made safe, and the page that is made of it."""

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.answer_blocks import prose_blocks
from lovsvar_agent.core.reasoning.prose import (
    markers_of,
    numbered_markers,
    plain_draft,
    plain_line,
    plain_prose,
    without_addresses,
)
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.source_kinds.practice import PRACTICE
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Citation, Evidence
from lovsvar_rendering.html import TAGS, HtmlRenderer

EVIDENCE = Evidence(
    evidence_id="lovdata-1",
    refid="lov/2999-01-01-1",
    section="§1",
    title="§ 1",
    act="Båtleieloven",
    url="/lov/2999-01-01-1#§1",
    lovdata_url="https://lovdata.no/lov/2999-01-01-1/%C2%A71",
)
CITATION = Citation(
    number=1,
    evidence_id="lovdata-1",
    title="Båtleieloven § 1",
    url=EVIDENCE.url,
    lovdata_url=EVIDENCE.lovdata_url,
    quote="fire uker",
    verified=True,
    in_force=InForce.YES,
)

pieces = st.sampled_from(
    [
        "<", ">", "</", "/>", "<a href=", "<a href='https://evil.example'>", "</a>", "<script>",
        "<img src=x onerror=x>",
        "&lt;", "&amp;lt;", "&#60;", "javascript:", "https://evil.example/x", "//evil.example", "www.evil.com",
        "[lovdata-1]", "[1]", "[x](https://evil.example)", "![", "](", ")", "\n", "\n- ", "\n1. ", "# ", "> ", "**",
        "_", "evil.com", "<p>", "<li>", "<h2>", "</h2>", "<!--", "-->", "<style>", "\u200b", "\u00ad", "§ 3", "«", "»",
        "ord ",         '"', "'",
        EVIDENCE.url, EVIDENCE.lovdata_url, f'<a href="{EVIDENCE.url}">loven</a>', "data:text/html,x", "ftp://evil.no/",
    ]
)  # fmt: skip
written = st.lists(pieces | st.text(max_size=6), max_size=25).map("".join)

IDS = EvidenceRegistry(kinds=(LAW, PRACTICE)).id_pattern


class Page(HTMLParser):
    """Tags, attributes and links of a page, and what a reader sees."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.shown = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs
        self.shown += "\n"

    def handle_data(self, data: str) -> None:
        self.shown += data


def page_of(answer: str) -> Page:
    text = plain_prose(answer, [EVIDENCE], "(lenke fjernet)")
    text = markers_of(numbered_markers(text, {1: "lovdata-1"}, IDS), {"lovdata-1"}, IDS)
    return Page(HtmlRenderer([CITATION], [EVIDENCE]).render(prose_blocks(text, {"lovdata-1": (1,)})))


@given(written)
def test_whatever_a_model_writes_no_other_tag_and_no_foreign_link_comes_through(answer: str) -> None:
    page = page_of(answer)
    assert page.tags <= TAGS
    assert set(page.attributes) <= {("href", EVIDENCE.url)}


@given(written)
@example("evil.com-->")
@example("0.javascript:0")
def test_whatever_a_model_writes_no_foreign_address_is_shown(answer: str) -> None:
    shown = page_of(answer).shown
    assert not re.search(r"://|\bwww\.\w|\b(?:javascript|data):[^\s<>«»\"]|\bevil\.(?:com|example|no)\b", shown)


@given(written)
def test_a_draft_shows_no_tag_and_no_address(answer: str) -> None:
    shown = plain_draft(answer)
    assert not re.search(r"<[a-zA-Z/!]|://|\bjavascript:[^\s<>«»\"]", shown)


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ('Se <a href="/lov/2999-01-01-1#§1">loven</a>.', "Se loven [lovdata-1]."),
        (f"Se [loven]({EVIDENCE.lovdata_url}).", "Se loven [lovdata-1]."),
        (f"Se {EVIDENCE.lovdata_url}.", "Se [lovdata-1]."),
        ("Se https://evil.example/x.", "Se (lenke fjernet)."),
        ("Se -www.evil.com0.", "Se (lenke fjernet)."),
        ("Se [her](https://evil.example).", "Se her."),
        ("**Loven** sier _dette_.", "Loven sier dette."),
        ("## Loven\nTekst.", "# Loven\nTekst."),
        ("<h2>Loven</h2>Tekst.", "# Loven\n\nTekst."),
        ("<ul><li>en</li><li>to</li></ul>", "- en\n\n- to"),
        ("Kilde: lovdata.no.", "Kilde: lovdata.no."),
        ("Gå til https:**//evil.example/x** nå.", "Gå til https:(lenke fjernet) nå."),
        ("Som f.eks/evil.com/x, eller a.bftp://evil.no/.", "Som f.eks/(lenke fjernet), eller (lenke fjernet)."),
        ("Gå til §1https://evil.example/x nå.", "Gå til §1(lenke fjernet) nå."),
    ],
)
def test_html_and_markdown_become_plain_prose(answer: str, plain: str) -> None:
    assert plain_prose(answer, [EVIDENCE], "(lenke fjernet)") == plain


@pytest.mark.parametrize(
    "sentence", ["Det følger av loven.De som leier, betaler.", "Jf. f.eks. § 3.", "m.m.v. kl. 12.30", "a.m.b.a"]
)
def test_full_stops_without_a_space_are_no_address(sentence: str) -> None:
    assert without_addresses(sentence, lambda _: "BORTE") == sentence


@pytest.mark.parametrize(
    "address",
    ["evil.com", "EVIL.COM", "evil.co.uk", "sub.evil.com/x?y", "evil.se/a", "evil.De/login", "x.evil.example"],
)
def test_the_bare_name_of_a_host_is_an_address(address: str) -> None:
    assert without_addresses(f"Gå til {address} nå", lambda _: "X") == "Gå til X nå"


def test_markers_of_every_form_become_ids() -> None:
    text = "a [1] b (lovdata-2, serper-1) c [lovdata-3; lovdata-4] d [9]"
    assert numbered_markers(text, {1: "lovdata-1"}, IDS) == (
        "a [lovdata-1] b [lovdata-2][serper-1] c [lovdata-3][lovdata-4] d "
    )


def test_markers_of_what_is_not_cited_go() -> None:
    assert markers_of("a [lovdata-1] b [lovdata-2].", {"lovdata-1"}, IDS) == "a [lovdata-1] b."


def test_foreign_text_is_one_line_without_tags_and_addresses() -> None:
    assert plain_line("<b>Pant</b>\n https://evil.example  &lt;i&gt;her") == "Pant her"


@pytest.mark.parametrize(
    "text", ["a." * 10_000, "a-" * 10_000, "<a " * 6_000, "[x](" * 5_000, "&amp;" * 4_000, "*" * 20_000]
)
def test_no_text_takes_long(text: str) -> None:
    began = time.process_time()
    plain_prose(text, [EVIDENCE], "x")
    plain_draft(text)
    assert time.process_time() - began < 2
