"""Answers, and what they cite: provisions of an invented act."""

from datetime import date

from lovsvar_contracts.blocks import (
    AnswerBlock,
    Choice,
    Choices,
    Contact,
    Emergency,
    Explanation,
    Fact,
    Heading,
    List,
    Paragraph,
    Quote,
    Recommendation,
    Recommendations,
    Remark,
    Situation,
    SourceList,
    Span,
    Suggestions,
    plain,
)
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode, RunStatus, Tier

INVENTED = "lov/2999-01-01-1"
EMERGENCY = Emergency(
    title="Er du i fare nå? Ring:",
    contacts=(
        Contact(name="Politiet", phone="112"),
        Contact(name="Vold", phone="116 006", url="https://volinjen.no"),
    ),
)


def make_evidence(number: int = 1, **more: object) -> Evidence:
    """Return evidence of § 3-`number`; `more` are fields that differ."""
    given = {
        "evidence_id": f"lovdata-{number}",
        "refid": INVENTED,
        "section": f"§3-{number}",
        "title": f"§ 3-{number}. Pant",
        "act": "Båtleieloven – båtl",
        "url": f"/{INVENTED}#§3-{number}",
        "lovdata_url": f"https://lovdata.no/{INVENTED}/§3-{number}",
        **more,
    }
    return Evidence.model_validate(given)


def make_product(number: int = 1, **more: object) -> Evidence:
    """Return evidence of an item of an invented catalogue; `more` are fields that differ."""
    address = "https://www.arbeidshulp.example/15"
    given = {
        "evidence_id": f"product-{number}",
        "source": "product",
        "title": "Herstelcoaching",
        "url": address,
        "lovdata_url": address,
        "catalogue": "arbeidshulp",
        "product_id": "15",
        **more,
    }
    return Evidence.model_validate(given)


def make_recommendations() -> Recommendations:
    """Return a block that recommends the item of `make_product`."""
    return Recommendations(
        title="Tilbud som kan hjelpe",
        note="Tilbudene er ikke en del av det juridiske svaret.",
        language="nb",
        invented="oppdiktet eksempel",
        items=(
            Recommendation(
                evidence_id="product-1",
                name="Herstelcoaching",
                price="Vanaf € 2.500",
                why="Traject van zes maanden.",
                url="https://www.arbeidshulp.example/15",
                catalogue="Arbeidshulp",
                language="nl",
                invented=True,
            ),
        ),
    )


def make_citation(number: int, quote: str, source: Evidence | None = None, **more: object) -> Citation:
    """Return a verified citation of `source`, § 3-1 by default; `more` are fields that differ."""
    source = source or make_evidence()
    given = {name: getattr(source, name) for name in ("evidence_id", "refid", "section", "url", "lovdata_url")} | {
        "number": number,
        "title": f"Båtleieloven {source.title.partition('. ')[0]}",
        "quote": quote,
        "verified": True,
        "in_force": InForce.YES,
        **more,
    }
    return Citation.model_validate(given)


def make_answer(*blocks: AnswerBlock, **more: object) -> Answer:
    """Return a completed answer of `blocks`; `more` are fields that differ."""
    given = {"run_id": "1" * 32, "status": RunStatus.COMPLETED, "mode": Mode.AGENT, "question": "Hva?"}
    return Answer.model_validate({**given, "blocks": blocks, **more})


def make_whole_answer(run_id: str, **more: object) -> Answer:
    """Return an answer without a model that has every kind of block, with quotes of the sample corpus."""
    deposit = make_evidence(2, title="§ 3-2. Depositum", act="Eksempel-husleieloven")
    marked = make_citation(1, "et depositum på høyst fire måneders leie", deposit, ledd=1)
    items = make_citation(2, "(1) Når\na. leien ikke er betalt, eller\nb. boligen er skadet.", deposit, ledd=2)
    contact = Contact(name="Husleietvistutvalget", does="Avgjør tvister", phone="22 59 31 50", url="https://www.htu.no")
    blocks: tuple[AnswerBlock, ...] = (
        EMERGENCY,
        Remark(words=plain("«Leieloven» kan være flere.")),
        Choices(title="Hvilken mener du?", choices=(Choice(label="Bolig", question="Hva om bolig?"),), narrows=True),
        Heading(words=plain("Svarer på spørsmålet")),
        Paragraph(
            words=(
                Span(text="Eksempel-husleieloven § 3-2", evidence_id="lovdata-2", strong=True),
                Span(text=" – hovedregelen"),
            )
        ),
        Quote(citation=1, marks=((3, 12),), cut_before=True, cut_after=True),
        Explanation(
            label="Forklart av Lovsvar, ikke lovtekst",
            evidence_id="lovdata-2",
            ledd=(1,),
            words=plain("Utleieren kan høyst be om fire måneders leie."),
        ),
        Situation(
            id="deposit",
            title="Du får ikke depositumet tilbake",
            steps=("Be om det skriftlig.", "Klag til Husleietvistutvalget."),
            facts=(
                Fact(label="Frist", words=(Span(text="Fem uker", citations=(2,)),)),
                Fact(label="Koster", words=plain("Et gebyr.")),
            ),
            contact=contact,
            checked=date(2026, 11, 24),
        ),
        Heading(words=plain("Kan også være relevant")),
        Quote(citation=2, why="Gjelder bolig"),
        List(items=(plain("Ett punkt"), plain("Et annet")), ordered=True),
        Suggestions(title="De nærmeste bestemmelsene er:", evidence_ids=("lovdata-2",)),
        SourceList(title="Kilder"),
        make_recommendations(),
        Choices(title="Spør videre", choices=(Choice(label="Hvor skal pengene stå?", question="Hvor skal de stå?"),)),
    )
    given = {
        "run_id": run_id,
        "mode": Mode.EXTRACTIVE,
        "tier": Tier.ANSWERS,
        "question": "Hvor mye kan utleier kreve i depositum?",
        "answer_text": "x",
        "citations": (marked, items),
        "evidence": (deposit, make_product()),
        "corpus_date": date(2020, 1, 31),
        "sample": True,
    }
    return make_answer(*blocks, **{**given, **more})
