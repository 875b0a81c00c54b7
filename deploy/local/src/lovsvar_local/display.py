"""Results on standard output as pages for people."""

import sys
from collections.abc import Iterable
from functools import singledispatch

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lovsvar_contracts.blocks import Recommendations
from lovsvar_contracts.catalogues import ProductHits
from lovsvar_contracts.ingest import SyncCompleted
from lovsvar_contracts.law import LAW_TYPE_ORDER, InForce, Provision
from lovsvar_contracts.questions import Answer, Citation, Evidence
from lovsvar_contracts.search import (
    CorpusStatus,
    Outline,
    OutlineEntry,
    OutlineNode,
    ProvisionHit,
    ProvisionHits,
    Resolution,
)
from lovsvar_legaltext.refids import written_day
from lovsvar_legaltext.terms import PLURALS
from lovsvar_local.findings import Level, Report
from lovsvar_local.initial_corpus import IngestReport
from lovsvar_local.phrases import (
    SAMPLE_NOTICE,
    archive_line,
    clean,
    dataset_name,
    describe_sync,
    in_force_remark,
    is_catalogue,
    number,
    other_sources,
    score_line,
    service_state,
)
from lovsvar_rendering.selection import blocks_of, without
from lovsvar_rendering.text import TextRenderer

PLAIN_WIDTH = 100
SKIPPED_SHOWN = 20
MARKS = {Level.OK: "✓", Level.WARNING: "!", Level.ERROR: "✗"}


def console() -> Console:
    """Return a console on standard output that reads no markup in texts."""
    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(highlight=False, markup=False, soft_wrap=not sys.stdout.isatty(), width=width)


@singledispatch
def show(result: object) -> None:
    """Print the page of a result, which the functions below make, each for one model."""
    raise NotImplementedError(type(result).__name__)


@show.register
def show_answer(answer: Answer) -> None:
    """Print an answer with its citations and what a reader must know of them."""
    out = console()
    out.print()
    # The lists below say more of each source.
    blocks = without(blocks_of(answer), "sources", "suggestions", "recommendations")
    renderer = TextRenderer(answer.citations, answer.evidence)
    out.print(Text(clean(renderer.render(blocks))))
    if answer.citations:
        out.print()
        out.print(Text("Kilder", style="bold"))
        for citation in answer.citations:
            out.print(_citation(citation))
    if answer.insufficient and answer.suggestions:
        out.print()
        out.print(Text("Nærmeste bestemmelser", style="bold"))
        for suggestion in answer.suggestions:
            out.print(_evidence(suggestion))
    for offered in (block for block in blocks_of(answer) if isinstance(block, Recommendations)):
        out.print()
        out.print(Text(clean(renderer.render([offered]))))
    out.print()
    if answer.sample:
        out.print(Text(SAMPLE_NOTICE, style="bold yellow"))
    elif answer.corpus_date:
        out.print(Text(f"Regelverket er hentet slik det var {written_day(answer.corpus_date)}.", style="dim"))
    if line := other_sources(answer.archives):
        out.print(Text(clean(line), style="dim"))
    out.print(Text(f"Spør videre med: lovsvar ask --follows {answer.run_id} …", style="dim"))


@show.register
def show_hits(hits: ProvisionHits) -> None:
    """Print a page of hits."""
    out = console()
    if not hits.hits:
        meant = ", ".join(f"«{clean(word)}»" for word in hits.did_you_mean)
        out.print(f"Ingen treff. Mente du {meant}?" if meant else "Ingen treff.")
        return
    first = (hits.page - 1) * hits.page_size + 1
    for place, hit in enumerate(hits.hits, start=first):
        title = Text.assemble((f"{place}. ", "dim"), (clean(f"{hit.act} {hit.title}"), "bold"))
        _remark(title, hit.in_force)
        out.print(title)
        out.print(marked(hit))
        if hit.score_parts is not None:
            out.print(Text(clean(score_line(hit.score, hit.score_parts)), style="dim"))
        out.print(Text(_source(hit.lovdata_url, hit.sample), style="dim"))
        out.print()
    searched = ", ".join(PLURALS[t] for t in hits.searched_law_types)
    out.print(Text(f"{number(hits.total)} treff i {searched}, side {hits.page}.", style="dim"))


@show.register
def show_products(found: ProductHits) -> None:
    """Print products, each as its catalogue has it."""
    out = console()
    if not found.hits:
        out.print("Ingen tilbud passer.")
    for place, hit in enumerate(found.hits, start=1):
        price = f" ({clean(hit.price)})" if hit.price else ""
        out.print(Text.assemble((f"{place}. ", "dim"), (clean(hit.name), "bold"), price))
        out.print(Text(clean(hit.description)))
        out.print(Text(clean(" · ".join(filter(None, (hit.url, hit.category, hit.catalogue)))), style="dim"))
        out.print()


def marked(hit: ProvisionHit) -> Text:
    """Return the snippet with the words that match in bold."""
    text, end = Text(), 0
    for begin, stop in sorted(hit.marks):
        if end <= begin < stop <= len(hit.snippet):
            text.append(clean(hit.snippet[end:begin]))
            text.append(clean(hit.snippet[begin:stop]), style="bold")
            end = stop
    return text.append(clean(hit.snippet[end:]))


