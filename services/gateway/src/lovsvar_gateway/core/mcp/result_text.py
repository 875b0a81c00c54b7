"""Results as the text that a model reads."""

from collections.abc import Iterable, Sequence
from datetime import date

from lovsvar_contracts.identifiers import is_announcement
from lovsvar_contracts.law import DocumentSummary, InForce
from lovsvar_contracts.search import ProvisionHit, ResolvedReference
from lovsvar_gateway.core.mcp.results import ShownProvision, Stamp
from lovsvar_legaltext import terms
from lovsvar_legaltext.citation_forms import in_words

IN_FORCE = terms.IN_FORCE | {status: terms.IN_FORCE[status].upper() for status in (InForce.NOT_YET, InForce.REPEALED)}
"""A status in words; what is not law today is in capitals, which a model does not pass over."""


def with_stamp(text: str, stamp: Stamp) -> str:
    """Return `text` with where it is from below it."""
    day = f"samlingen er per {stamp.corpus_date}" if stamp.corpus_date else "samlingens dato er ukjent"
    line = f"Kilde: {stamp.source}, lisens {stamp.licence}; {day}."
    warning = "\n\n**ADVARSEL: Dette er oppdiktede eksempellover, ikke gjeldende rett.**" if stamp.sample else ""
    return f"{text}\n\n{line}{warning}"


def status(in_force: InForce, since: date | None = None) -> str:
    """Return the in-force status in words: 'i kraft fra 2000-01-01'."""
    return f"{IN_FORCE[in_force]} fra {since}" if since and in_force is not InForce.REPEALED else IN_FORCE[in_force]


def provision(shown: ShownProvision) -> str:
    """Return a provision with its heading, status and address."""
    place = f" ({shown.place})" if shown.place else ""
    head = [f"## {shown.act} {shown.heading}{place}"]
    if shown.path:
        head.append(f"*{' › '.join(shown.path)}*")
    cut = [f"[… kuttet: {shown.tokens} av {shown.full_tokens} tokens er vist. {shown.rest}]"] if shown.truncated else []
    foot = f"Status: {status(shown.in_force, shown.in_force_from)} · {shown.tokens} tokens · {shown.lovdata_url}"
    return "\n\n".join([*head, shown.text or "(Bestemmelsen har ingen tekst.)", *cut, foot])


def candidates(found: Sequence[ResolvedReference], message: str) -> str:
    """Return what an ambiguous name may mean, and how each is asked for."""
    rows = [f"- {name(one)} ({IN_FORCE[one.in_force]}): {call(one)} · {one.lovdata_url}" for one in found]
    return "\n".join([message, *rows])


def name(reference: ResolvedReference) -> str:
    """Return what a reference names, for a list of such."""
    if not reference.section and not reference.chapter:
        return reference.title or reference.act
    place = in_words(reference)
    return " ".join(part for part in (reference.act, reference.title, f"({place})" if place else "") if part)


def call(reference: ResolvedReference) -> str:
    """Return the call that reads what a reference names."""
    place = in_words(reference)
    section = f', "{reference.section}{f" {place}" if place else ""}"' if reference.section else ""
    if reference.chapter and not reference.section:
        name = reference.chapter.rpartition("/")[2]
        spoken = f"kapittel {name.removeprefix('kap')}" if name.startswith("kap") else name
        section = f', "{spoken}"'
    tool = "forskrift" if reference.law_type == "forskrift" else "lov"
    return f'{tool}("{reference.refid}"{section})'


def hit(number: int, found: ProvisionHit) -> str:
    """Return one hit of a search."""
    ledd = f", {found.ledd}. ledd" if found.ledd else ""
    where = f"\n   *{' › '.join(found.path)}*" if found.path else ""
    tool = "forskrift" if found.law_type == "forskrift" else "lov"
    facts = f"[{found.law_type}, {IN_FORCE[found.in_force]}, {found.tokens} tok]"
    return (
        f"{number}. **{found.act} {found.title}**{ledd} {facts}"
        f'{where}\n   {found.snippet}\n   → {tool}("{found.refid}", "{found.section}") · {found.lovdata_url}'
    )


def document(summary: DocumentSummary) -> str:
    """Return one document of a list."""
    short = f"**{summary.short_title}**: " if summary.short_title else ""
    ministries = f" · {', '.join(summary.ministries)}" if summary.ministries else ""
    announced = ", kunngjøring i Norsk Lovtidend" if is_announcement(summary.refid) else ""
    return (
        f"- {short}{summary.title} (`{summary.refid}`{announced}, {status(summary.in_force, summary.in_force_from)}, "
        f"{summary.provisions} paragrafer){ministries} · {summary.lovdata_url}"
    )


def bullets(items: Iterable[str]) -> str:
    """Return a list, one item a line."""
    return "\n".join(f"- {item}" for item in items)
