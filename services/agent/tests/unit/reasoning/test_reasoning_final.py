"""The answer a model gives, read from whatever form it came in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_agent.core.reasoning.final import MAX_CITATIONS, Claim, calls_in_text, final_of, plain
from lovsvar_agent.core.reasoning.replies import Call, Reply
from lovsvar_agent.core.tools.answer_form import ANSWER
from lovsvar_agent.core.tools.law_search import LAW_SEARCH

WHOLE = {
    "answer": "Fire uker [lovdata-1].",
    "citations": [{"evidenceId": "lovdata-1", "quote": "fire uker"}, {"evidenceId": "lovdata-2", "quote": "ti dager"}],
    "insufficient": False,
    "missing": "",
}
TEXT = json.dumps(WHOLE, ensure_ascii=False)
CLAIMS = (Claim("lovdata-1", "fire uker"), Claim("lovdata-2", "ti dager"))


@pytest.mark.parametrize(
    "reply",
    [
        Reply("", (Call(ANSWER, TEXT),)),
        Reply(TEXT),
        Reply(f"Selvsagt!\n```json\n{TEXT}\n```"),
        Reply(json.dumps({"name": ANSWER, "arguments": WHOLE})),
        Reply(json.dumps({"name": ANSWER, "parameters": TEXT})),
    ],
    ids=["a call", "text", "in a fence", "a call as text", "a call as text twice coded"],
)
def test_the_same_answer_is_read_from_every_form(reply: Reply) -> None:
    final = final_of(reply)
    assert final is not None
    assert (final.answer, final.claims, final.insufficient) == (WHOLE["answer"], CLAIMS, False)


@given(st.integers(0, len(TEXT)))
def test_an_answer_cut_off_anywhere_keeps_what_came_whole(at: int) -> None:
    final = final_of(Reply("", (Call(ANSWER, TEXT[:at]),), "length"))
    if final is not None:
        assert str(WHOLE["answer"]).startswith(final.answer)
        assert all(any(full.quote.startswith(c.quote) for full in CLAIMS) for c in final.claims)


@pytest.mark.parametrize(
    "text", ["", "Fire uker.", "{}", '{"answer": 7}', '{"answer": ["a"]}', "[1, 2]", '{"svar": "ja"}', "{{{{"]
)
def test_what_is_no_answer_is_none(text: str) -> None:
    assert final_of(Reply(text)) is None


def test_words_alone_are_an_answer_without_citations() -> None:
    assert plain(Reply("  Fire uker. ")).claims == ()
    assert plain(Reply("  Fire uker. ")).answer == "Fire uker."


def test_citations_that_are_none_are_left_out_and_doubles_are_one() -> None:
    odd = [7, {}, {"evidenceId": 1, "quote": "x"}, {"evidence_id": "[lovdata-1]", "quote": "a"}] + [
        {"evidenceId": "lovdata-1", "quote": "a"}
    ] * 2
    final = final_of(Reply(json.dumps({"answer": "x", "citations": odd})))
    assert final is not None and final.claims == (Claim("lovdata-1", "a"),)


def test_no_more_than_so_many_citations_are_read() -> None:
    many = [{"evidenceId": "lovdata-1", "quote": str(n)} for n in range(200)]
    final = final_of(Reply(json.dumps({"answer": "x", "citations": many})))
    assert final is not None and len(final.claims) == MAX_CITATIONS


def test_a_call_that_leaked_as_text_is_a_call() -> None:
    written = json.dumps({"name": LAW_SEARCH.name, "arguments": {"query": "pant"}})
    leaked = Reply(f"<tool_call>{written}</tool_call>")
    (call,) = calls_in_text(leaked, {LAW_SEARCH.name})
    assert (call.name, json.loads(call.arguments)) == (LAW_SEARCH.name, {"query": "pant"})


@pytest.mark.parametrize("text", [TEXT, '{"name": "noe_annet", "arguments": {}}', "pant", '{"name": ["x"]}'])
def test_other_text_is_no_call(text: str) -> None:
    assert calls_in_text(Reply(text), {LAW_SEARCH.name}) == ()