@show.register
def show_provision(provision: Provision) -> None:
    """Print a provision whole."""
    out = console()
    out.print(Text(clean(provision.document_title), style="dim"))
    for heading in provision.path:
        out.print(Text(clean(heading), style="dim"))
    out.print(Text(clean(f"{provision.value} {provision.title}".strip()), style="bold"))
    if remark := in_force_remark(provision.in_force):
        out.print(Text(remark.capitalize() + ".", style="yellow"))
    out.print()
    out.print(Text(clean(provision.text)))
    out.print()
    if provision.sample:
        out.print(Text(SAMPLE_NOTICE.replace("Svaret bygger på", "Teksten er fra"), style="bold yellow"))
    else:
        out.print(Text(provision.lovdata_url, style="dim"))


@show.register
def show_outline(outline: Outline) -> None:
    """Print a document's table of contents."""
    out = console()
    document = outline.document
    out.print(Text(clean(document.title), style="bold"))
    if remark := in_force_remark(document.in_force):
        out.print(Text(clean(f"{remark.capitalize()}. {document.in_force_note}".strip()), style="yellow"))
    out.print(Text(f"{document.refid}  {_source(document.lovdata_url, document.sample)}", style="dim"))
    out.print()
    _entries(out, outline.provisions, 0)
    for node in outline.children:
        _node(out, node, 0)


@show.register
def show_resolution(resolution: Resolution) -> None:
    """Print the matches of a reference that is not resolved to one."""
    out = console()
    out.print(Text(clean(resolution.detail or f"«{resolution.reference}» kan vise til flere bestemmelser:")))
    for match in resolution.matches:
        name = f"{match.refid} {match.section or ''}".strip()
        line = Text.assemble((name, "bold"), clean(f"  {match.act} {match.title}"))
        _remark(line, match.in_force)
        out.print(line)


@show.register
def show_status(status: CorpusStatus) -> None:
    """Print the status of the corpus and of the services."""
    out = console()
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_row("Dokumenter", number(status.documents))
    for law_type in LAW_TYPE_ORDER:
        if count := status.by_law_type.get(law_type):
            table.add_row(f"  {PLURALS[law_type]}", number(count))
    table.add_row("Bestemmelser", number(status.provisions))
    table.add_row("  med vektor", number(status.embedded))
    table.add_row("Versjon", f"{status.corpus_version} (lagret {status.stored_version})")
    table.add_row("Dato", written_day(status.corpus_date) if status.corpus_date else "–")
    for archive in status.archives:
        table.add_row(f"Arkiv {dataset_name(archive.dataset)}", clean(archive_line(archive)))
    for service, state in status.services.items():
        table.add_row(service, clean(service_state(state)))
    out.print(table)
    if status.sample:
        out.print(Text(SAMPLE_NOTICE.replace("Svaret bygger på", "Samlingen er"), style="bold yellow"))


@show.register
def show_syncs(report: IngestReport) -> None:
    """Print the reports of syncs."""
    out = console()
    for end in report.syncs:
        out.print(Text(clean(describe_sync(end)), style="bold" if isinstance(end, SyncCompleted) else "red"))
        if not isinstance(end, SyncCompleted):
            continue
        what = "  Hoppet over "
        if is_catalogue(end.dataset):
            what = "  "
        else:
            out.print(f"  {number(end.report.provisions)} bestemmelser, versjon {end.corpus_version}")
        for skipped in end.report.skipped[:SKIPPED_SHOWN]:
            out.print(Text(clean(f"{what}{skipped.file}: {skipped.reason}")))
        if (more := len(end.report.skipped) - SKIPPED_SHOWN) > 0:
            out.print(f"  … og {number(more)} til i {dataset_name(end.dataset)}")


@show.register
def show_findings(found: Report) -> None:
    """Print what `lovsvar doctor` found."""
    out = console()
    for finding in found.findings:
        out.print(clean(f"{MARKS[finding.level]} {finding.area}: {finding.text}"))
        if finding.remedy:
            out.print(clean(f"  → {finding.remedy}"))
    errors = sum(finding.level is Level.ERROR for finding in found.findings)
    out.print(f"{errors} feil." if errors else "Ingen feil.")


def _citation(citation: Citation) -> Text:
    text = Text.assemble((f"[{citation.number}] ", "bold"), clean(citation.title))
    if citation.ledd:
        text.append(f", {citation.ledd}. ledd")
    _remark(text, citation.in_force)
    if citation.excerpt:
        text.append(" (utdrag fra søkemotor, ikke kontrollert mot kilden)", style="yellow")
    elif not citation.verified:
        text.append(" (ikke bekreftet)", style="red")
    text.append(f"\n    «{clean(citation.quote)}»", style="italic")
    text.append(f"\n    {_source(citation.lovdata_url, citation.sample)}", style="dim")
    return text


def _evidence(evidence: Evidence) -> Text:
    text = Text(f"  {clean(evidence.title)}")
    _remark(text, evidence.in_force)
    text.append(f"\n    {_source(evidence.lovdata_url, evidence.sample)}", style="dim")
    return text


def _remark(text: Text, in_force: InForce) -> None:
    if remark := in_force_remark(in_force):
        text.append(f" ({remark})", style="yellow")


def _source(url: str, sample: bool) -> str:
    """Return the address of a text; one of the sample has none."""
    return "[oppdiktet eksempel]" if sample else url


def _entries(out: Console, entries: Iterable[OutlineEntry], depth: int) -> None:
    for entry in entries:
        out.print(Text(clean(f"{'  ' * depth}{entry.value} {entry.title}".rstrip())))


def _node(out: Console, node: OutlineNode, depth: int) -> None:
    out.print(Text(clean("  " * depth + node.title), style="bold"))
    _entries(out, node.provisions, depth + 1)
    for child in node.children:
        _node(out, child, depth + 1)
