"""Whole answers through servers with faults and habits of their own; law and events in memory."""

import asyncio

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import Mode, QuestionAsked
from lovsvar_contracts.run_events import (
    AnswerDelta,
    RunLimitReached,
    RunStarted,
    SourcesFound,
    ToolResult,
    UsageUpdated,
)
from lovsvar_testkit.model_replies import final_json

FIND = {"search_lovdata_legal_documents": {"query": "pant båteieren"}}
SEARCH = {"calls": [FIND]}
HOLDS = ["lovdata-1", "Pantet kan være på høyst fire ukers båtleie"]
FINAL = {"final": {"answer": "Pantet er høyst fire ukers båtleie [lovdata-1].", "citations": [HOLDS]}}
SEVERAL = {
    "calls": [
        FIND,
        {"search_lovdata_legal_documents": {"query": "melde skader"}},
        {"search_lovdata_legal_practice": {"query": "pant båt"}},
        {"innholdsfortegnelse": {"document": "båtleieloven"}},
    ]
}


def drafts(done) -> str:
    """What a reader sees of the draft at the end."""
    shown = ""
    for delta in done.of(AnswerDelta):
        shown = delta.text if delta.restart else shown + delta.text
    return shown


class UnevenSearch(MemorySearch):
    """Answers later calls sooner, or not, by turns."""

    def __init__(self, provisions, pauses) -> None:
        super().__init__(provisions)
        self._pauses = iter(pauses)

    async def find(self, request):
        await asyncio.sleep(next(self._pauses, 0.0))
        return await super().find(request)


async def test_the_same_question_gives_the_same_events_in_the_same_order(reason, corpus) -> None:
    first = await reason([SEVERAL, FINAL], search=UnevenSearch(corpus, [0.05, 0.0]))
    second = await reason([SEVERAL, FINAL], search=UnevenSearch(corpus, [0.0, 0.05]))
    assert first.types == second.types
    assert [e.evidence_id for f in first.of(SourcesFound) for e in f.evidence] == [
        e.evidence_id for f in second.of(SourcesFound) for e in f.evidence
    ]
    assert [e.refid for e in first.answer.evidence] == [e.refid for e in second.answer.evidence]
    assert [r.name for r in first.of(ToolResult)][1:] == [next(iter(c)) for c in SEVERAL["calls"]]
    assert [m["content"] for m in first.requests[1]["messages"]] == [
        m["content"] for m in second.requests[1]["messages"]
    ]


@pytest.mark.parametrize(("mode", "form"), [(Mode.AGENT, "final"), (Mode.DIRECT, "json")])
async def test_the_mode_is_said_when_a_run_begins(reason, mode: Mode, form: str) -> None:
    done = await reason([{form: FINAL["final"]}], mode=mode)
    assert [event.mode for event in done.of(RunStarted)] == [mode]


async def test_direct_mode_gives_the_same_events_twice_too(reason) -> None:
    answer = {"json": FINAL["final"]}
    one, two = [await reason([answer], mode=Mode.DIRECT) for _ in range(2)]
    assert one.types == two.types
    assert one.types.index("tool.called") < one.types.index("answer.delta")


async def test_an_unknown_tool_is_answered_with_those_that_exist(reason) -> None:
    done = await reason([{"calls": [{"les_tanker": {}}]}, SEARCH, FINAL])
    assert "sammenstill_svar" in done.said(1) and "les_tanker" in done.said(1)
    assert done.types[-1] == "run.completed"


async def test_a_name_that_no_tool_could_have_is_not_sent_back(reason) -> None:
    done = await reason([{"calls": [{"name": "søk etter; lov", "arguments": "{}"}]}, SEARCH, FINAL])
    (call,) = done.requests[1]["messages"][-2]["tool_calls"]
    assert call["function"]["name"].isascii() and " " not in call["function"]["name"]


@pytest.mark.parametrize(
    "arguments",
    ['{"query": "pan', "pant", '{"query": ', "[1]", "{" * 3000, '{"a":' * 20 + "1" + "}" * 20, '{"query": {"a": 1}}'],
)
async def test_arguments_that_cannot_be_read_are_answered_with_a_sentence(reason, arguments: str) -> None:
    broken = {"calls": [{"name": "search_lovdata_legal_documents", "arguments": arguments}]}
    done = await reason([broken, SEARCH, FINAL])
    (_, first, _) = done.of(ToolResult)
    assert first.error is not None and done.said(1) == first.error
    assert [c.section for c in done.answer.citations] == ["§3-2"]


