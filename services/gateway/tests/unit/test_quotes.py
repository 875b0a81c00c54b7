"""How an answer is shown: numbers lead to quotes, and quotes to the words in the law."""

from collections.abc import Sequence
from typing import get_args

import pytest
from starlette.requests import Request

from lovsvar_contracts.blocks import (
    AnswerBlock,
    Heading,
    List,
    Paragraph,
    Quote,
    Remark,
    RemarkRole,
    SourceList,
    Span,
    Suggestions,
    plain,
)
from lovsvar_contracts.questions import Answer, Citation, Evidence
from lovsvar_gateway.core.quotes import at_the_words, citable, cited_sources, linked, shown_blocks, unused_sources
from lovsvar_gateway.pages import show
from lovsvar_rendering.names import source_name
from lovsvar_testkit.answers import make_answer, make_citation, make_evidence

REQUEST = Request(
    {"type": "http", "scheme": "http", "server": ("127.0.0.1", 80), "path": "/", "query_string": b"", "headers": []}
)


def citation(number: int, source: int) -> Citation:
    return make_citation(number, f"ord {number} & mer", make_evidence(source))


def answer(*blocks: AnswerBlock, evidences: Sequence[Evidence] = ()) -> Answer:
    cited = (citation(1, 2), citation(2, 1), citation(3, 2))
    found = tuple(evidences) or (make_evidence(1), make_evidence(2), make_evidence(3))
    return make_answer(*blocks, answer_text="x", citations=cited, evidence=found)


def page_of(answer: Answer) -> str:
    """What the page shows of an answer's blocks."""
    values = {"answer": answer, "blocks": shown_blocks(answer), "linked": linked(answer), "source_name": source_name}
    values |= {"citations": {c.number: c for c in answer.citations}, "cited": (), "unused": (), "opened": {}}
    page = bytes(show(REQUEST, "answer.html", **values, citable="").body).decode()
    return page.partition('<div class="text" lang="no">')[2].partition("</div>")[0].strip().replace("\n", "")


def paragraph(text: str, *numbers: int) -> Paragraph:
    return Paragraph(words=(Span(text=text, citations=numbers), Span(text=".")))


MARK = '<sup><a class="cite" href="#sitat-1" id="henvisning-1">[1]</a></sup>'
AGAIN = MARK.replace(' id="henvisning-1"', "")


def test_numbers_lead_to_their_quotes_and_the_first_of_each_is_where_its_quote_leads_back_to() -> None:
    assert page_of(answer(paragraph("Ja", 1))) == f"<p>Ja&nbsp;{MARK}.</p>"
    assert page_of(answer(paragraph("Ja", 1, 1), paragraph("Nei", 1))) == (
        f"<p>Ja&nbsp;{MARK} {AGAIN}.</p><p>Nei&nbsp;{AGAIN}.</p>"
    )


def test_a_quote_has_its_number_after_its_last_words() -> None:
    assert page_of(answer(Quote(citation=1))) == f"<blockquote><p>ord 1 &amp; mer&nbsp;{MARK}</p></blockquote>"
    shown = answer(Quote(citation=1, why="Fordi <b>"))
    listed = shown.citations[0].model_copy(update={"quote": "når\na. det\nb. <i>"})
    assert page_of(shown.model_copy(update={"citations": (listed,)})) == (
        "<p>Fordi &lt;b&gt;</p>"
        f"<blockquote><p>når</p><ul><li>a. det</li><li>b. &lt;i&gt;&nbsp;{MARK}</li></ul></blockquote>"
    )


def test_a_number_that_stands_for_no_citation_leads_nowhere() -> None:
    assert page_of(answer(paragraph("§ 9 [7]", 9))) == '<p><span class="whole">§ 9</span> [7]&nbsp;[9].</p>'
    assert page_of(answer(Quote(citation=9))) == ""


def test_what_the_page_says_itself_is_left_out_of_the_answer() -> None:
    said = {role: Remark(role=role, words=plain(role)) for role in RemarkRole}
    assert page_of(answer(paragraph("Ja"), SourceList(title="Kilder"))) == "<p>Ja.</p>"
    assert page_of(answer(*said.values())) == "<p>in_force</p><p>note</p>"


BLOCKS = (
    Heading(words=plain("<b>")),
    paragraph("<b>"),
    Quote(citation=1, why="<b>"),
    List(items=(plain("<b>"),), ordered=True),
    Remark(words=plain("<b>")),
    Suggestions(title="<b>", evidence_ids=("lovdata-1", "lovdata-99")),
)


def test_every_kind_of_block_is_shown_but_the_list_of_sources() -> None:
    assert {type(block) for block in BLOCKS} == set(get_args(AnswerBlock)) - {SourceList}


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.kind)
def test_markup_in_a_block_is_text(block: AnswerBlock) -> None:
    shown = page_of(answer(block))
    assert "&lt;b&gt;" in shown
    assert "<b>" not in shown


@pytest.mark.parametrize(("url", "links"), [("/l", 1), ("https://lovdata.no", 1), ("javascript:x", 0), ("http://l", 0)])
def test_words_link_to_evidence_of_the_run_alone(url: str, links: int) -> None:
    words = (Span(text="Her", evidence_id="lovdata-1"), Span(text="der", evidence_id="lovdata-2"))
    source = make_evidence(1).model_copy(update={"url": url})
    assert page_of(answer(Paragraph(words=words), evidences=[source])).count("href") == links


def test_an_answer_that_was_stored_without_blocks_is_shown_by_its_text() -> None:
    assert (
        page_of(answer().model_copy(update={"answer_text": "Ja [1].\n\n<Nei>"})) == "<p>Ja [1].</p><p>&lt;Nei&gt;</p>"
    )


def test_sources_stand_in_the_order_in_which_they_are_quoted_with_all_their_quotes() -> None:
    shown = answer()
    assert [(s.evidence.evidence_id, [c.number for c in s.citations]) for s in cited_sources(shown)] == [
        ("lovdata-2", [1, 3]),
        ("lovdata-1", [2]),
    ]
    assert [e.evidence_id for e in unused_sources(shown)] == ["lovdata-3"]


def test_a_quote_leads_to_its_words_in_the_viewer_and_practice_to_its_own_address() -> None:
    assert at_the_words(citation(1, 2)) == "/lov/2999-01-01-1?paragraf=%C2%A73-2&sitat=ord%201%20%26%20mer#%C2%A73-2"
    practice = citation(1, 2).model_copy(update={"refid": None, "section": None, "url": "https://lovdata.no/x"})
    assert at_the_words(practice) == "https://lovdata.no/x"


def test_what_is_copied_has_each_quote_once_with_its_address() -> None:
    shown = answer(paragraph("Ja", 1), SourceList(title="Sources"))
    source = "[1] Båtleieloven § 3-2: «ord 1 & mer» https://lovdata.no/lov/2999-01-01-1/§3-2\n"
    copied = citable(shown, "http://h/?run=1", ["Ikke råd."])
    assert copied.startswith(f"Hva?\n\nJa [1].\n\nSources\n\n{source}[2] ")
    assert copied.endswith("Ikke råd.\n\nhttp://h/?run=1")
    assert copied.count("ord 1 & mer") == 1
    assert f"\n\nKilder\n\n{source}" in citable(answer(paragraph("Ja", 1)), "", [])
