"""What `spor` says to a model: the answer's blocks as Markdown, with where its sources are."""

from lovsvar_contracts.blocks import Paragraph, Remark, Span, Suggestions, plain
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode, RunStatus
from lovsvar_gateway.mcp.ask_tool import as_answered

SOURCE = Evidence(
    evidence_id="lovdata-1",
    section="§1",
    title="§ 1. Pant",
    act="Båtloven",
    url="/lov/2999-01-01-1#§1",
    lovdata_url="https://lovdata.no/lov/2999-01-01-1/§1",
)


def answer(**fields: object) -> Answer:
    given = {"run_id": "r", "status": RunStatus.COMPLETED, "mode": Mode.EXTRACTIVE, "question": "Hva?"}
    return Answer.model_validate({**given, "evidence": (SOURCE,), **fields})


def test_an_answer_ends_with_its_sources_and_their_addresses() -> None:
    cited = Citation(
        number=1,
        evidence_id="lovdata-1",
        title="Båtloven § 1",
        url=SOURCE.url,
        lovdata_url=SOURCE.lovdata_url,
        quote="fire\nuker",
        verified=True,
        in_force=InForce.YES,
    )
    said = as_answered(answer(blocks=(Paragraph(words=(Span(text="Fire uker", citations=(1,)),)),), citations=(cited,)))
    assert said == f"Fire uker [1]\n\n### Kilder\n\n- [1] [Båtloven § 1]({SOURCE.lovdata_url}): «fire uker»"


def test_an_answer_without_sources_names_the_nearest_provisions() -> None:
    near = Suggestions(title="De nærmeste:", evidence_ids=("lovdata-1",))
    said = as_answered(answer(blocks=(Remark(words=plain("Fant ikke svar.")), near), insufficient=True))
    assert said == f"Fant ikke svar.\n\nDe nærmeste:\n\n- [Båtloven § 1 (Pant)]({SOURCE.lovdata_url})"
    assert as_answered(answer()) == "Ingen svar."