@pytest.mark.parametrize("text", ["\\ud83d pant båteieren", "pant båteieren \\u0000", "pant båteieren \\ud83d\\ude00"])
async def test_half_characters_do_no_harm(reason, text: str) -> None:
    arguments = f'{{"query": "{text}", "year": 1e999, "page": NaN}}'
    odd = {"calls": [{"name": "search_lovdata_legal_documents", "arguments": arguments}]}
    done = await reason([odd, FINAL])
    assert done.types[-1] == "run.completed"
    assert [c.section for c in done.answer.citations] == ["§3-2"]


@pytest.mark.parametrize("section", ["x" * 400, "§ " + "9" * 400, "3-2" * 90])
async def test_a_section_name_beyond_all_bounds_is_not_found_and_no_more(reason, section: str) -> None:
    reading = {"calls": [{"hent_lovtekst": {"document": "lov/2999-01-01-1", "section": section}}]}
    done = await reason([reading, SEARCH, FINAL])
    assert "Fant ikke" in done.said(1)
    assert done.types[-1] == "run.completed"


@pytest.mark.parametrize(
    "habit", [{"usage": "none"}, {"ids": "none"}, {"index": "none", "ids": "same"}, {"finish": None}]
)
async def test_servers_may_leave_out_what_they_like(reason, habit: dict) -> None:
    done = await reason([{**SEVERAL, **habit}, {**FINAL, **habit}])
    assert [c.section for c in done.answer.citations] == ["§3-2"]
    assert done.answer.usage.tool_calls == 1 + 4
    assert done.answer.usage.estimated is (habit == {"usage": "none"})
    assert done.answer.usage.input_tokens > 0


async def test_a_server_without_parallel_calls_is_asked_once_for_each(reason) -> None:
    done = await reason([{"calls": [call]} for call in SEVERAL["calls"]] + [FINAL])
    assert done.types[-1] == "run.completed"
    assert done.answer.usage.tool_calls == 1 + 4


async def test_an_answer_that_is_cut_off_begins_again_and_says_so(reason) -> None:
    done = await reason([SEARCH, {**FINAL, "cut": 3600}, FINAL])
    restarts = [d.restart for d in done.of(AnswerDelta)]
    assert restarts.count(True) == 1 and restarts[0] is False
    assert drafts(done) == FINAL["final"]["answer"]
    assert done.answer.usage.model_calls == 3
    assert done.types.count("usage.updated") == 3


async def test_an_error_object_in_the_stream_is_tried_again(reason) -> None:
    half = {"text": '{"answer": "Pantet er', "finish": None, "error": {"message": "overloaded"}}
    done = await reason([SEARCH, half, FINAL])
    assert done.types[-1] == "run.completed"
    assert done.types.count("usage.updated") == 3


async def test_chunks_that_are_none_are_passed_over(reason) -> None:
    odd = {"raw": [{"choices": []}, [], {"choices": [{"delta": {"tool_calls": 7, "content": [7]}}]}]}
    done = await reason([odd, FINAL])
    assert done.types[-1] == "run.completed"


async def test_an_empty_list_of_choices_is_answered_with_a_word(reason) -> None:
    done = await reason([SEARCH, {"raw": [{"choices": []}]}, FINAL])
    assert "tomt" in done.said(2)
    assert done.types[-1] == "run.completed"


async def test_a_model_that_answers_at_once_answers_from_the_search_for_its_question(reason) -> None:
    done = await reason([FINAL])
    assert done.types.index("tool.called") < done.types.index("answer.delta")
    assert [c.section for c in done.answer.citations] == ["§3-2"]
    assert done.answer.usage.model_calls == 1


