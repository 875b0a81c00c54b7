"""What `spor` says to a model: the answer's blocks as Markdown, with where its sources are."""

from lovsvar_contracts.blocks import Paragraph, Remark, Span, Suggestions, plain
from lovsvar_gateway.mcp.ask_tool import as_answered
from lovsvar_testkit.answers import make_answer, make_citation, make_evidence

SOURCE = make_evidence()


def test_an_answer_ends_with_its_sources_and_their_addresses() -> None:
    cited = make_citation(1, "fire\nuker", SOURCE)
    shown = make_answer(
        Paragraph(words=(Span(text="Fire uker", citations=(1,)),)), citations=(cited,), evidence=(SOURCE,)
    )
    assert (
        as_answered(shown)
        == f"Fire uker [1]\n\n### Kilder\n\n- [1] [Båtleieloven § 3-1]({SOURCE.lovdata_url}): «fire uker»"
    )


def test_an_answer_without_sources_names_the_nearest_provisions() -> None:
    near = Suggestions(title="De nærmeste:", evidence_ids=("lovdata-1",))
    shown = make_answer(Remark(words=plain("Fant ikke svar.")), near, evidence=(SOURCE,), insufficient=True)
    assert (
        as_answered(shown) == f"Fant ikke svar.\n\nDe nærmeste:\n\n- [Båtleieloven § 3-1 (Pant)]({SOURCE.lovdata_url})"
    )
    assert as_answered(make_answer()) == "Ingen svar."
