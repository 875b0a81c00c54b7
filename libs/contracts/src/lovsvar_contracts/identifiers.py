"""Refids, section names, and the addresses made from them.

A document is named by Lovdata's refid (`lov/1999-03-26-17`), a provision by its refid and Lovdata's
own `data-name` (`§3-5`, `§2a-1`, `gdpr/a5`).
"""

from functools import lru_cache
from typing import Annotated
from urllib.parse import quote

from pydantic import StringConstraints

Refid = Annotated[str, StringConstraints(min_length=3, max_length=200)]
Section = Annotated[str, StringConstraints(min_length=1, max_length=200)]

LOVDATA = "https://lovdata.no"

ANNOUNCEMENTS = "lti/"
"""The prefix of the refid of an announcement in Norsk Lovtidend; the rest is the refid of the announced document."""


def section_key(section: str) -> str:
    """Return the key by which section names are compared: without white space, in lower case."""
    return "".join(section.split()).casefold()


def is_announcement(refid: str) -> bool:
    """Whether `refid` names an announcement in Norsk Lovtidend, which is no law itself."""
    return refid.startswith(ANNOUNCEMENTS)


def viewer_path(refid: str, section: str | None = None) -> str:
    """Return the gateway's path to a document, or to a provision in it: `/lov/1999-03-26-17#§3-5`."""
    return f"/{refid}#{section}" if section else f"/{refid}"


def lovdata_url(refid: str, section: str | None = None) -> str:
    """Return Lovdata's address of a document or provision, percent-encoded."""
    path = f"dokument/LTI/{refid.removeprefix(ANNOUNCEMENTS)}" if is_announcement(refid) else refid
    return f"{LOVDATA}/{_encoded(path)}/{_encoded(section)}" if section else f"{LOVDATA}/{_encoded(path)}"


# The same few names recur, and encoding a § takes five microseconds.
@lru_cache(maxsize=20_000)
def _encoded(name: str) -> str:
    return quote(name, safe="/")
