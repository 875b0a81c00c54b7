"""What the templates of an answer are filled with: on its run's page, in a thread, and saved."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request

from lovsvar_contracts.message import utc_now
from lovsvar_contracts.questions import Answer, Mode, QuestionFilters
from lovsvar_gateway.core import quotes
from lovsvar_gateway.pages import Phrases, language_of
from lovsvar_legaltext.language import language_of as language_of_text
from lovsvar_rendering.names import source_name

MOST_NAMED = 3
"""How many provisions that an earlier answer cites are named where it is folded."""


def answer_values(request: Request, answer: Answer, path: str = "", *, saved: object = None) -> dict[str, Any]:
    """Return what the template of an answer shows. `path` is its address, that of its run unless given."""
    t = Phrases(language_of(request, answer.question))
    remarks = []
    if answer.mode is not Mode.EXTRACTIVE:
        remarks.append(t("answer_by_model"))
    elif answer.citations:
        remarks.append(t("answer_by_quotes"))
    if answer.corpus_date:
        remarks.append(t("corpus_of", date=t.day(answer.corpus_date)))
    old = bool(answer.answer_text) and quotes.is_old(answer.corpus_date, utc_now().date())
    if old and answer.corpus_date:
        remarks.append(t("old_text", date=t.day(answer.corpus_date)))
    if answer.filters:
        remarks.append(t("narrowed_to", filters=", ".join(named(answer.filters, t))))
    remarks.append(t("no_advice"))
    address = f"{str(request.base_url).rstrip('/')}{path or run_path(answer.run_id)}"
    return {
        **turn_values(answer),
        "source_name": source_name,
        "cited": quotes.cited_sources(answer),
        "unused": quotes.unused_sources(answer),
        "compact": {c.number for c in answer.citations} <= quotes.quoted_numbers(answer),
        "old": old,
        "saved": saved,
        "versions": {},
        "address": address,
        "citable": quotes.citable(answer, address, remarks),
    }


def turn_values(answer: Answer) -> dict[str, Any]:
    """Return what is shown of an answer wherever it is shown, such as below a question that follows it up."""
    return {
        "answer": answer,
        "layout": quotes.lay_out(answer),
        "citations": {c.number: c for c in answer.citations},
        "linked": quotes.linked(answer),
        "opened": {c.number: quotes.at_the_words(c) for c in answer.citations},
        "acts": {e.evidence_id: e.act for e in answer.evidence},
        "quoted": quotes.quoted_numbers(answer),
        "cites": tuple(dict.fromkeys(c.title for c in answer.citations))[:MOST_NAMED],
        "said_in": language_of_text(answer.question),
    }


def turns(answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """Return what is shown of the answers of a thread."""
    return [turn_values(answer) for answer in answers]


def run_path(run_id: str) -> str:
    """Return the address of a run's page."""
    return f"/?{urlencode({'run': run_id})}"


def named(filters: QuestionFilters, t: Phrases) -> list[str]:
    """Return what a question is narrowed to, as the page says it."""
    said = [t(f"type_{filters.law_type}").lower()] if filters.law_type else []
    said += [f"{t('year').lower()} {filters.year}"] if filters.year else []
    return said + ([f"{t('ministry').lower()} «{filters.ministry}»"] if filters.ministry else [])
