"""An answer as it is shown: its numbers lead to its sources, and each source to the quoted words in their provision."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from markupsafe import Markup

from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode

_NUMBER = re.compile(r'<a href="[^"]*">\[(\d+)\]</a>|<sup>\[(\d+)\]</sup>')
_SOURCE_LIST = re.compile(
    r'<p><strong>[^<]*</strong></p><ol>(?:<li><a href="[^"]*">[^<]*</a>: «[^<]*» <sup>\[\d+\]</sup></li>)+</ol>'
)
_SAMPLE_NOTICE = re.compile(r"^<p><strong>[^<]*</strong></p>")
_MODE_NOTICE = re.compile(r"<p><em>[^<]*</em></p>$")
MAX_QUOTE = 1_500
"""Characters of a quote that an address carries."""


@dataclass(frozen=True)
class Source:
    """A source of an answer, with what is quoted from it."""

    evidence: Evidence
    citations: tuple[Citation, ...]


def cited_sources(answer: Answer) -> tuple[Source, ...]:
    """Return the sources that the answer quotes, in the order in which it first does."""
    by_id = {e.evidence_id: e for e in answer.evidence}
    ids = dict.fromkeys(c.evidence_id for c in answer.citations if c.evidence_id in by_id)
    return tuple(Source(by_id[i], tuple(c for c in answer.citations if c.evidence_id == i)) for i in ids)


def unused_sources(answer: Answer) -> tuple[Evidence, ...]:
    """Return what was found and is not quoted."""
    used = {c.evidence_id for c in answer.citations}
    return tuple(e for e in answer.evidence if e.evidence_id not in used)


def with_marks(answer: Answer) -> Markup:
    """Return the answer's HTML, where each number is a link to its quote in the list of sources below.

    The answer's own list of sources is left out, and what it says of its corpus and mode: the page has a fuller
    list, and says the rest above. The HTML is the agent's, which is sanitised.
    """
    known = {c.number: c for c in answer.citations}

    def mark(match: re.Match[str]) -> str:
        number = int(match[1] or match[2])
        if number not in known:
            return match[0]
        return f'<sup><a class="cite" href="#sitat-{number}" id="henvisning-{number}">[{number}]</a></sup>'

    words = _SOURCE_LIST.sub("", answer.answer_html)
    if answer.sample:
        words = _SAMPLE_NOTICE.sub("", words, count=1)
    if answer.mode is Mode.EXTRACTIVE:
        words = _MODE_NOTICE.sub("", words)
    shown = _NUMBER.sub(mark, words)
    # A number stands with the last of the words it belongs to, also where a line ends.
    return Markup(shown.replace("</sup><sup>", "").replace("</p><p><sup>", "\N{NO-BREAK SPACE}<sup>"))  # noqa: S704


def at_the_words(citation: Citation) -> str:
    """Return the address at which a citation's words are marked in their document; practice has its own."""
    if citation.refid is None or citation.section is None:
        return citation.url
    section = quote(citation.section)
    return f"/{citation.refid}?paragraf={section}&sitat={quote(citation.quote[:MAX_QUOTE])}#{section}"


def citable(answer: Answer, address: str, remarks: Iterable[str]) -> str:
    """Return the answer as plain text to paste elsewhere: the words, each quote with its source's address, `remarks`.

    `address` is where the answer itself is found.
    """
    told = [f"[{c.number}] {c.title}: «{' '.join(c.quote.split())}»" for c in answer.citations]
    # The agent's own list has the same lines without addresses.
    text = "\n".join(line for line in answer.answer_text.split("\n") if line not in told).strip()
    quotes = [f"{line} {c.lovdata_url}" for line, c in zip(told, answer.citations, strict=True)]
    parts = [answer.question, text, "\n".join(quotes), " ".join(remarks), address]
    return "\n\n".join(part for part in parts if part)
