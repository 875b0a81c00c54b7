"""How an answer is shown: numbers lead to quotes, and quotes to the words in the law."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import get_args

import pytest
from starlette.requests import Request

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
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode, Tier
from lovsvar_gateway.answer_page import answer_values
from lovsvar_gateway.core.quotes import (
    at_the_words,
    citable,
    cited_sources,
    dialled,
    is_old,
    lay_out,
    quote_lines,
    site,
    unused_sources,
)
from lovsvar_gateway.pages import show
from lovsvar_testkit.answers import make_answer, make_citation, make_evidence, make_product

REQUEST = Request(
    {
        "type": "http",
        "scheme": "http",
        "server": ("127.0.0.1", 80),
        "path": "/",
        "root_path": "",
        "query_string": b"",
        "headers": [],
    }
)


def citation(number: int, source: int) -> Citation:
    return make_citation(number, f"ord {number} & mer", make_evidence(source))


def answer(*blocks: AnswerBlock, evidences: Sequence[Evidence] = ()) -> Answer:
    cited = (citation(1, 2), citation(2, 1), citation(3, 2))
    found = tuple(evidences) or (make_evidence(1), make_evidence(2), make_evidence(3))
    return make_answer(*blocks, answer_text="x", citations=cited, evidence=found)


def shown(answer: Answer, language: str = "nb", saved: object = None) -> str:
    """The page of an answer."""
    request = Request({**REQUEST.scope, "query_string": f"lang={language}".encode()})
    values = answer_values(request, answer, saved=saved)
    return bytes(show(request, "answer.html", **values).body).decode()


def page_of(answer: Answer) -> str:
    """What the page shows of an answer's blocks."""
    return shown(answer).partition('<div class="text" lang="nb">')[2].partition("</div>")[0].strip().replace("\n", "")


def paragraph(text: str, *numbers: int) -> Paragraph:
    return Paragraph(words=(Span(text=text, citations=numbers), Span(text=".")))


MARK = '<sup><a class="cite" href="#sitat-1" data-cite="1" id="henvisning-1">[1]</a></sup>'
AGAIN = MARK.replace(' id="henvisning-1"', "")


def test_numbers_lead_to_their_quotes_and_the_first_of_each_is_where_its_quote_leads_back_to() -> None:
    assert page_of(answer(paragraph("Ja", 1))) == f"<p>Ja&nbsp;{MARK}.</p>"
    assert page_of(answer(paragraph("Ja", 1, 1), paragraph("Nei", 1))) == (
        f"<p>Ja&nbsp;{MARK} {AGAIN}.</p><p>Nei&nbsp;{AGAIN}.</p>"
    )


def test_a_quote_is_where_its_number_leads_and_has_its_marks_and_ellipses() -> None:
    page = page_of(
        answer(paragraph("Ja", 1), Quote(citation=1, why="Fordi <b>", marks=((0, 3), (2, 99)), cut_after=True))
    )
    assert 'href="#sitat-1"' in page
    assert '<p class="why">Fordi &lt;b&gt;</p><figure class="quoted" id="sitat-1"' in page
    assert '<blockquote lang="no"><p><mark>ord</mark><mark> 1 &amp; mer</mark> …</p></blockquote>' in page
    assert "Ordrett gjengitt" in page


def test_marks_count_over_the_lines_of_a_quote_and_items_are_a_list() -> None:
    cited = citation(1, 2).model_copy(update={"quote": "(1) Når\na. det\nb. <i>\n(2) Så"})
    lines = quote_lines(cited, Quote(citation=1, marks=((4, 7), (11, 14), (-5, 2)), cut_before=True))
    assert lines == (
        (("… ", False), ("(1", True), (") ", False), ("Når", True)),
        (("a. ", False), ("det", True)),
        (("b. <i>", False),),
        (("(2) Så", False),),
    )
    page = page_of(answer(Quote(citation=1)).model_copy(update={"citations": (cited,)}))
    assert "fra ledd 1" not in page_of(answer(Quote(citation=1)))
    assert "<p>(1) Når</p><ul><li>a. det</li><li>b. &lt;i&gt;</li></ul><p>(2) Så</p>" in page


