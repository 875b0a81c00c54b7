"""What a model claims, read with good will; what a quote must be; and how near its provision is to the question."""

import pytest

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.citation_check import TOO_FAR, TOO_SHORT, cite
from lovsvar_agent.core.reasoning.claims import named, placed_right, understood
from lovsvar_agent.core.reasoning.contracts import is_of_other_contract
from lovsvar_agent.core.reasoning.final import Claim, Final
from lovsvar_agent.core.reasoning.quote_context import context, cut_away, has_verb, is_clause
from lovsvar_agent.core.reasoning.relevance import Relevance, relevance
from lovsvar_contracts.search import FindProvisions

PLEDGE = "Pantet kan være på høyst fire ukers båtleie"


@pytest.mark.parametrize(
    ("written", "right"),
    [
        ("lovdata-2", "lovdata-2"),
        ("LOVDATA-2", "lovdata-2"),
        ("lovdata2", "lovdata-2"),
        ("[Lovdata 2]", "lovdata-2"),
        ("båtleieloven § 3-2", "lovdata-2"),
        ("båtl. § 3-2", "lovdata-2"),
        ("§ 3-2", "lovdata-2"),
        ("bygdefestloven § 3-2", "bygdefestloven § 3-2"),
        ("noe annet", "noe annet"),
    ],
)
def test_an_id_in_another_form_is_understood(sources: EvidenceRegistry, written: str, right: str) -> None:
    assert named(written, sources) == right


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("Høyst fire uker [LOVDATA-2].", "Høyst fire uker [lovdata-2]."),
        ("Høyst fire uker (lovdata2).", "Høyst fire uker (lovdata-2)."),
        ("Høyst fire uker, ifølge lovdata-2.", "Høyst fire uker, ifølge [lovdata-2]."),
        ("Høyst fire uker [båtleieloven § 3-2].", "Høyst fire uker [lovdata-2]."),
        ("Høyst fire uker [lovdata-2, lovdata-3].", "Høyst fire uker [lovdata-2, lovdata-3]."),
        ("Se lovdata-99 og https://lovdata.no/lovdata-2.", "Se lovdata-99 og https://lovdata.no/lovdata-2."),
    ],
)
def test_ids_in_prose_are_written_as_they_are(sources, answer: str, read: str) -> None:
    assert understood(Final(answer), sources).answer == read


def test_quotations_of_prose_are_claims_when_there_are_no_others(sources) -> None:
    answer = f"Loven sier «{PLEDGE}» (lovdata-2), og «Pantet settes på en konto» også. «Pant» er et ord."
    claims = understood(Final(answer), sources).claims
    assert claims == (Claim("lovdata-2", PLEDGE), Claim("", "Pantet settes på en konto"))
    assert [c.evidence_id for c in cite(claims, sources).citations] == ["lovdata-2", "lovdata-2"]
    own = (Claim("lovdata-1", "x"),)
    assert understood(Final(answer, own), sources).claims == own


@pytest.mark.parametrize("wrong", ["lovdata-1", "lovdata-99", "", "kilde 1"])
def test_a_quote_of_exactly_one_other_source_is_put_right(sources, wrong: str) -> None:
    cited = cite([Claim(wrong, PLEDGE)], sources)
    assert [c.evidence_id for c in cited.citations] == ["lovdata-2"]
    assert cited.rejected == ()
    assert cited.moved == (((wrong, "lovdata-2"),) if wrong else ())


def test_a_quote_of_several_others_is_not(sources, make_provision) -> None:
    from lovsvar_agent.core.source_kinds.law import LAW

    sources.add(LAW, [make_provision(PLEDGE + ".", section="§9-9")])
    assert placed_right(Claim("lovdata-1", PLEDGE), sources).evidence_id == "lovdata-1"


@pytest.mark.parametrize("quote", ["skal", "på", "en konto", "høyst fire ukers båtleie"])
def test_a_quote_is_a_clause_at_least(sources, quote: str) -> None:
    cited = cite([Claim("lovdata-2", quote)], sources)
    assert cited.citations == ()
    assert TOO_SHORT in cited.rejected[0].reason or "ordrett" in cited.rejected[0].reason


