"""Where a term is defined: the ways in which Norwegian law defines, found in provisions that were read."""

import re
from collections.abc import Iterable

from lovsvar_contracts.law import Provision
from lovsvar_gateway.core.mcp.results import Definition
from lovsvar_gateway.core.mcp.token_budget import heading

LONGEST_WORDS = 600
_ENDING = r"(?:en|et|a|er|ar|ane|ene|n|r|e|s)?"
_MEANT = r"(?:menes|meines|forstås|forståes|forstår|regnes|reknes|reknast|anses)"
_DEFINES = re.compile(r"\b(?:menes|meines|meiner|forstås|forstår|definisjon\w*|definerast|defineres)\b", re.IGNORECASE)


def definitions_in(provisions: Iterable[Provision], term: str) -> list[Definition]:
    """Return the provisions that define `term`, each once, in the order given."""
    patterns = _patterns(term)
    return [_definition(p, words) for p in provisions if (words := _words(p, patterns))]


def _patterns(term: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    quoted = rf"[«\"'“]?{re.escape(term.strip())}{_ENDING}[»\"'”]?"
    said = re.compile(
        rf"(?<!likt )(?<!lik )(?<!likestilt )\bmed\s+(?:\w+\s+(?:eller|og)\s+)?{quoted}(?:\s+\w+){{0,6}}\s+{_MEANT}\b"
        rf"|\bsom\s+{quoted}\s+(?:etter\s+[^.]{{1,60}}\s+)?(?:menes|regnes|reknes|reknast|anses)\b"
        rf"|(?<![\w-]){quoted}\s+(?:betyr|tyder|defineres som|betegner)\b",
        re.IGNORECASE,
    )
    marked = rf"[«\"“]{re.escape(term.strip())}{_ENDING}[»\"”](?=\s)"
    listed = re.compile(
        rf"^(?:\S{{1,4}}[.)]?\s+)?(?:{marked}|{quoted}(?:\s*\([^)]*\))?\s*(?::|,|–|-(?=\s)|\bbetyr\b|$))", re.IGNORECASE
    )
    return said, listed


def _words(provision: Provision, patterns: tuple[re.Pattern[str], re.Pattern[str]]) -> str:
    said, listed = patterns
    rows = provision.text.split("\n")
    lists = bool(_DEFINES.search(f"{provision.title}\n{provision.text[:2_000]}"))
    for at, row in enumerate(rows):
        if said.search(row):
            return _cut("\n".join([row, *rows[at + 1 : at + 4]]) if row.endswith(":") else row)
        if lists and listed.search(row):
            return _cut(row if len(row) > LONGEST_WORDS // 10 else "\n".join(rows[at : at + 2]))
    return ""


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST_WORDS else f"{words[:LONGEST_WORDS].rsplit(' ', 1)[0]} …"


def _definition(provision: Provision, words: str) -> Definition:
    return Definition(
        refid=provision.refid,
        section=provision.section,
        heading=heading(provision),
        act=provision.act,
        words=words,
        in_force=provision.in_force,
        url=provision.url,
        lovdata_url=provision.lovdata_url,
        sample=provision.sample,
    )