def test_a_number_that_stands_for_no_citation_leads_nowhere() -> None:
    assert page_of(answer(paragraph("§ 9 [7]", 9))) == '<p><span class="whole">§ 9</span> [7]&nbsp;[9].</p>'
    assert page_of(answer(Quote(citation=9))) == ""


def test_what_the_page_says_itself_is_left_out_of_the_answer() -> None:
    said = {role: Remark(role=role, words=plain(role)) for role in RemarkRole}
    assert page_of(answer(paragraph("Ja"), SourceList(title="Kilder"))) == "<p>Ja.</p>"
    assert page_of(answer(*said.values())) == "<p>in_force</p><p>note</p>"


CONTACT = Contact(name="<b>", does="<b>", phone="<b>", url="<b>")
BLOCKS = (
    Heading(words=plain("<b>")),
    paragraph("<b>"),
    Quote(citation=1, why="<b>"),
    Explanation(label="<b>", evidence_id="lovdata-1", ledd=(1,), words=plain("<b>")),
    Emergency(title="<b>", contacts=(CONTACT,)),
    Situation(
        id="x",
        title="<b>",
        steps=("<b>",),
        facts=(Fact(label="<b>", words=plain("<b>")),),
        contact=CONTACT,
        note="<b>",
        checked=date(2026, 11, 24),
    ),
    Choices(title="<b>", choices=(Choice(label="<b>", question="<b>"),)),
    List(items=(plain("<b>"),), ordered=True),
    Remark(words=plain("<b>")),
    Suggestions(title="<b>", evidence_ids=("lovdata-1", "lovdata-99")),
    Recommendations(
        title="<b>",
        note="<b>",
        invented="<b>",
        items=(
            Recommendation(
                evidence_id="product-1", name="<b>", price="<b>", why="<b>", url="<b>", catalogue="<b>", invented=True
            ),
        ),
    ),
)


def test_every_kind_of_block_is_shown_but_the_list_of_sources() -> None:
    assert {type(block) for block in BLOCKS} == set(get_args(AnswerBlock)) - {SourceList}


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.kind)
def test_markup_in_a_block_is_text(block: AnswerBlock) -> None:
    page = shown(answer(block)).partition('<textarea id="citable"')[0]
    assert "&lt;b&gt;" in page
    assert not re.search("<b>(?!&lt;b&gt;)", page)


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
    assert citable(answer(Quote(citation=1)), "", []).count("ord 1 & mer") == 1


def tiered(tier: Tier, *blocks: AnswerBlock) -> Answer:
    return answer(
        Remark(words=plain("Sagt av spørsmålet")),
        Heading(words=plain("Svarer på spørsmålet")),
        *blocks,
        Heading(words=plain("Kan også være relevant")),
        Quote(citation=2),
    ).model_copy(update={"tier": tier, "mode": Mode.EXTRACTIVE})


def test_the_tier_is_the_heading_of_the_answer_and_what_is_said_of_the_question_comes_below_it() -> None:
    layout = lay_out(tiered(Tier.ANSWERS, Quote(citation=1)))
    assert layout.title == plain("Svarer på spørsmålet")
    assert [(part.tier, [b.kind for b in part.blocks]) for part in layout.parts] == [
        (Tier.ANSWERS, ["remark", "quote"]),
        (Tier.RELATED, ["quote"]),
    ]
    page = shown(tiered(Tier.ANSWERS, Quote(citation=1)))
    assert '<h2 id="answer-title" class="tier tier-answers" tabindex="-1" lang="nb">Svarer på spørsmålet</h2>' in page
    assert page.index("answer-title") < page.index("Sagt av spørsmålet")


@pytest.mark.parametrize(("tier", "ticks"), [(Tier.ANSWERS, 1), (Tier.RELATED, 0)])
def test_only_what_answers_has_a_tick_and_every_quote_says_what_was_checked(tier: Tier, ticks: int) -> None:
    text = shown(tiered(tier, Quote(citation=1))).partition('<h2 class="sources-title">')[0]
    assert text.count("✓") == ticks
    assert text.count("Ordrett gjengitt") == 2