def test_a_whole_item_of_a_list_is_a_quote(sources) -> None:
    (citation,) = cite([Claim("lovdata-2", "låntakeren har skadet båten,")], sources).citations
    assert citation.context == "Båteieren kan kreve dekning i pantet når\na. låntakeren har skadet båten,"


TEXT = """(1) Utleieren kan heve avtalen, men bare dersom leieren ikke betaler. \
Dette gjelder likevel ikke gårdsbruk. Ellers gjelder loven.
(2) Leieren kan kreve:
a. retting av mangler, og
b. prisavslag.
(3) Slutt."""


@pytest.mark.parametrize(
    ("quote", "whole", "cut"),
    [
        (
            "Utleieren kan heve avtalen",
            "Utleieren kan heve avtalen, men bare dersom leieren ikke betaler. Dette gjelder likevel ikke gårdsbruk.",
            ("", ", men bare dersom leieren ikke betaler."),
        ),
        ("Ellers gjelder loven.", "Ellers gjelder loven.", ("", "")),
        (
            "Leieren kan kreve",
            "Leieren kan kreve:\na. retting av mangler, og\nb. prisavslag.",
            ("", ":\na. retting av mangler, og\nb. prisavslag."),
        ),
        ("bare dersom leieren ikke betaler", None, ("Utleieren kan heve avtalen, men ", ".")),
    ],
)
def test_the_context_of_a_quote(quote: str, whole: str | None, cut: tuple[str, str]) -> None:
    start = TEXT.index(quote)
    place = (start, start + len(quote))
    assert whole is None or TEXT[slice(*context(TEXT, *place))].removeprefix("(1) ").removeprefix("(2) ") == whole
    before, after = cut_away(TEXT, *place)
    assert (before.removeprefix("(1) ").removeprefix("(2) "), after) == cut
    assert is_clause(quote, TEXT, *place) or len(quote.split()) < 4


def test_a_whole_sentence_says_something_though_its_verb_is_not_known() -> None:
    text = "Rådet består av foreldrene. Rådet trer sammen etter valget."
    sentence = text.partition(".")[0]
    assert not has_verb(sentence)
    assert is_clause(sentence, text, 0, len(sentence))
    assert not is_clause("består av foreldrene", text, 6, len(sentence))


async def test_a_provision_far_from_a_sure_answer_is_no_proof(corpus, sources) -> None:
    from lovsvar_agent.adapters.memory_search import MemorySearch

    page = await MemorySearch(corpus).find(FindProvisions(query="pant båteieren kreve", correlation_id="x"))
    near = relevance(page, [])
    assert page.answers and near.of(sources.named("lovdata-2")) == pytest.approx(0.8)
    far = Claim("lovdata-5", "Den som holder bygdefest, rydder plassen innen to dager.")
    cited = cite([Claim("lovdata-2", PLEDGE), far], sources, near)
    assert [(c.evidence_id, c.relevance) for c in cited.citations] == [("lovdata-2", pytest.approx(0.8))]
    assert [r.reason for r in cited.rejected] == [TOO_FAR]
    assert cite([far], sources, Relevance()).rejected == ()
    unsure = relevance(page.model_copy(update={"answers": False}), [])
    assert cite([far], sources, unsure).rejected == ()
    referring = corpus[1].model_copy(update={"refs": ("lov/2999-02-02-2/§8/ledd/1",)})
    assert cite([far], sources, relevance(page, [referring])).rejected == ()


@pytest.mark.parametrize(
    ("question", "refid", "other"),
    [
        ("The flat I bought is smaller than the ad said.", "lov/1999-03-26-17", True),
        ("Leiligheten jeg kjøpte er mindre enn annonsert.", "lov/1999-03-26-17", True),
        ("Kan jeg leie ut boligen jeg kjøpte?", "lov/1999-03-26-17", False),
        ("Huset eg leiger har mugg.", "lov/1992-07-03-93", True),
        ("Huset har mugg.", "lov/1992-07-03-93", False),
        ("The flat I bought is smaller than the ad said.", "lov/1992-07-03-93", False),
    ],
)
def test_an_act_about_another_kind_of_contract_is_far(question: str, refid: str, other: bool) -> None:
    assert is_of_other_contract(question, refid) is other
