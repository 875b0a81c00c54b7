"""What follows from a reply."""

import json

import pytest

from lovsvar_agent.core.reasoning import prompts
from lovsvar_agent.core.reasoning.replies import Call, Reply
from lovsvar_agent.core.reasoning.turns import MAX_PUSHES, Accept, Progress, Push, SearchForIt, UseTools
from lovsvar_agent.core.tools.answer_form import ANSWER
from lovsvar_agent.core.tools.law_search import LAW_SEARCH
from lovsvar_agent.core.tools.outline import OUTLINE

FIND = Call(LAW_SEARCH.name, '{"query": "pant"}')

TOOLS = {LAW_SEARCH.name, OUTLINE.name}


def answer(**more: object) -> Reply:
    return Reply("", (Call(ANSWER, json.dumps({"answer": "Fire uker.", "citations": [], **more})),))


def test_calls_are_carried_out() -> None:
    assert Progress(TOOLS).next_turn(Reply("", (FIND,))) == UseTools([FIND])


def test_an_answer_beside_calls_is_passed_over_since_it_has_not_read_their_results() -> None:
    both = Reply("", (Call(ANSWER, '{"answer": "x"}'), FIND))
    assert Progress(TOOLS, searched=True).next_turn(both) == UseTools([FIND])


def test_a_call_written_as_text_is_carried_out() -> None:
    turn = Progress(TOOLS).next_turn(
        Reply(json.dumps({"name": OUTLINE.name, "arguments": {"document": "båtleieloven"}}))
    )
    assert isinstance(turn, UseTools) and turn.calls[0].name == OUTLINE.name


@pytest.mark.parametrize("reply", [answer(), Reply("Fire uker."), Reply(""), answer(insufficient=True)])
def test_nothing_is_answered_before_something_was_searched(reply: Reply) -> None:
    assert Progress(TOOLS).next_turn(reply) == Push(prompts.SEARCH_FIRST)


@pytest.mark.parametrize("reply", [answer(), Reply("Fire uker."), Reply("")])
def test_for_a_model_that_was_told_to_search_and_does_not_the_agent_searches(reply: Reply) -> None:
    progress = Progress(TOOLS)
    progress.next_turn(Reply("Fire uker."))
    assert progress.next_turn(reply) == SearchForIt()


def test_an_answer_after_a_search_is_taken() -> None:
    turn = Progress(TOOLS, searched=True).next_turn(answer())
    assert isinstance(turn, Accept) and turn.final.answer == "Fire uker."


def test_an_empty_reply_is_answered_with_a_word() -> None:
    assert Progress(TOOLS, searched=True).next_turn(Reply("  ")) == Push(prompts.NOTHING_SAID)


def test_an_insufficient_answer_leads_to_another_search() -> None:
    turn = Progress(TOOLS, searched=True).next_turn(answer(insufficient=True, missing="fristen"))
    assert isinstance(turn, Push) and "fristen" in turn.word


def test_a_model_that_insists_means_it() -> None:
    progress = Progress(TOOLS, searched=True)
    progress.next_turn(answer(insufficient=True))
    turn = progress.next_turn(answer(insufficient=True))
    assert isinstance(turn, Accept) and turn.final.insufficient


def test_it_is_sent_on_so_many_times_and_no_more() -> None:
    progress, pushes = Progress(TOOLS, searched=True), 0
    while isinstance(progress.next_turn(answer(insufficient=True)), Push):
        pushes += 1
        progress.next_turn(Reply("", (FIND,)))
    assert pushes == MAX_PUSHES
