"""What has been said, kept small enough to send."""

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from lovsvar_agent.core.reasoning.conversation import CUT, ELIDED, READ, Conversation, estimated_tokens
from lovsvar_agent.core.reasoning.replies import Call
from lovsvar_agent.core.reasoning.untrusted_text import fenced


def source(number: int, words: int = 200) -> str:
    return fenced("pant " * words, id=f"lovdata-{number}", navn=f"Båtleieloven § {number}")


def with_results(*results: str) -> Conversation:
    conversation = Conversation("regler", "Hvor mye pant?")
    for result in results:
        conversation.call("", Call("x", "{}"), {}, result)
    return conversation


def size(messages) -> int:
    return sum(estimated_tokens(str(m.get("content") or "")) for m in messages)


def test_every_call_is_a_message_of_its_own_with_its_result_behind_it() -> None:
    messages = with_results("en", "to").fitted(10_000)
    assert [m["role"] for m in messages[2:]] == ["assistant", "tool", "assistant", "tool"]
    ids = [call["id"] for m in messages[2::2] for call in m["tool_calls"]]
    assert [(m["tool_call_id"], m["content"]) for m in messages[3::2]] == list(zip(ids, ("en", "to"), strict=True))
    assert len(set(ids)) == 2


def test_the_id_of_a_call_is_nine_letters_and_digits() -> None:
    (_, call, _) = with_results("en").fitted(10_000)[1:]
    assert re.fullmatch("[a-zA-Z0-9]{9}", call["tool_calls"][0]["id"])


def test_broken_arguments_are_sent_back_as_they_were_understood() -> None:
    conversation = Conversation("regler", "?")
    conversation.call("", Call("x", '{"query": "pa'), {}, "ingenting")
    assert json.loads(conversation.fitted(10_000)[-2]["tool_calls"][0]["function"]["arguments"]) == {}


def test_what_the_user_says_in_a_row_is_one_message() -> None:
    conversation = Conversation("regler", "Hvor mye pant?")
    conversation.exchange("Vet ikke.", "Søk først.")
    conversation.say("Gi svaret.")
    assert [m["role"] for m in conversation.fitted(10_000)] == ["system", "user", "assistant", "user"]
    assert conversation.fitted(10_000)[-1]["content"] == "Søk først.\n\nGi svaret."


def test_between_a_result_and_what_the_user_says_the_model_has_a_word() -> None:
    conversation = with_results("en")
    conversation.say("Gi svaret.")
    assert [(m["role"], m["content"]) for m in conversation.fitted(10_000)[-2:]] == [
        ("assistant", READ),
        ("user", "Gi svaret."),
    ]


def test_what_was_found_without_a_call_is_cut_like_a_result_and_the_question_is_not() -> None:
    conversation = Conversation("regler", "Hvor mye pant?")
    conversation.show("Jeg søker.", source(1, 5_000))
    messages = conversation.fitted(800)
    assert size(messages) <= 800
    assert messages[-1]["content"].endswith(f"</kilde>\n{CUT}")
    assert messages[1]["content"] == "Hvor mye pant?"


def test_calls_and_results_can_be_told_in_words_by_turns() -> None:
    conversation = with_results("en", source(2, 5_000))
    conversation.in_words()
    messages = conversation.fitted(800)
    assert [m["role"] for m in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert all(m.keys() == {"role", "content"} and m["content"] for m in messages)
    assert size(messages) <= 800


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
