"""What has been said, kept small enough to send."""

import json

from hypothesis import given
from hypothesis import strategies as st

from lovsvar_agent.core.reasoning.conversation import CUT, ELIDED, STOPPED, Conversation, estimated_tokens
from lovsvar_agent.core.reasoning.fencing import fenced
from lovsvar_agent.core.reasoning.replies import Call


def source(number: int, words: int = 200) -> str:
    return fenced("pant " * words, id=f"lovdata-{number}", navn=f"Båtleieloven § {number}")


def with_results(*results: str) -> Conversation:
    conversation = Conversation("regler", "Hvor mye pant?")
    for result in results:
        conversation.call("", [(Call("x", "{}"), {})])
        conversation.result(result)
    return conversation


def size(messages) -> int:
    return sum(estimated_tokens(str(m.get("content") or "")) for m in messages)


def test_every_result_answers_its_own_call() -> None:
    conversation = Conversation("regler", "?")
    conversation.call("", [(Call("x", "{}"), {"q": 1}), (Call("y", "{"), {})])
    conversation.result("en")
    conversation.result("to")
    call, first, second = conversation.fitted(10_000)[2:]
    ids = [c["id"] for c in call["tool_calls"]]
    assert len(set(ids)) == 2
    assert [(m["tool_call_id"], m["content"]) for m in (first, second)] == list(zip(ids, ("en", "to"), strict=True))


def test_broken_arguments_are_sent_back_as_they_were_understood() -> None:
    conversation = Conversation("regler", "?")
    conversation.call("", [(Call("x", '{"query": "pa'), {})])
    assert json.loads(conversation.fitted(10_000)[-1]["tool_calls"][0]["function"]["arguments"]) == {}


def test_calls_that_were_stopped_are_answered_before_anything_is_said() -> None:
    conversation = Conversation("regler", "?")
    conversation.call("", [(Call("x", "{}"), {}), (Call("y", "{}"), {})])
    conversation.say("Gi svaret.")
    assert [m["content"] for m in conversation.fitted(10_000)[-3:]] == [STOPPED, STOPPED, "Gi svaret."]


def test_the_oldest_results_are_left_out_first_and_their_sources_stay_known() -> None:
    messages = with_results(*(source(n) for n in range(1, 5))).fitted(1_000)
    contents = [m["content"] for m in messages if m["role"] == "tool"]
    assert contents[0] == f"{ELIDED}\nlovdata-1: Båtleieloven § 1"
    assert contents[-1] == source(4)


def test_results_that_fit_stay_whole() -> None:
    messages = with_results(source(1), source(2), source(3)).fitted(5_000)
    assert ELIDED not in json.dumps(messages)


def test_the_newest_result_is_cut_when_it_alone_is_too_long_and_its_fence_is_closed() -> None:
    content = with_results(source(1, 5_000)).fitted(800)[-1]["content"]
    assert content.endswith(f"</kilde>\n{CUT}")
    assert content.count("<kilde ") == content.count("</kilde>") == 1


@given(st.lists(st.integers(0, 3_000), max_size=8), st.integers(300, 3_000))
def test_whatever_was_found_the_conversation_fits(words: list[int], tokens: int) -> None:
    conversation = with_results(*(source(n, count) for n, count in enumerate(words, start=1)))
    conversation.exchange("svar " * 2_000, "Prøv igjen.")
    messages = conversation.fitted(tokens)
    assert size(messages) <= max(tokens, 100 * (len(words) + 2))
    assert [m["content"] for m in (*messages[:2], messages[-1])] == ["regler", "Hvor mye pant?", "Prøv igjen."]


def test_making_it_fit_forgets_nothing() -> None:
    conversation = with_results(source(1), source(2), source(3))
    conversation.fitted(200)
    assert ELIDED not in json.dumps(conversation.fitted(10_000))
