"""Answers, and what they cite: provisions of an invented act."""

from lovsvar_contracts.blocks import AnswerBlock
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode, RunStatus

INVENTED = "lov/2999-01-01-1"


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
