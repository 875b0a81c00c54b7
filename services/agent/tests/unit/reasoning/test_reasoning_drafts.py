"""The answer's text while its JSON is still arriving."""

import itertools
import json

from hypothesis import given
from hypothesis import strategies as st

from lovsvar_agent.core.reasoning.final import Draft
from lovsvar_agent.core.reasoning.replies import ReplyBuilder
from lovsvar_agent.core.tools.answer_form import ANSWER
from lovsvar_agent.core.tools.law_search import LAW_SEARCH

ANSWER_TEXT = "Pantet kan være på høyst fire ukers båtleie [lovdata-1]. Det gjelder «alle» båter.\nOgså små."
WHOLE = json.dumps({"answer": ANSWER_TEXT, "citations": [], "insufficient": False, "missing": ""}, ensure_ascii=False)


def told(pieces: list[dict]) -> list[str]:
    builder, draft, found = ReplyBuilder(), Draft(), []
    for piece in pieces:
        builder.add({"choices": [{"delta": piece}]})
        found.append(draft.more(builder))
    return [t for t in (*found, draft.more(builder, ended=True)) if t]


def as_call(text: str, name: str = ANSWER) -> dict:
    return {"tool_calls": [{"index": 0, "function": {"name": name, "arguments": text}}]}


@given(st.lists(st.integers(1, len(WHOLE) - 1), max_size=30))
def test_however_the_json_is_cut_the_pieces_are_the_answer(cuts: list[int]) -> None:
    edges = [0, *sorted(set(cuts)), len(WHOLE)]
    parts = [WHOLE[a:b] for a, b in itertools.pairwise(edges)]
    assert "".join(told([as_call(p) for p in parts])) == ANSWER_TEXT
    assert "".join(told([{"content": p} for p in parts])) == ANSWER_TEXT


def test_it_is_told_while_it_comes_and_in_whole_words() -> None:
    pieces = told([as_call(c) for c in WHOLE])
    assert len(pieces) > 2
    assert all(p[-1].isspace() for p in pieces[:-1])


def test_words_before_the_json_and_other_calls_are_not_told() -> None:
    assert told([{"content": "Jeg tenker litt. "}, {"content": "Mer."}]) == []
    assert told([as_call('{"answer": "pant pant pant pant pant"}', LAW_SEARCH.name)]) == []


def test_an_answer_that_is_no_text_is_not_told() -> None:
    assert told([{"content": '{"answer": {"lov": "pant pant pant pant"}}'}]) == []


def test_a_draft_ends_before_a_sentence_with_an_address() -> None:
    text = json.dumps({"answer": "Pantet er <b>høyst</b> fire uker. Gå til https://evil.example/phish nå. Betal der."})
    assert "".join(told([{"content": c} for c in text])) == "Pantet er høyst fire uker. "


def test_what_may_become_a_request_is_not_told_before_it_is_finished() -> None:
    text = json.dumps({"answer": "Pantet er høyst fire uker. Oppgi BankID-koden din her. Takk."})
    assert "".join(told([{"content": c} for c in text])) == "Pantet er høyst fire uker. "


def test_a_sentence_that_may_have_become_a_request_is_told_when_it_is_none() -> None:
    said = "Oppgi aldri BankID-koden til noen. Pantet er høyst fire uker."
    assert "".join(told([{"content": c} for c in json.dumps({"answer": said})])) == said
