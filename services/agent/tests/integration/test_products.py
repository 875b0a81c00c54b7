"""Products beside the answer: chosen by a scripted model by their ids, or found by the question itself."""

import asyncio

import pytest

from lovsvar_agent.adapters.guidance_files import read_guidance
from lovsvar_agent.adapters.memory_products import MemoryProducts
from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.products import offers
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools
from lovsvar_chassis.problems import problem
from lovsvar_contracts.blocks import Emergency, Recommendations, Remark, SourceList
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.questions import Answer, Mode, QuestionAsked
from lovsvar_contracts.run_events import AnswerCompleted, AnswerDelta, ToolCalled, ToolResult
from lovsvar_rendering.markdown import MarkdownRenderer

DUTCH = "Welke interventies zijn er voor burn-out?"
PRODUCTS = {"search_products": {"query": "burn-out begeleiding"}}
LAW = {"search_lovdata_legal_documents": {"query": "pant båteieren"}}
SEARCHES = {"calls": [LAW, PRODUCTS]}
HOLDS = ["lovdata-1", "Pantet kan være på høyst fire ukers båtleie"]


def final(answer: str, *citations: list[str], **more: object) -> dict:
    return {"final": {"answer": answer, "citations": list(citations), **more}, "repeat": True}


def offered(answer: Answer) -> Recommendations | None:
    return next((block for block in answer.blocks if isinstance(block, Recommendations)), None)


def names(answer: Answer) -> list[str]:
    block = offered(answer)
    return [item.name for item in block.items] if block else []


@pytest.fixture
def extract(corpus):
    async def run(question: str | QuestionAsked, products, **limits: float) -> tuple[Answer, list]:
        asked = question if isinstance(question, QuestionAsked) else QuestionAsked(question=question)
        sink, tools = MemorySink(), ToolRegistry(own_tools(None, products))
        await Answerer(MemorySearch(corpus), Limits(**limits), tools=tools, products=products).answer(
            asked, Attempt(), sink
        )
        (answer,) = [e.answer for e in sink.events if isinstance(e, AnswerCompleted)]
        return answer, sink.events

    return run


async def test_the_agent_searches_products_when_asked_about_interventions(reason, interventions) -> None:
    done = await reason(
        [{"calls": [PRODUCTS]}, {"calls": [LAW]}, final("[product-1] [product-3]", insufficient=True)],
        DUTCH,
        products=interventions,
    )
    assert "search_products" in [called.name for called in done.of(ToolCalled)]
    block = offered(done.answer)
    assert [item.name for item in block.items] == ["Herstelcoaching", "Fysiotherapie op het werk"]
    assert all(item.url.startswith("https://portal.evi360.nl") for item in block.items)
    assert (block.title, block.language) == ("Aanbod dat kan helpen", "nl")
    markdown = MarkdownRenderer(done.answer.citations, done.answer.evidence).render([block])
    assert (
        "**Herstelcoaching** (Vanaf € 2.500)  \n"
        "Traject van zes maanden voor burn-out. Met begeleiding van een arbeidsdeskundige.  \n"
        "🔗 https://portal.evi360.nl/products/15"
    ) in markdown


async def test_what_is_recommended_stands_after_the_legal_answer_and_apart_from_it(reason, interventions) -> None:
    said = "Høyst fire ukers leie [lovdata-1].\n\nHerstelcoaching (€ 1) helpt. [product-1]"
    done = await reason([SEARCHES, final(said, HOLDS)], products=interventions)
    kinds = [type(block) for block in done.answer.blocks]
    assert kinds.index(Recommendations) > kinds.index(SourceList)
    assert names(done.answer) == ["Herstelcoaching"]
    before, _, after = done.answer.answer_text.partition("Tilbud som kan hjelpe")
    assert "Høyst fire ukers leie" in before and "Herstelcoaching" not in before
    assert "ikke en del av det juridiske svaret" in after and "€ 1)" not in after
    assert {c.evidence_id for c in done.answer.citations} == {"lovdata-1"}
    assert not done.answer.rejected


