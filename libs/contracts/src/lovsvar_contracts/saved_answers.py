"""Answers that are kept longer than their runs, with the versions of the law that they cite."""

from datetime import date, datetime
from typing import Literal

from pydantic import Field

from lovsvar_contracts.identifiers import Refid, Section
from lovsvar_contracts.law import InForce
from lovsvar_contracts.message import Frozen, Message, Token
from lovsvar_contracts.questions import Answer


class CitedVersion(Frozen):
    """A provision that a saved answer cites, as it was when the answer was saved.

    `content_hash` is that of its whole text, so that a reader can tell whether the text is still the same.
    """

    refid: Refid
    section: Section
    title: str
    act: str
    content_hash: str
    in_force: InForce = InForce.UNKNOWN
    corpus_date: date | None = None
    url: str
    lovdata_url: str


class SavedAnswer(Message):
    """An answer that somebody asked to keep. It has the id of its run; `occurred_at` is when it was saved.

    `owner` is the name of the key that saved it, which alone may delete it; None where no key was needed.
    """

    kind: Literal["saved_answer"] = "saved_answer"
    run_id: Token
    answer: Answer
    versions: tuple[CitedVersion, ...] = ()
    owner: str | None = None
    expires_at: datetime = Field(description="Until when it is kept, unless it is deleted before.")


class Thread(Message):
    """The answers that a run follows up, the first of the thread first. The run itself is not among them.

    `more` is an earlier run that is kept, and is not shown for the length of the thread. `lost` is true where an
    earlier one is no longer kept.
    """

    kind: Literal["thread"] = "thread"
    run_id: Token
    answers: tuple[Answer, ...] = ()
    more: Token | None = None
    lost: bool = False
