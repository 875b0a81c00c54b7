"""Carrying calls out, and what each of them is shown to have found."""

import json

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.core.reasoning.conversation import estimated_tokens
from lovsvar_agent.core.reasoning.replies import Call
from lovsvar_agent.core.reasoning.toolkit import Toolkit
from lovsvar_agent.core.tools.law_reading import LAW_READING
from lovsvar_agent.core.tools.law_search import LAW_SEARCH, SEVERAL_SEARCHES
from lovsvar_agent.core.tools.outline import OUTLINE
from lovsvar_agent.core.tools.practice_search import NAME as PRACTICE_SEARCH
from lovsvar_contracts.law import LawType, StructureKind
from lovsvar_contracts.practice import PracticeHit
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.search import OutlineEntry, OutlineNode


def call(name: str, **arguments: object) -> Call:
    return Call(name, json.dumps(arguments))


@pytest.fixture
def make_toolkit(make_run, make_tools, make_registry, decisions):
    def make(search=None, *, limits=None, practice=decisions, **more) -> Toolkit:
        limits = limits or {}
        return Toolkit(make_run(**limits), make_tools(search, **more, **limits), make_registry(practice))

    return make


class Chaptered(MemorySearch):
    """One act whose provisions all stand in chapter 3."""

    async def outline(self, request):
        flat = await super().outline(request)
        entries = tuple(
            OutlineEntry(section=e.section, value=e.value, title=e.title, tokens=1) for e in flat.provisions
        )
        node = OutlineNode(
            kind=StructureKind.KAPITTEL, name="kap3", title="Kapittel 3. Pant", tokens=1, provisions=entries
        )
        return flat.model_copy(update={"provisions": (), "children": (node,)})


async def test_calls_are_told_in_their_order_and_results_behind_them(make_toolkit, sink, types) -> None:
    used = await make_toolkit().use([call(LAW_SEARCH.name, query="pant"), call(OUTLINE.name, document="båtleieloven")])
    assert types(sink.events) == ["tool.called", "tool.called", "tool.result", "sources.found", "tool.result"]
    assert len(used.results) == 2 and used.limit is None


async def test_calls_beyond_the_limit_are_not_made(make_toolkit, sink, types) -> None:
    used = await make_toolkit(limits={"tool_calls": 1}).use([call(LAW_SEARCH.name, query=q) for q in ("pant", "båt")])
    assert used.limit == "tool_calls"
    assert types(sink.events).count("tool.called") == 1


async def test_three_calls_that_are_the_same_end_the_loop(make_toolkit) -> None:
    kit = make_toolkit()
    same = Call(LAW_SEARCH.name, '{"query": "pant", "year": null}'), Call(LAW_SEARCH.name, ' {"query":"pant"}')
    assert (await kit.use(same)).limit is None
    assert (await kit.use([call(LAW_SEARCH.name, query="pant")])).limit == "identical_calls"


@pytest.mark.parametrize(
    ("first", "same"),
    [
        (call(LAW_SEARCH.name, query="pant  Båteieren"), call(LAW_SEARCH.name, query="båteieren, pant", page=1.0)),
        (call(LAW_SEARCH.name, query="pant"), call(LAW_SEARCH.name, query="pant", year=2023, lawType="Vedtak")),
        (call(LAW_SEARCH.name, query="pant", page=2), call(LAW_SEARCH.name, query="pant", page="2")),
        (
            call(LAW_READING.name, document="båtleieloven", section="§ 3-2"),
            call(LAW_READING.name, document="lov/2999-01-01-1", section="3-2"),
        ),
        (
            call(LAW_READING.name, document="Båtl", section="§3-2"),
            call(LAW_READING.name, document="lovdata-1"),
        ),
        (call(OUTLINE.name, document="Båtleieloven"), call(OUTLINE.name, document=" båtleieloven ")),
    ],
    ids=["words", "invented filters", "page", "refid", "id", "case"],
)
async def test_a_call_that_asks_for_the_same_in_other_words_is_a_repeat(make_toolkit, first: Call, same: Call) -> None:
    kit = make_toolkit()
    (shown,) = (await kit.use([first])).results
    (again,) = (await kit.use([same])).results
    assert "alt gjort" in again and again.endswith(shown)


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (call(LAW_SEARCH.name, query="pant"), call(LAW_SEARCH.name, query="pant", page=2)),
        (call(LAW_SEARCH.name, query="pant"), call(LAW_SEARCH.name, query="pant båt")),
        (
            call(LAW_READING.name, document="båtleieloven", section="3-2"),
            call(LAW_READING.name, document="båtleieloven", section="3-2 a"),
        ),
        (
            call(LAW_READING.name, document="båtleieloven", section="3-2"),
            call(LAW_READING.name, document="båtleieloven", section="3-2", page=2),
        ),
    ],
)
async def test_a_call_that_asks_for_something_else_is_none(make_toolkit, first: Call, other: Call) -> None:
    kit = make_toolkit()
    await kit.use([first])
    assert "alt gjort" not in (await kit.use([other])).results[0]