async def test_a_price_that_is_missing_is_the_catalogues_words_for_none(reason, interventions) -> None:
    done = await reason([SEARCHES, final("Fire uker [lovdata-1]. [product-2]", HOLDS)], products=interventions)
    (item,) = offered(done.answer).items
    assert (item.name, item.price, item.url) == ("Loopbaanbegeleiding", "Prijs op aanvraag", "")


async def test_unknown_ids_are_dropped_and_no_more_are_shown_than_the_catalogue_says(reason, interventions) -> None:
    chosen = " ".join(f"[product-{n}]" for n in (9, 5, 4, 3, 2, 1))
    done = await reason([SEARCHES, final(f"Fire uker [lovdata-1]. {chosen}", HOLDS)], products=interventions)
    assert names(done.answer) == ["Verzuimscan", "Bedrijfsmaatschappelijk werk", "Fysiotherapie op het werk"]


async def test_an_address_of_an_item_chooses_it(reason, interventions) -> None:
    said = "Fire uker [lovdata-1].\n\n**Mooi** (gratis)\nEcht.\n🔗 https://portal.evi360.nl/products/17"
    done = await reason([SEARCHES, final(said, HOLDS)], products=interventions)
    assert names(done.answer) == ["Fysiotherapie op het werk"]
    assert "Mooi" not in done.answer.answer_text


async def test_a_product_is_chosen_by_citing_it_and_proves_nothing(reason, interventions) -> None:
    cites = [HOLDS, ["product-1", "Traject van zes maanden voor burn-out."]]
    done = await reason([SEARCHES, final("Fire uker [lovdata-1].", *cites)], products=interventions)
    assert names(done.answer) == ["Herstelcoaching"]
    assert [c.evidence_id for c in done.answer.citations] == ["lovdata-1"]
    assert not done.answer.rejected


async def test_a_model_that_chooses_none_recommends_none(reason, interventions) -> None:
    done = await reason([SEARCHES, final("Fire uker [lovdata-1].", HOLDS)], products=interventions)
    assert offered(done.answer) is None


async def test_a_draft_that_may_name_products_is_not_shown(reason, interventions) -> None:
    said = "Fire uker [lovdata-1]. Kjøp Superhjelp for € 1."
    done = await reason([SEARCHES, final(said, HOLDS)], products=interventions)
    assert not done.of(AnswerDelta)


async def test_a_model_that_does_not_search_has_what_fits_added(reason, interventions) -> None:
    found = await reason(
        [{"calls": [LAW]}, final("Fire uker [lovdata-1].", HOLDS)],
        "Hvor mye pant kan båteieren kreve, og hvilken begeleiding finnes?",
        products=interventions,
    )
    assert names(found.answer) == ["Herstelcoaching", "Loopbaanbegeleiding", "Bedrijfsmaatschappelijk werk"]
    none = await reason([{"calls": [LAW]}, final("Fire uker [lovdata-1].", HOLDS)], products=interventions)
    assert offered(none.answer) is None


async def test_a_search_of_products_that_fails_leaves_the_legal_answer_as_it_is(reason, interventions) -> None:
    interventions.failure = ProblemError(problem(ProblemType.UNAVAILABLE, "Ingen svarer."))
    done = await reason([SEARCHES, final("Fire uker [lovdata-1].", HOLDS)], products=interventions)
    assert done.types[-1] == "run.completed"
    assert done.answer.citations and offered(done.answer) is None