@pytest.mark.parametrize(
    "form",
    [
        {"text": "<think>{draft}</think>{json}"},
        {"text": "Jeg tenker … {draft} </think>\n{json}"},
        {"thoughts": "{draft}", "text": "{json}"},
        {"text": "Utkast: {draft}\nRettet:\n```json\n{json}\n```"},
        {"text": "{json}", "calls": [FIND]},
        {"text": "{json}", "whole": True},
    ],
    ids=["between marks", "an end alone", "a field", "a draft before it", "beside calls", "no stream"],
)
async def test_the_last_complete_answer_is_taken_and_no_thought(reason, form: dict) -> None:
    draft = final_json({"answer": "Pantet er på ti år [lovdata-1].", "citations": [HOLDS]})
    whole = final_json(FINAL["final"])
    said = {
        k: v.replace("{draft}", draft).replace("{json}", whole) if isinstance(v, str) else v for k, v in form.items()
    }
    done = await reason([said])
    assert "fire ukers båtleie [1]" in done.answer.answer_text and "ti år" not in done.answer.answer_text
    assert "ti år" not in drafts(done)


async def test_bytes_that_are_no_text_cost_a_quote_and_not_the_answer(reason) -> None:
    broken = {**FINAL, "invalid": True}
    done = await reason([broken, {"json": FINAL["final"]}])
    assert done.types[-1] == "run.completed"
    assert [c.section for c in done.answer.citations] == ["§3-2"]


async def test_more_than_a_reply_can_be_fails_clearly(reason) -> None:
    done = await reason([{"bytes": b"data: " + b"x" * 1024 * 1024, "times": 52}])
    assert len(done.requests) == 1
    assert done.types[-1] == "run.failed" or done.answer.citations


async def test_a_call_that_the_clock_stopped_is_counted_and_told(reason) -> None:
    done = await reason([{**SEARCH, "quiet": 60, "repeat": True}], seconds=0.8)
    assert [e.limit for e in done.of(RunLimitReached)] == ["seconds"]
    told = [e.usage.model_calls for e in done.of(UsageUpdated)]
    assert told == [1, 2, 2]
    assert done.answer.usage.model_calls == 2


async def test_an_answer_that_a_full_context_cuts_off_is_asked_for_again_with_more_room(reason, make_provision) -> None:
    long = make_provision(HOLDS[1], *["Pantet i båten kan være stort eller lite. " * 10] * 8, section="§3-2")
    cut_off = {"text": '{"answer": "Pant', "finish": "length", "usage": [4_080, 16]}
    done = await reason([SEARCH, cut_off, FINAL], search=MemorySearch([long]))
    sizes = [sum(len(m["content"] or "") for m in r["messages"]) for r in done.requests]
    assert sizes[2] < sizes[1]
    assert [c.section for c in done.answer.citations] == ["§3-2"]


async def test_a_context_that_is_full_whatever_is_left_out_is_not_asked_for_ever(reason) -> None:
    cut_off = {"text": '{"answer": "Pant', "finish": "length", "usage": [4_080, 16], "repeat": True}
    done = await reason([SEARCH, cut_off])
    assert len(done.requests) < 10
    assert done.types[-1] == "run.completed" and done.answer.fallback == "model_unverified"


async def test_an_answer_as_long_as_it_may_be_is_not_asked_for_again(reason) -> None:
    whole = {**FINAL, "finish": "length", "usage": [1_000, 2_990]}
    done = await reason([SEARCH, whole])
    assert [c.section for c in done.answer.citations] == ["§3-2"]


async def test_in_direct_mode_what_was_found_is_cut_when_it_is_too_long(reason, make_provision) -> None:
    long = make_provision(HOLDS[1], *["Pantet i båten kan være stort eller lite. " * 10] * 8, section="§3-2")
    refusal = {"status": 400, "message": "the request exceeds the available context size, try increasing it"}
    answer = {"json": FINAL["final"]}
    done = await reason([refusal, refusal, answer], search=MemorySearch([long]), mode=Mode.DIRECT)
    sizes = [sum(len(m["content"]) for m in r["messages"]) for r in done.requests]
    assert sizes[2] < sizes[0]
    assert [c.section for c in done.answer.citations] == ["§3-2"]