async def test_a_repeat_whose_result_is_still_in_view_is_not_shown_twice(make_toolkit) -> None:
    kit = make_toolkit()
    same = call(LAW_SEARCH.name, query="pant")
    (shown,) = (await kit.use([same])).results
    (again,) = (await kit.use([same], in_view=lambda text: text == shown)).results
    assert "står over" in again and shown not in again


async def test_no_provision_is_shown_whole_twice_by_searches(make_toolkit) -> None:
    kit = make_toolkit()
    first, second = [(await kit.use([call(LAW_SEARCH.name, query=q)])).results[0] for q in ("pant", "pant båtleie")]
    assert "fire ukers båtleie" in first
    assert "fire ukers båtleie" not in second and "lovdata-1: Båtleieloven – båtl § 3-2. Pant (vist over)" in second


async def test_hits_are_shown_by_rank_and_short_ones_whole_behind_a_long_one(make_toolkit, make_provision) -> None:
    long = make_provision("Pant i båten er pant i båten. " * 200, section="§1")
    short = [make_provision(f"Pant nummer {n}.", section=f"§{n}") for n in (2, 3)]
    kit = make_toolkit(MemorySearch([long, *short]), limits={"result_tokens": 600})
    (result,) = (await kit.use([call(LAW_SEARCH.name, query="pant i båten")])).results
    assert 'utdrag="ja"' in result.partition("§ 2")[0]
    assert "Pant nummer 2." in result and "Pant nummer 3." in result


async def test_a_filter_that_the_question_does_not_name_is_dropped_at_once(make_toolkit, corpus) -> None:
    class Noting(MemorySearch):
        def __init__(self) -> None:
            super().__init__(corpus)
            self.asked = []

        async def find(self, request):
            self.asked.append(request)
            return await super().find(request)

    law = Noting()
    kit = make_toolkit(law)
    invented = {"lawType": "Forskrift", "year": 2023, "ministry": "Fiskeridepartementet", "page": 2}
    (result,) = (await kit.use([call(LAW_SEARCH.name, query="pant", **invented)])).results
    (asked,) = law.asked
    assert (asked.law_type, asked.year, asked.ministry, asked.page) == (None, None, None, 2)
    assert "lawType=Forskrift og year=2023 og ministry=Fiskeridepartementet sto ikke i spørsmålet" in result


async def test_a_filter_that_the_question_names_is_kept(make_toolkit, corpus) -> None:
    kit = make_toolkit(question="Hva sier båtleieloven fra 2999 om pant?")
    (result,) = (await kit.use([call(LAW_SEARCH.name, query="pant", lawType="Lov", year=2999)])).results
    assert "ble ikke brukt" not in result


async def test_without_practice_the_tool_says_so(make_toolkit) -> None:
    used = await make_toolkit(practice=None).use([call(PRACTICE_SEARCH, query="pant")])
    assert "ikke satt opp" in used.results[0]


async def test_a_failure_is_a_sentence(make_toolkit, corpus) -> None:
    class Broken(MemorySearch):
        async def find(self, request):
            raise ProblemError(Problem(type=ProblemType.INTERNAL, title="x", detail="Indeksen er nede."))

    used = await make_toolkit(Broken(corpus)).use([call(LAW_SEARCH.name, query="pant")])
    assert "Indeksen er nede. Prøv på en annen måte" in used.results[0]


@pytest.mark.parametrize("tokens", [200, 400, 2_500])
async def test_a_result_keeps_within_its_budget(make_toolkit, make_provision, tokens: int) -> None:
    long = [make_provision("Pant i båt. " * 400, section=f"§{n}", title="Pant " * 20) for n in range(20)]
    hits = [PracticeHit(title="Pant " * 200, url=f"https://lovdata.no/a/{n}", snippet="pant " * 900) for n in range(9)]
    kit = make_toolkit(MemorySearch(long), practice=hits, limits={"result_tokens": tokens})
    batch = [{"document": "lov/2999-01-01-1", "section": f"§ {n}"} for n in range(20)]
    unknown = [{"document": "x" * 150, "section": "y" * 150}] * 20
    used = await kit.use(
        [
            call(LAW_SEARCH.name, query="pant", pageSize=20),
            call(LAW_READING.name, provisions=batch),
            call(LAW_READING.name, provisions=unknown),
            call(PRACTICE_SEARCH, query="pant"),
            call(OUTLINE.name, document="lov/2999-01-01-1"),
            call(SEVERAL_SEARCHES.name, question="pant i båt", num_queries=5),
        ]
    )
    names = 20 * estimated_tokens(
        "lovdata-1: Båtleieloven § 1. " + "Pant " * 20 + "(ikke vist, hent med hent_lovtekst)"
    )
    for result in used.results:
        assert estimated_tokens(result) <= max(tokens + 400, names + 300)


