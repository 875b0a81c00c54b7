"""A reply put together from its pieces."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovsvar_agent.core.reasoning.replies import Call, ReplyBuilder, Spent


def built(*chunks: dict):
    builder = ReplyBuilder()
    for chunk in chunks:
        builder.add(chunk)
    return builder.build()


def delta(finish: str | None = None, **fields) -> dict:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def call(index: int | None = 0, id_: str | None = None, **function) -> dict:
    part = {"index": index, "id": id_, "type": "function", "function": function}
    return {k: v for k, v in part.items() if v is not None}


@given(st.lists(st.dictionaries(st.text(max_size=8), st.text(max_size=20), max_size=3), min_size=1, max_size=4))
def test_calls_cut_at_every_character_are_put_together(arguments: list[dict]) -> None:
    written = [json.dumps(a, ensure_ascii=False) for a in arguments]
    chunks = []
    for index, text in enumerate(written):
        chunks.append(delta(tool_calls=[call(index, f"id-{index}", name=f"verktøy{index}", arguments="")]))
        chunks += [delta(tool_calls=[call(index, arguments=c)]) for c in text]
    reply = built(*chunks, delta("tool_calls"))
    assert [c.name for c in reply.calls] == [f"verktøy{n}" for n in range(len(written))]
    assert [json.loads(c.arguments) for c in reply.calls] == arguments


def test_calls_whose_pieces_come_by_turns_are_told_apart_by_their_index() -> None:
    parts = [call(0, "a", name="x", arguments=""), call(1, "b", name="y", arguments="")]
    turns = [delta(tool_calls=[call(n % 2, arguments=c)]) for n, c in enumerate("{{}}")]
    assert built(delta(tool_calls=parts), *turns).calls == (Call("x", "{}"), Call("y", "{}"))


def test_two_calls_in_one_piece_without_index_and_id_are_two() -> None:
    parts = [call(None, name="x", arguments="{}"), call(None, name="y", arguments="{}")]
    assert [c.name for c in built(delta(tool_calls=parts)).calls] == ["x", "y"]


def test_arguments_may_come_as_an_object() -> None:
    reply = built(delta(tool_calls=[call(name="x", arguments={"query": "pant på båt"})]))
    assert json.loads(reply.calls[0].arguments) == {"query": "pant på båt"}


def test_a_name_given_again_is_not_doubled() -> None:
    pieces = [delta(tool_calls=[call(0, "a", name="x", arguments=c)]) for c in ("{", "}")]
    assert built(*pieces).calls == (Call("x", "{}"),)


def test_a_call_without_a_name_is_none() -> None:
    assert built(delta(tool_calls=[call(0, "a", arguments="{}")])).calls == ()


def test_content_may_come_in_parts() -> None:
    assert built(delta(content=[{"type": "text", "text": "Ja"}, {"type": "x"}]), delta(content=".")).text == "Ja."


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("<think>Kanskje.</think>Ja.", "Ja."),
        ("Kanskje. </think>Ja.", "Ja."),
        ("[THINK]Kanskje.[/THINK]Ja.", "Ja."),
        ("<think>Kanskje", ""),
        ("Ja.<think>Kanskje.</think> Nei.", "Ja. Nei."),
        ("Ja, se [lovdata-1] og <kilde>.", "Ja, se [lovdata-1] og <kilde>."),
    ],
)
def test_thoughts_between_marks_are_not_said(written: str, said: str) -> None:
    assert built(delta(content=written)).text == said
    assert built(*(delta(content=c) for c in written)).text == said


def test_thoughts_in_a_field_are_counted_and_not_said() -> None:
    builder = ReplyBuilder()
    builder.add(delta(content="Ja.", reasoning="Kanskje."))
    assert (builder.text, builder.size) == ("Ja.", len("Ja.Kanskje."))


def test_a_whole_message_in_place_of_a_delta_is_read() -> None:
    assert built({"choices": [{"message": {"content": "Ja."}, "finish_reason": "stop"}]}).finish == "stop"


def test_a_character_cut_in_two_chunks_is_whole_in_the_end() -> None:
    assert built(delta(content="a\ud83d"), delta(content="\ude00b")).text == "a😀b"


def test_half_a_character_alone_can_be_sent_on() -> None:
    reply = built(delta(content="a\ud83d", tool_calls=[call(name="x", arguments='{"q": "\udc00"}')]))
    assert (reply.text + reply.calls[0].arguments).encode()


@pytest.mark.parametrize(
    "usage", [None, {}, "mye", {"prompt_tokens": "ti"}, {"prompt_tokens": -1, "completion_tokens": None}]
)
def test_usage_that_says_nothing_is_none(usage: object) -> None:
    assert built({"choices": [], "usage": usage}).spent is None


def test_the_last_usage_counts() -> None:
    counts = [{"usage": {"prompt_tokens": n, "completion_tokens": 1}} for n in (1, 7)]
    assert built(*counts).spent == Spent(7, 1)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "delta", "tool_calls", "function", "name", "arguments", "content", "usage", "index", "id"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(st.lists(st.dictionaries(st.sampled_from(["choices", "usage"]), anything, max_size=2), max_size=4))
def test_no_chunk_is_so_odd_that_it_raises(chunks: list[dict]) -> None:
    assert isinstance(built(*chunks).text, str)