async def test_a_conversation_that_a_server_finds_too_long_is_sent_again_shorter(reason, make_provision) -> None:
    long = make_provision(HOLDS[1], *["Pantet i båten kan være stort eller lite. " * 10] * 8, section="§3-2")
    refusal = {"status": 400, "message": "the request exceeds the available context size, try increasing it"}
    done = await reason([SEARCH, refusal, refusal, FINAL], search=MemorySearch([long]))
    sizes = [sum(len(m["content"] or "") for m in r["messages"]) for r in done.requests]
    assert done.types[-1] == "run.completed"
    assert sizes[3] < sizes[1]
    assert done.requests[3]["messages"][1]["content"] == "Hvor mye kan båteieren kreve i pant?"


async def test_a_server_that_finds_everything_too_long_leaves_the_question_to_quotes(reason) -> None:
    refusal = {"status": 400, "message": "maximum context length is 2 tokens", "repeat": True}
    done = await reason([refusal])
    assert done.answer.fallback == "model_failed"
    assert [c.section for c in done.answer.citations] == ["§3-2"]
    assert len(done.requests) < 10


async def test_a_model_that_writes_without_end_is_stopped(reason) -> None:
    endless = {"json": {"answer": "Pantet skal betales. " * 20_000}, "size": 4_000}
    done = await reason([SEARCH, endless, FINAL], output_tokens=200)
    assert done.types[-1] == "run.completed"
    assert [c.section for c in done.answer.citations] == ["§3-2"]


async def test_a_call_that_failed_may_be_made_again(reason, corpus) -> None:
    class FailsOnce(MemorySearch):
        failed = False

        async def find(self, request):
            if not self.failed:
                self.failed = True
                raise ProblemError(Problem(type=ProblemType.INTERNAL, title="x", detail="Indeksen er nede."))
            return await super().find(request)

    done = await reason([SEARCH, SEARCH, FINAL], search=FailsOnce(corpus))
    assert [bool(r.error) for r in done.of(ToolResult)] == [True, False, True]
    assert "Indeksen er nede." in done.said(0)
    assert done.types[-1] == "run.completed"


async def test_a_call_made_twice_is_told_that_what_it_gave_stands_above(reason) -> None:
    done = await reason([SEARCH, SEARCH, FINAL])
    assert "alt gjort" in done.said(2) and "fire ukers båtleie" not in done.said(2)
    assert any("fire ukers båtleie" in (m["content"] or "") for m in done.requests[2]["messages"])


async def test_an_invented_filter_is_dropped_and_the_page_is_not(reason) -> None:
    invented = {"calls": [{"search_lovdata_legal_documents": {"query": "pant båteieren", "year": 2023, "page": 2}}]}
    done = await reason([invented, FINAL])
    assert "year=2023 sto ikke i spørsmålet" in done.said(1) and "på side 2" in done.said(1)
    assert [c.section for c in done.answer.citations] == ["§3-2"]


async def test_a_quote_that_does_not_hold_is_sent_back_once_and_then_reported(reason) -> None:
    wrong = {
        "final": {
            "answer": "Båteieren kan kreve pant [lovdata-1].",
            "citations": [HOLDS, ["lovdata-1", "Pantet er på ti år"]],
        }
    }
    done = await reason([SEARCH, wrong, {"json": wrong["final"]}])
    assert "Pantet er på ti år" in done.said(2)
    assert done.types.count("citation.rejected") == 1
    assert [c.quote for c in done.answer.citations] == [HOLDS[1]]
    assert [r.quote for r in done.answer.rejected] == ["Pantet er på ti år"]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Hvem rydder etter bygdefest?", "har ikke trådt i kraft"),
        ("Kven ryddar etter bygdefest, og korleis?", "har ikkje teke til å gjelde"),
        ("Who must clean up after the feast?", "has not entered into force"),
    ],
)
async def test_a_provision_that_is_not_law_yet_is_said_to_be_so(reason, question: str, words: str) -> None:
    quote = ["lovdata-1", "rydder plassen innen to dager"]
    final = {"final": {"answer": "Den som holder festen [lovdata-1].", "citations": [quote]}}
    done = await reason(
        [{"calls": [{"search_lovdata_legal_documents": {"query": "rydder bygdefest"}}]}, final], question
    )
    assert words in done.answer.answer_text and words in done.answer.answer_html