def test_danger_comes_before_everything_and_what_to_ask_next_after_it() -> None:
    emergency = Emergency(title="Fare", contacts=(Contact(name="Politi", phone="112", url="https://politiet.no"),))
    more = Choices(title="Videre", choices=(Choice(label="Frist?", question="Hva er fristen?"),))
    page = shown(answer(more, paragraph("Ja", 1), emergency))
    order = [page.index(words) for words in ("Fare", 'id="answer-title"', ">Ja", "Kilder", "Videre")]
    assert order == sorted(order)
    assert '<a class="call" href="tel:112"><b>112</b> Politi</a>' in page
    assert '<a href="https://politiet.no" rel="noopener">politiet.no</a>' in page
    assert f'name="follows" value="{"1" * 32}"' in page
    assert 'name="question" value="Hva er fristen?" title="Hva er fristen?">Frist?</button>' in page


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://www.nav.no", True),
        ("https://nav.no/", True),
        ("http://nav.no", False),
        ("https://nav.no/sti", False),
        ("https://nav.no@ond.no", False),
        ("https://nav.no?x", False),
        ("javascript:alert(1)", False),
        ("https://localhost", False),
    ],
)
def test_a_contact_leads_to_a_public_site_without_a_path_alone(url: str, kept: bool) -> None:
    assert bool(site(url)) is kept


@pytest.mark.parametrize(
    ("phone", "number"), [("112", "112"), ("116 006", "116006"), ("+47 22 33", "+472233"), ("ring oss", ""), ("1", "")]
)
def test_a_number_that_can_be_dialled_is_dialled(phone: str, number: str) -> None:
    assert dialled(phone) == number


def test_sources_are_shown_once_where_every_quote_is_in_the_answer() -> None:
    whole = shown(answer(Quote(citation=1), Quote(citation=2), Quote(citation=3)))
    assert '<ol class="sources compact">' in whole
    assert '<details class="quote"' not in whole
    assert whole.count("<blockquote") == 3
    partly = shown(answer(Quote(citation=1), paragraph("Ja", 2)))
    assert '<ol class="sources">' in partly
    assert partly.count('<details class="quote"') == 2
    assert partly.count("<blockquote") == 3


def test_text_that_is_older_than_thirty_days_is_said_to_be() -> None:
    today = utc_now().date()
    for days, told in ((30, False), (31, True)):
        dated = answer(paragraph("Ja", 1)).model_copy(update={"corpus_date": today - timedelta(days=days)})
        assert is_old(dated.corpus_date, today) is told
        assert ("mer enn 30 dager gammel" in shown(dated)) is told
    assert not is_old(None, today)


def test_an_english_question_is_said_to_be_understood_in_the_language_of_the_page() -> None:
    asked = answer(paragraph("Yes", 1)).model_copy(update={"question": "How long is the notice period?"})
    page = shown(asked, "en")
    assert "understood in English" in page
    assert '<div class="text" lang="en">' in page
    assert "forstått på engelsk" in shown(asked)
    assert "forstått" not in shown(answer(paragraph("Ja", 1)))


def test_what_is_recommended_stands_after_the_sources_and_links_by_its_evidence_alone() -> None:
    item = Recommendation(
        evidence_id="product-1",
        name="Coaching",
        price="€ 10",
        why="Voor burn-out.",
        url="https://portal.evi360.nl/15",
        catalogue="Arbeidshulp",
        language="nl",
        invented=True,
    )
    block = Recommendations(title="Aanbod", note="Geen recht.", language="nl", invented="verzonnen", items=(item,))
    product = make_product(url=item.url)
    given = answer(paragraph("Ja", 1), block, evidences=(make_evidence(1), make_evidence(2), product))
    page = shown(given)
    assert lay_out(given).offers == (block,) and product not in unused_sources(given)
    assert page.index('class="sources') < page.index('<section class="offers" aria-label="Aanbod" lang="nl">')
    assert f'<a href="{item.url}" rel="noopener nofollow">{item.url}</a>' in page
    assert '<strong class="badge not-in-force">verzonnen</strong>' in page
    other = block.model_copy(update={"items": (item.model_copy(update={"url": "https://evil.example/"}),)})
    assert "evil" not in shown(
        answer(paragraph("Ja", 1), other, evidences=(make_evidence(1), make_evidence(2), product))
    )
    assert "evil" not in citable(answer(other, evidences=(product,)), "http://x", ())
