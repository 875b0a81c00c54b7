"""The curated file of everyday names: names that people give acts, and that the acts do not have themselves.

The file is tab-separated: name, refid, prefix of article names, note. Lines that begin with `#` are comments.
"""

import re
from dataclasses import dataclass

COLUMNS = 4

_REFID = re.compile(r"(?:lov|forskrift|vedtak|instruks|reglement|vedlegg)/\d{4}-\d{2}-\d{2}(?:-\w+)*")
_PREFIX = re.compile(r"(?:[\w-]+/)*a(?:\|(?:[\w-]+/)*a)*")


@dataclass(frozen=True, slots=True)
class Alias:
    """A name in everyday use, and the document that it names.

    `prefix` is set for a treaty or regulation printed inside the document: prefix and number are the section key of an
    article, such as `gdpr/a` and 17. Several prefixes are separated by `|`.
    """

    name: str
    refid: str
    prefix: str | None = None


class BadAliases(ValueError):
    """The file of aliases breaks its format. The message names the line and what is wrong with it."""


def parse_aliases(text: str) -> tuple[Alias, ...]:
    """Return the aliases in `text`, in its order. Raises `BadAliases`."""
    aliases: list[Alias] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        alias = _alias(line, number)
        first = seen.setdefault(" ".join(alias.name.casefold().rstrip(".").split()), number)
        if first != number:
            raise BadAliases(f"line {number}: {alias.name!r} is already on line {first}")
        aliases.append(alias)
    return tuple(aliases)


def _alias(line: str, number: int) -> Alias:
    columns = line.split("\t")
    if len(columns) != COLUMNS:
        raise BadAliases(f"line {number}: {len(columns)} columns instead of {COLUMNS}")
    name, refid, prefix, _note = (column.strip() for column in columns)
    if not re.search(r"\w", name):
        raise BadAliases(f"line {number}: no name")
    if not _REFID.fullmatch(refid):
        raise BadAliases(f"line {number}: {refid!r} is no refid")
    if prefix and not _PREFIX.fullmatch(prefix):
        raise BadAliases(f"line {number}: {prefix!r} is no prefix of article names")
    return Alias(name, refid, prefix or None)