async def test_without_a_model_what_fits_is_added(extract, interventions) -> None:
    answer, events = await extract(f"{DUTCH} Og hvor mye kan båteieren kreve i pant?", interventions)
    assert answer.citations
    block = offered(answer)
    assert [item.name for item in block.items] == [
        "Herstelcoaching",
        "Loopbaanbegeleiding",
        "Fysiotherapie op het werk",
    ]
    assert isinstance(answer.blocks[-1], Remark) and answer.blocks[-2] == block
    assert [e.name for e in events if isinstance(e, ToolCalled)][-1] == "search_products"
    assert {c.evidence_id.partition("-")[0] for c in answer.citations} == {"lovdata"}
    assert not any(e.source == "product" for e in answer.suggestions)


async def test_without_an_offer_word_only_what_surely_fits_is_added(extract, make_catalogue, make_item) -> None:
    for similarity, found in ((offers.SURELY_FITS, ["Pant"]), (offers.SURELY_FITS - 0.01, [])):
        item = make_item(1, "Pant", similarity=similarity)
        answer, _ = await extract("Hvor mye kan båteieren kreve i pant?", MemoryProducts([make_catalogue()], [item]))
        assert names(answer) == found


async def test_nothing_is_added_when_nothing_fits(extract, interventions) -> None:
    answer, _ = await extract("Hvor mye kan båteieren kreve i pant?", interventions)
    assert answer.citations and offered(answer) is None
    alone, _ = await extract("Hvor mye kan båteieren kreve i pant?", None)
    assert alone.blocks == answer.blocks


async def test_the_asker_is_recommended_nothing_of_catalogues_they_may_not_see(extract, interventions) -> None:
    asked = QuestionAsked(question=DUTCH, catalogues=("hjelpetilbud",))
    answer, _ = await extract(asked, interventions)
    assert offered(answer) is None and not interventions.asked


async def test_a_slow_search_of_products_is_not_waited_for(extract, interventions, monkeypatch) -> None:
    class Slow(MemoryProducts):
        async def find(self, request):
            await asyncio.Event().wait()

    monkeypatch.setattr(offers, "SECONDS", 0.05)
    slow = Slow(interventions.served, interventions.items)
    answer, events = await extract(f"Begeleiding? {DUTCH} Hvor mye kan båteieren kreve i pant?", slow)
    assert answer.citations and offered(answer) is None
    (result,) = [e for e in events if isinstance(e, ToolResult) and e.name == "search_products"]
    assert result.error == "Søket i tilbud svarte ikke i tide."


async def test_who_is_in_danger_is_told_whom_to_call_first(reason, interventions) -> None:
    question = "Mannen min slår meg nå. Welke begeleiding?"
    script = [{"calls": [LAW]}, final("Fire uker [lovdata-1].", HOLDS)]

    done = await reason(script, question, products=interventions, guidance=read_guidance())
    kinds = [type(block) for block in done.answer.blocks]
    assert kinds.index(Emergency) < kinds.index(Recommendations)
    alone = await reason(
        [{"calls": [LAW]}, final("", insufficient=True)],
        question,
        products=interventions,
        guidance=read_guidance(),
    )
    assert offered(alone.answer) is None and isinstance(alone.answer.blocks[0], Emergency)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("Hvem gir begeleiding mot burn-out?", "Tilbud som kan hjelpe"),
        ("Kven gir begeleiding mot burn-out, og kva kostar det?", "Tilbod som kan hjelpe"),
        ("Who gives begeleiding for burn-out and what does it cost?", "Services that may help"),
        (DUTCH, "Aanbod dat kan helpen"),
    ],
)
async def test_recommendations_are_in_the_language_of_the_question(extract, interventions, question, title) -> None:
    answer, _ = await extract(question, interventions)
    assert offered(answer).title == title


async def test_a_mode_without_tools_recommends_too(reason, interventions) -> None:
    answer = {"json": {"answer": "Fire uker [lovdata-1].", "citations": [HOLDS]}}
    question = "Hvor mye pant kan båteieren kreve, og hvilken begeleiding finnes?"
    done = await reason([answer], question, products=interventions, mode=Mode.DIRECT)
    assert names(done.answer)[0] == "Herstelcoaching"
