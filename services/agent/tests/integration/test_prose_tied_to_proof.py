"""What a model writes over its quotes, and what the user sees of it."""

import pytest

from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_contracts.questions import FlagReason

PLEDGE = ["lovdata-1", "Pantet kan være på høyst fire ukers båtleie"]
SEARCH = {"calls": [{"search_lovdata_legal_documents": {"query": "pant båteieren"}}]}
NB = WORDINGS["nb"]


def says(answer: str, *citations: list[str]) -> list[dict]:
    """Return a script in which the model gives one answer, and the same again when it is sent back."""
    return [SEARCH, {"final": {"answer": answer, "citations": list(citations)}, "repeat": True}]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("Pantet kan være på høyst ni ukers leie [lovdata-1].", FlagReason.QUANTITY),
        ("Pantet kan ikke være på fire ukers båtleie [lovdata-1].", FlagReason.NEGATION),
        ("Pantet skal være på fire ukers båtleie [lovdata-1].", FlagReason.MODALITY),
    ],
)
async def test_prose_that_its_quote_speaks_against_is_removed_and_listed(reason, answer: str, why: FlagReason) -> None:
    held = "Båteieren kan kreve at låntakeren stiller pant [lovdata-1]."
    done = await reason(says(f"{held} {answer}", PLEDGE))
    (flag,) = done.answer.flagged
    assert (flag.why, flag.evidence_ids, flag.removed) == (why, ("lovdata-1",), True)
    assert answer.split(" [", maxsplit=1)[0] not in done.answer.answer_text
    assert "Båteieren kan kreve at låntakeren stiller pant [1]." in done.answer.answer_text
    assert NB.flags[why].format(count=1) in done.answer.answer_text
    assert flag.sentence in done.said(2), "the model is asked once to put it right"


@pytest.mark.parametrize("quote", ["skal", "1", "på"])
async def test_a_quote_that_says_nothing_proves_nothing(reason, quote: str) -> None:
    done = await reason(says("Båteieren kan kreve depositum av alle [lovdata-1].", ["lovdata-1", quote]))
    assert [c for c in done.answer.citations if c.quote == quote] == []
    assert "depositum av alle" not in done.answer.answer_text


async def test_a_quote_cut_before_its_condition_is_shown_with_it(reason) -> None:
    cut = ["lovdata-1", "Båteieren kan kreve dekning i pantet"]
    done = await reason(says("Båteieren kan kreve dekning i pantet [lovdata-1].", cut))
    (citation,) = done.answer.citations
    assert citation.context.startswith(f"{cut[1]} når\na. låntakeren har skadet båten")
    assert f"«{cut[1]}» når a. låntakeren har skadet båten" in done.answer.answer_text
    assert [flag.why for flag in done.answer.flagged] == [FlagReason.CONDITION]
    assert NB.conditional in done.answer.answer_text


async def test_a_real_quote_of_an_act_about_something_else_is_no_proof(reason) -> None:
    both = {
        "calls": [
            {"search_lovdata_legal_documents": {"query": "pant båteieren"}},
            {"hent_lovtekst": {"document": "bygdefestloven", "section": "§ 7"}},
        ]
    }
    feast = ["lovdata-2", "Festen skal være slutt klokken ett om natten."]
    answer = {"answer": "Båteieren kan kreve pant når låntakeren har skadet båten [lovdata-2].", "citations": [feast]}
    done = await reason([both, {"final": answer, "repeat": True}])
    assert [c for c in done.answer.citations if c.quote == feast[1]] == []


@pytest.mark.parametrize("written", ["lovdata-7", "LOVDATA-1", "lovdata1", "båtleieloven § 3-2", ""])
async def test_a_quote_that_can_be_placed_is_placed(reason, written: str) -> None:
    answer = f"Pantet kan være på høyst fire ukers båtleie [{written or 'lovdata-1'}]."
    done = await reason(says(answer, [written, PLEDGE[1]]))
    assert [(c.evidence_id, c.quote) for c in done.answer.citations] == [tuple(PLEDGE)]
    assert (done.answer.rejected, done.answer.flagged) == ((), ())
    assert "Pantet kan være på høyst fire ukers båtleie [1]." in done.answer.answer_text


async def test_quotations_with_ids_in_prose_need_no_json(reason) -> None:
    said = f"Loven sier at «{PLEDGE[1]}» (lovdata-1)."
    done = await reason([SEARCH, {"text": said, "repeat": True}])
    assert [(c.evidence_id, c.quote) for c in done.answer.citations] == [tuple(PLEDGE)]
    assert f"«{PLEDGE[1]}» [1]" in done.answer.answer_text


@pytest.mark.parametrize("whole", ["3039", "658", "Ja"])
async def test_an_answer_without_a_bound_sentence_is_none(reason, whole: str) -> None:
    done = await reason(says(whole, PLEDGE))
    assert f"\n{whole}\n" not in f"\n{done.answer.answer_text}\n"


async def test_an_answer_never_turns_from_no_to_yes_by_a_repair(reason) -> None:
    no = "Nei, båteieren kan ikke kreve mer. Pantet kan være på høyst fire ukers båtleie [lovdata-1]."
    wrong = ["lovdata-1", "Pantet kan være på ti ukers båtleie"]
    first = {"final": {"answer": no, "citations": [PLEDGE, wrong]}}
    second = {"json": {"answer": no.replace("Nei, båteieren kan ikke", "Ja, båteieren kan"), "citations": [PLEDGE]}}
    done = await reason([SEARCH, first, second], "Kan båteieren kreve mer enn fire uker?")
    assert "Ja, båteieren" not in done.answer.answer_text
    assert [r.quote for r in done.answer.rejected] == [wrong[1]]


async def test_what_no_source_says_is_set_apart(reason) -> None:
    done = await reason(says("Pantet er høyst fire ukers båtleie [lovdata-1]. Båteieren må ha forsikring.", PLEDGE))
    above, below = done.answer.answer_text.split(NB.unsupported)
    assert "forsikring" not in above and "Båteieren må ha forsikring." in below
    assert done.answer.uncited == ("Båteieren må ha forsikring.",)
