"""How an answer is shown: numbers lead to quotes, and quotes to the words in the law."""

from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode, RunStatus
from lovsvar_gateway.core.quotes import at_the_words, citable, cited_sources, unused_sources, with_marks


def evidence(number: int) -> Evidence:
    return Evidence(evidence_id=f"lovdata-{number}", title=f"§ {number}", url=f"/l#§{number}", lovdata_url="https://l")


def citation(number: int, source: int) -> Citation:
    return Citation(
        number=number,
        evidence_id=f"lovdata-{source}",
        refid="lov/2999-01-01-1",
        section=f"§{source}",
        title=f"Loven § {source}",
        url=f"/lov/2999-01-01-1#§{source}",
        lovdata_url="https://l",
        quote=f"ord {number} & mer",
        verified=True,
        in_force=InForce.YES,
    )


LIST = '<p><strong>Kilder</strong></p><ol><li><a href="/l#§2">Loven § 2</a>: «ord 1 &amp; mer» <sup>[1]</sup></li></ol>'


def answer(html: str, *, mode: Mode = Mode.AGENT, sample: bool = False, text: str = "") -> Answer:
    return Answer(
        run_id="1" * 32,
        status=RunStatus.COMPLETED,
        mode=mode,
        question="Hva?",
        answer_html=html,
        answer_text=text,
        citations=(citation(1, 2), citation(2, 1), citation(3, 2)),
        evidence=(evidence(1), evidence(2), evidence(3)),
        sample=sample,
    )


def test_numbers_lead_to_their_quotes_whichever_agent_wrote_them() -> None:
    link = '<sup><a class="cite" href="#sitat-1" id="henvisning-1">[1]</a></sup>'
    assert with_marks(answer('<p>Ja <a href="/l#§2">[1]</a>.</p>')) == f"<p>Ja {link}.</p>"
    assert with_marks(answer("<p>Ja.</p><p><sup>[1]</sup></p>")) == f"<p>Ja.\N{NO-BREAK SPACE}{link}</p>"


def test_a_number_that_stands_for_no_citation_is_left_as_it_is() -> None:
    html = '<p>§ 9 [7] <a href="/l">[9]</a> [1]</p>'
    assert with_marks(answer(html)) == html


def test_what_the_page_says_itself_is_left_out_of_the_answer() -> None:
    assert with_marks(answer(f"<p>Ja.</p>{LIST}")) == "<p>Ja.</p>"
    assert with_marks(answer("<p><strong>Merk: x</strong></p><p>Ja.</p>", sample=True)) == "<p>Ja.</p>"
    assert with_marks(answer("<p>Ja.</p><p><em>Sitater.</em></p>", mode=Mode.EXTRACTIVE)) == "<p>Ja.</p>"
    kept = "<p><strong>Ja</strong></p><p>Nei.</p><p><em>Sitater.</em></p>"
    assert with_marks(answer(kept)) == kept


def test_sources_stand_in_the_order_in_which_they_are_quoted_with_all_their_quotes() -> None:
    shown = answer("")
    assert [(s.evidence.evidence_id, [c.number for c in s.citations]) for s in cited_sources(shown)] == [
        ("lovdata-2", [1, 3]),
        ("lovdata-1", [2]),
    ]
    assert [e.evidence_id for e in unused_sources(shown)] == ["lovdata-3"]


def test_a_quote_leads_to_its_words_in_the_viewer_and_practice_to_its_own_address() -> None:
    assert at_the_words(citation(1, 2)) == "/lov/2999-01-01-1?paragraf=%C2%A72&sitat=ord%201%20%26%20mer#%C2%A72"
    practice = citation(1, 2).model_copy(update={"refid": None, "section": None, "url": "https://lovdata.no/x"})
    assert at_the_words(practice) == "https://lovdata.no/x"


def test_what_is_copied_has_each_quote_once_with_its_address() -> None:
    copied = citable(
        answer("", text="Ja [1].\n\nKilder\n\n[1] Loven § 2: «ord 1 & mer»"), "http://h/?run=1", ["Ikke råd."]
    )
    assert copied.startswith("Hva?\n\nJa [1].\n\nKilder\n\n[1] Loven § 2: «ord 1 & mer» https://l\n[2] ")
    assert copied.endswith("Ikke råd.\n\nhttp://h/?run=1")
    assert copied.count("ord 1 & mer") == 1
