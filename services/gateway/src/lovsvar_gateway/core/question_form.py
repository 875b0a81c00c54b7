"""The page's form: a question and its filters."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from lovsvar_contracts.law import LawType
from lovsvar_contracts.questions import MAX_QUESTION, QuestionFilters

MAX_MINISTRY = 200
MAX_YEAR = 10

_RUN = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


@dataclass(frozen=True)
class Form:
    """The form's fields: `year` as typed, `follows` a run, `once` the form's id, `fault` the phrase of an error."""

    words: str
    law_type: LawType | None
    year: str
    ministry: str
    follows: str
    once: str
    fault: str

    @property
    def filters(self) -> QuestionFilters | None:
        """The filters of the question."""
        return filters_of(self.law_type, as_year(self.year), self.ministry)


def read_form(given: Mapping[str, str]) -> Form:
    """Return the form's fields without control characters. A filter that is invalid is a fault."""
    words = cleaned(given.get("question", ""), MAX_QUESTION + 1)
    law_type, year = as_law_type(given.get("law_type", "")), given.get("year", "").strip()
    follows, once = given.get("follows", ""), given.get("once", "")
    faults = {
        "question_empty": not words,
        "question_long": len(words) > MAX_QUESTION,
        "filters_wrong": (year and as_year(year) is None) or (given.get("law_type") and law_type is None),
        "followed_gone": follows and not is_run_id(follows),
    }
    return Form(
        words=words,
        law_type=law_type,
        year=cleaned(year, MAX_YEAR),
        ministry=cleaned(given.get("ministry", ""), MAX_MINISTRY),
        follows=follows if is_run_id(follows) else "",
        once=once if is_run_id(once) else "",
        fault=next((phrase for phrase, wrong in faults.items() if wrong), ""),
    )


def is_run_id(text: str) -> bool:
    """Return whether `text` may be the id of a run."""
    return bool(_RUN.fullmatch(text))


def filters_of(law_type: LawType | None, year: int | None, ministry: str | None) -> QuestionFilters | None:
    """Return the filters of a question; None without any."""
    filters = QuestionFilters(law_type=law_type, year=year, ministry=(ministry or "").strip() or None)
    return filters if filters != QuestionFilters() else None


def cleaned(text: str, limit: int = MAX_QUESTION) -> str:
    """Return at most `limit` characters of what somebody typed, without control characters and outer white space."""
    kept = (c for c in text.replace("\r\n", "\n") if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))
    return "".join(kept).strip()[:limit]


def as_year(text: str) -> int | None:
    """Return the year that was typed; None for anything else."""
    return int(text) if len(text) == 4 and text.isascii() and text.isdigit() and 1600 <= int(text) <= 3000 else None


def as_law_type(text: str) -> LawType | None:
    """Return the law type that was chosen; None for anything else."""
    return LawType(text) if text in set(LawType) else None
