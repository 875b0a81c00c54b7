"""What follows from a reply."""

import json

import pytest

from lovsvar_agent.core.reasoning import prompts
from lovsvar_agent.core.reasoning.replies import Call, Reply
from lovsvar_agent.core.reasoning.turns import MAX_PUSHES, Accept, Progress, Push, UseTools
from lovsvar_agent.core.tools.answer_form import ANSWER
from lovsvar_agent.core.tools.law_search import LAW_SEARCH
from lovsvar_agent.core.tools.outline import OUTLINE

FIND = Call(LAW_SEARCH.name, '{"query": "pant"}')

TOOLS = {LAW_SEARCH.name, OUTLINE.name}


def answer(**more: object) -> Reply:
    return Reply("", (Call(ANSWER, json.dumps({"answer": "Fire uker.", "citations": [], **more})),))


def test_calls_are_carried_out() -> None:
    assert Progress(TOOLS).next_turn(Reply("", (FIND,))) == UseTools([FIND])


def test_a_complete_answer_beside_calls_is_taken() -> None:
    held = json.dumps({"answer": "x", "citations": [{"evidenceId": "lovdata-1", "quote": "y"}]})
    for both in (Reply("", (Call(ANSWER, held), FIND)), Reply(held, (FIND,))):
        turn = Progress(TOOLS).next_turn(both)
        assert isinstance(turn, Accept) and turn.final.answer == "x"


@pytest.mark.parametrize(
    "half",
    [
        '{"answer": "x"}',
        '{"answer": "x", "citations": [{"evidenceId": "lovdata-1", "quote": "y"}], "insufficient": true}',
        '{"citations": [{"evidenceId": "lovdata-1", "quote": "y"}], "answer": "x',
    ],
    ids=["without quotes", "not enough", "cut off"],
)
def test_an_answer_beside_calls_that_is_not_complete_waits_for_their_results(half: str) -> None:
    assert Progress(TOOLS).next_turn(Reply("", (Call(ANSWER, half), FIND))) == UseTools([FIND])


def test_a_call_written_as_text_is_carried_out() -> None:
    turn = Progress(TOOLS).next_turn(
        Reply(json.dumps({"name": OUTLINE.name, "arguments": {"document": "båtleieloven"}}))
    )
    assert isinstance(turn, UseTools) and turn.calls[0].name == OUTLINE.name


def test_an_answer_is_taken() -> None:
    turn = Progress(TOOLS).next_turn(answer())
    assert isinstance(turn, Accept) and turn.final.answer == "Fire uker."


def test_an_empty_reply_is_answered_with_a_word() -> None:
    assert Progress(TOOLS).next_turn(Reply("  ")) == Push(prompts.NOTHING_SAID)


def test_an_insufficient_answer_leads_to_another_search() -> None:
    turn = Progress(TOOLS).next_turn(answer(insufficient=True, missing="fristen"))
    assert isinstance(turn, Push) and "fristen" in turn.word


def test_a_model_that_insists_means_it() -> None:
    progress = Progress(TOOLS)
    progress.next_turn(answer(insufficient=True))
    turn = progress.next_turn(answer(insufficient=True))
    assert isinstance(turn, Accept) and turn.final.insufficient


def test_it_is_sent_on_so_many_times_and_no_more() -> None:
    progress, pushes = Progress(TOOLS), 0
    while isinstance(progress.next_turn(answer(insufficient=True)), Push):
        pushes += 1
        progress.next_turn(Reply("", (FIND,)))
    assert pushes == MAX_PUSHES
