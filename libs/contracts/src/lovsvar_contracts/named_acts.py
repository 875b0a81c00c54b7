"""Documents by their names, and the request that completes a name."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.identifiers import Refid
from lovsvar_contracts.law import InForce, LawType
from lovsvar_contracts.message import Frozen, Message

MAX_NAME = 200
"""Characters of what may be a name of an act."""
MAX_ACTS = 20
"""The most acts that one name is completed to."""


class NamedAct(Frozen):
    """A document of current law, by one of its names.

    `name` is the name that matched as names are compared: in lower case, with the endings of bokmål.
    """

    refid: Refid
    act: str = Field(description="Short title, or the title where it has none.")
    title: str
    abbreviation: str = ""
    name: str = ""
    law_type: LawType
    in_force: InForce
    url: str
    lovdata_url: str


class FindActs(Message):
    """Complete the name or abbreviation of a document: "aml", "skatteloven", "husl"."""

    kind: Literal["find_acts"] = "find_acts"
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_NAME)]
    law_type: LawType | None = None
    limit: int = Field(default=10, ge=1, le=MAX_ACTS)
