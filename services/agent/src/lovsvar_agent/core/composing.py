"""An answer's words, as text and as HTML.

The HTML is escaped where it is made and passed through nh3 besides: a small set of tags, and links to the
run's own evidence only.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import nh3

from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Citation, Evidence

TAGS = frozenset({"p", "blockquote", "a", "ol", "ul", "li", "strong", "em", "sup"})

SAMPLE_NOTICE = "Merk: Dette svaret bygger på oppdiktede eksempeltekster, ikke på norsk lov."
EXTRACTIVE_NOTICE = "Svaret er sitater fra loven, uten språkmodell."
NO_MODEL_NOTICE = "Det er ikke satt opp noen språkmodell. " + EXTRACTIVE_NOTICE
NOTHING_FITS = "Jeg fant ingen bestemmelse som svarer på spørsmålet."
NEAREST = "De nærmeste bestemmelsene er:"

_FORCE = {
    InForce.NOT_YET: ", som ikke har trådt i kraft,",
    InForce.REPEALED: ", som er opphevet,",
}


@dataclass(frozen=True)
class Quoted:
    """A provision and what is quoted of it, in order."""

    evidence: Evidence
    citations: tuple[Citation, ...]


@dataclass(frozen=True)
class Content:
    """What an answer says: remarks in Norwegian, quotes, and suggestions when there are none."""

    quoted: tuple[Quoted, ...]
    remarks: tuple[str, ...]
    suggestions: tuple[Evidence, ...]
    sample: bool
    notice: str = EXTRACTIVE_NOTICE


@dataclass(frozen=True)
class Paragraph:
    """One piece of an answer, in both forms."""

    text: str
    html: str


def compose(content: Content) -> tuple[Paragraph, ...]:
    """Return the answer's paragraphs; text and HTML say the same."""
    paragraphs = [_emphasised(SAMPLE_NOTICE, "strong")] if content.sample else []
    paragraphs += [_plain(remark) for remark in content.remarks]
    for quoted in content.quoted:
        paragraphs.append(_lead(quoted.evidence))
        paragraphs += [_quote(citation) for citation in quoted.citations]
    if not content.quoted:
        paragraphs.append(_plain(NOTHING_FITS))
        if content.suggestions:
            paragraphs += [_plain(NEAREST), _list(content.suggestions)]
    return (*paragraphs, _emphasised(content.notice, "em"))


def as_text(paragraphs: Iterable[Paragraph]) -> str:
    """Return the answer as plain text, paragraphs apart by an empty line."""
    return "\n\n".join(p.text for p in paragraphs)


def as_html(paragraphs: Iterable[Paragraph], evidence: Iterable[Evidence]) -> str:
    """Return the answer as sanitised HTML, with links to `evidence` only."""
    allowed = {url for e in evidence for url in (e.url, e.lovdata_url)}

    def keep(tag: str, attribute: str, value: str) -> str | None:
        return value if (tag, attribute) == ("a", "href") and value in allowed else None

    return nh3.clean(
        "".join(p.html for p in paragraphs),
        tags=set(TAGS),
        attributes={"a": {"href"}},
        attribute_filter=keep,
        url_schemes={"https"},
        link_rel=None,
    )


def provision_name(evidence: Evidence) -> str:
    """Return how an answer names a provision: 'Husleieloven § 3-5 (Depositum)'."""
    value, _, heading = evidence.title.partition(". ")
    heading = heading.strip(" .")
    if heading.startswith("(") and heading.endswith(")"):
        heading = heading[1:-1].strip(" .")
    act = act_name(evidence.act)
    name = f"{act[:1].upper()}{act[1:]} {value.rstrip('.')}".strip()
    return f"{name} ({heading})" if heading else name


def act_name(act: str) -> str:
    """Return an act's short title without its abbreviation: 'Husleieloven' of 'Husleieloven – husll'."""
    return re.split(r"\s+[–-]\s+", act)[0].strip()


def did_you_mean(words: Sequence[str]) -> str:
    """Return the question whether one of `words` was meant: 'Mente du «depositum» eller «pant»?'; empty without any."""
    quoted = [f"«{word}»" for word in words]
    listed = " eller ".join(part for part in (", ".join(quoted[:-1]), *quoted[-1:]) if part)
    return f"Mente du {listed}?" if listed else ""


def _lead(evidence: Evidence) -> Paragraph:
    name = provision_name(evidence)
    rest = f"{_FORCE.get(evidence.in_force, '')} sier:"
    return Paragraph(f"{name}{rest}", f"<p><strong>{_link(evidence)}</strong>{escape(rest)}</p>")


def _quote(citation: Citation) -> Paragraph:
    mark = f"[{citation.number}]"
    first, *items = citation.quote.split("\n")
    html = f"<p>{escape(first)}</p>"
    if items:
        html += "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"
    return Paragraph(f"«{citation.quote}» {mark}", f"<blockquote>{html}<p><sup>{mark}</sup></p></blockquote>")


def _list(suggestions: Sequence[Evidence]) -> Paragraph:
    text = "\n".join(f"- {provision_name(e)}" for e in suggestions)
    return Paragraph(text, "<ul>" + "".join(f"<li>{_link(e)}</li>" for e in suggestions) + "</ul>")


def _link(evidence: Evidence) -> str:
    return f'<a href="{escape(evidence.url)}">{escape(provision_name(evidence))}</a>'


def _plain(sentence: str) -> Paragraph:
    return Paragraph(sentence, f"<p>{escape(sentence)}</p>")


def _emphasised(sentence: str, tag: str) -> Paragraph:
    return Paragraph(sentence, f"<p><{tag}>{escape(sentence)}</{tag}></p>")