@pytest.mark.parametrize(
    ("question", "says", "mark"),
    [
        ("Hvor mye pant?", "Etter §§ 3-2 eller 99-9 og lov om fantasi er det slik [lovdata-1].", "(ikke funnet)"),
        (
            "Kor mykje pant, og korleis?",
            "Etter paragrafane 3-2 og 99-9 og fantasilova er det slik [lovdata-1].",
            "(ikkje funnen)",
        ),
        ("How much is the pledge?", "Sections 3-2 and 99-9 of the Fantasy Act say so [lovdata-1].", "(not found)"),
    ],
)
async def test_what_does_not_resolve_is_marked_in_the_questions_language(reason, question, says, mark) -> None:
    done = await reason([SEARCH, {"final": {"answer": says, "citations": [HOLDS]}}], question)
    assert done.answer.answer_text.count(mark) == 2
    assert f"99-9 {mark}" in done.answer.answer_text
    assert len(done.answer.unresolved) == done.types.count("citation.rejected") == 2


async def test_a_decision_whose_title_names_an_unknown_section_is_marked(reason, decisions) -> None:
    (decision,) = decisions
    titled = decision.model_copy(update={"title": "Om båtleieloven § 99-9"})
    quote = ["serper-1", "pant også kan dekke slep av båten til land"]
    both = {"calls": [FIND, {"search_lovdata_legal_practice": {"query": "pant båt"}}]}
    done = await reason(
        [both, {"final": {"answer": "Retten mente at pantet kan dekke slep [serper-1].", "citations": [quote]}}],
        practice=[titled],
    )
    assert "§ 99-9 (ikke funnet)" in done.answer.answer_text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Hvor mye kan båteieren kreve i pant?", "Språkmodellen ga ikke noe svar som kunne kontrolleres."),
        ("Kor mykje pant, og korleis?", "Språkmodellen gav ikkje noko svar som kunne kontrollerast."),
        ("How much can the owner demand?", "The language model gave no answer that could be verified."),
    ],
)
async def test_when_nothing_holds_the_law_is_quoted_instead(reason, question: str, words: str) -> None:
    nothing = {"final": {"answer": "Jeg tror ti år.", "citations": [["lovdata-1", "ti års leie"]]}}
    done = await reason([SEARCH, nothing, {"json": nothing["final"]}], question)
    assert words in done.answer.answer_text
    assert "ti år" not in done.answer.answer_text
    assert done.answer.fallback == "model_unverified" and done.answer.mode is Mode.AGENT


async def test_an_answer_without_words_is_sent_back_once(reason) -> None:
    done = await reason([SEARCH, {"final": {"answer": "", "citations": [HOLDS]}}, {"json": FINAL["final"]}])
    assert "fire ukers båtleie [1]" in done.answer.answer_text


async def test_search_that_is_gone_at_the_end_leaves_references_unchecked_and_the_run_in_time(reason, corpus) -> None:
    class Gone(MemorySearch):
        async def resolve(self, request):
            raise ProblemError(Problem(type=ProblemType.UNAVAILABLE, title="x", detail="Borte.", retryable=True))

    says = {"final": {"answer": "Etter båtleieloven § 3-2 [lovdata-1].", "citations": [HOLDS]}}
    began = asyncio.get_running_loop().time()
    done = await reason([SEARCH, says], QuestionAsked(question="Hvor mye pant?"), search=Gone(corpus), patience=30.0)
    assert "(ikke kontrollert)" in done.answer.answer_text
    assert asyncio.get_running_loop().time() - began < 10


async def test_search_that_never_replies_at_the_end_keeps_the_run_within_its_wall_time(reason, corpus) -> None:
    class Silent(MemorySearch):
        async def resolve(self, request):
            await asyncio.Event().wait()

    says = {"final": {"answer": "Etter båtleieloven § 3-2 og fantasiloven § 9 [lovdata-1].", "citations": [HOLDS]}}
    async with asyncio.timeout(10):
        done = await reason([SEARCH, says], "Hvor mye pant?", search=Silent(corpus), seconds=2.0)
    assert done.answer.answer_text.count("(ikke kontrollert)") == 2
    assert [c.section for c in done.answer.citations] == ["§3-2"]