async def test_a_long_provision_is_read_page_by_page_to_its_end(make_toolkit, make_provision) -> None:
    long = make_provision("\n".join(f"Linje {n} om pant." for n in range(400)), section="§3-2")
    kit = make_toolkit(MemorySearch([long]), limits={"result_tokens": 500, "tool_calls": 50})
    shown, page = "", 1
    while True:
        (result,) = (
            await kit.use([call(LAW_READING.name, document="lov/2999-01-01-1", section="3-2", page=page)])
        ).results
        shown += result
        page += 1
        if f"page={page}" not in result:
            break
    assert all(f"Linje {n} om pant." in shown for n in range(400))


async def test_a_chapter_is_read_page_by_page_and_no_provision_is_passed_over(make_toolkit, make_provision) -> None:
    many = [make_provision(f"Pant nummer {n}. " * (n % 7 + 1) * 6, section=f"§3-{n}") for n in range(1, 46)]
    kit = make_toolkit(Chaptered(many), limits={"result_tokens": 600, "tool_calls": 50})
    shown, page = "", 1
    while True:
        (result,) = (await kit.use([call(LAW_READING.name, document="båtleieloven", chapter="3", page=page)])).results
        assert estimated_tokens(result) <= 700
        shown += result
        page += 1
        if f"page={page}" not in result:
            break
    assert page > 5
    assert all(f"Pant nummer {n}. " in shown for n in range(1, 46))


async def test_a_provision_too_long_for_a_page_of_its_chapter_is_read_for_itself(make_toolkit, make_provision) -> None:
    long = make_provision("Pant i båt. " * 600, section="§3-1")
    kit = make_toolkit(Chaptered([long]), limits={"result_tokens": 500})
    (result,) = (await kit.use([call(LAW_READING.name, document="båtleieloven", chapter="kap 3")])).results
    assert "section og page=2" in result


async def test_a_source_is_read_by_its_id(make_toolkit) -> None:
    kit = make_toolkit()
    await kit.use([call(LAW_SEARCH.name, query="melde skader")])
    (result,) = (await kit.use([call(LAW_READING.name, document="lovdata-1")])).results
    assert "innen ti dager" in result


async def test_a_batch_is_read_at_once_and_what_is_missing_is_said(make_toolkit) -> None:
    wanted = [{"document": "båtleieloven", "section": s} for s in ("§ 3-2", "4-1", "§ 77")]
    (result,) = (await make_toolkit().use([call(LAW_READING.name, provisions=wanted)])).results
    assert result.count("<kilde ") == 2
    assert "Fant ikke «båtleieloven § 77»" in result


async def test_queries_are_searched_at_once_and_what_several_find_is_one_hit(make_toolkit, sink) -> None:
    (result,) = (
        await make_toolkit().use(
            [call(SEVERAL_SEARCHES.name, question="pant", num_queries=2, queries=["pant båt", "pant konto"])]
        )
    ).results
    assert "Søkte med: «pant båt», «pant konto»." in result
    assert result.count('id="lovdata-1"') == 1


async def test_nothing_found_says_what_was_searched_and_what_to_try(make_toolkit) -> None:
    (result,) = (await make_toolkit().use([call(LAW_SEARCH.name, query="verdensrom", year=2999)])).results
    assert "«verdensrom»" in result and "Lov, Forskrift, Vedtak" in result and "generer_sokestrenger" in result


async def test_nothing_found_names_the_words_that_may_be_meant(make_toolkit, corpus) -> None:
    class Guessing(MemorySearch):
        async def find(self, request):
            return (await super().find(request)).model_copy(update={"did_you_mean": ("pant", "part")})

    (result,) = (await make_toolkit(Guessing(corpus)).use([call(LAW_SEARCH.name, query="panntt")])).results
    assert "Mente du «pant» eller «part»?" in result


async def test_a_filter_that_the_question_names_is_kept_even_when_it_empties_the_result(make_toolkit, corpus) -> None:
    kit = make_toolkit(MemorySearch(corpus), question="Hva sier vedtaket om pant?")
    (result,) = (await kit.use([call(LAW_SEARCH.name, query="pant", lawType=LawType.VEDTAK.value)])).results
    assert "ingen treff" in result and "<kilde" not in result


async def test_what_is_not_in_force_is_marked_for_the_model(make_toolkit) -> None:
    (result,) = (await make_toolkit().use([call(LAW_SEARCH.name, query="rydder bygdefest")])).results
    assert 'status="ikke trådt i kraft"' in result


@pytest.mark.parametrize("url", ["http://lovdata.no/a", "https://lovdata.no.evil.example/a", "https://evil.example"])
async def test_practice_from_elsewhere_is_dropped(make_toolkit, url: str) -> None:
    kit = make_toolkit(practice=[PracticeHit(title="Pant", url=url, snippet="pant")])
    (result,) = (await kit.use([call(PRACTICE_SEARCH, query="pant båt")])).results
    assert "ingen treff" in result
