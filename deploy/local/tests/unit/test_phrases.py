"""What people are told, and what programs get."""

import io
import json
import sys
from datetime import date

import pytest
from rich.text import Text

from lovsvar_contracts.blocks import Paragraph, Remark, SourceList, Span, Suggestions, plain
from lovsvar_contracts.catalogues import ProductHit, ProductHits
from lovsvar_contracts.ingest import (
    SkippedDocument,
    SyncCompleted,
    SyncFailed,
    SyncProgressed,
    SyncReport,
    SyncStage,
    SyncStarted,
)
from lovsvar_contracts.law import InForce, LawType
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.questions import Answer, Citation, Evidence, Mode, RunStatus
from lovsvar_contracts.run_events import (
    AnswerDelta,
    RunFailed,
    RunLimitReached,
    RunLimits,
    RunStarted,
    SourcesFound,
    StepStarted,
    ToolCalled,
    ToolResult,
)
from lovsvar_contracts.search import ProvisionHit, ProvisionHits
from lovsvar_legaltext.refids import written_day
from lovsvar_local.display import marked, show_answer, show_hits, show_products, show_syncs
from lovsvar_local.initial_corpus import IngestReport
from lovsvar_local.json_output import show_json
from lovsvar_local.phrases import CHECK_MODEL, LIMITS, clean, describe_event, number
from lovsvar_local.progress import LiveProgress, make_progress
from lovsvar_testkit.answers import make_whole_answer

RUN = "r"


def citation(**more) -> Citation:
    return Citation(
        **{
            "number": 1,
            "evidence_id": "lovdata-1",
            "refid": "lov/2000-01-01-1",
            "section": "§3",
            "ledd": 2,
            "title": "Prøveloven § 3",
            "url": "/lov/2000-01-01-1#§3",
            "lovdata_url": "https://lovdata.no/lov/2000-01-01-1/%C2%A73",
            "quote": "Ingen skal betale mer enn avtalt.",
            "verified": True,
            "in_force": InForce.YES,
            **more,
        }
    )


def answer(**more) -> Answer:
    given = {"run_id": RUN, "status": RunStatus.COMPLETED, "mode": Mode.EXTRACTIVE, "question": "Hva?"}
    return Answer(**{**given, "answer_text": "Ingen skal betale mer [1].", "citations": (citation(),), **more})


def evidence() -> Evidence:
    return Evidence(
        evidence_id="lovdata-1", title="§ 3. Betaling", act="Prøveloven", url="/x", lovdata_url="https://lovdata.no/x"
    )


def test_an_answer_is_printed_with_number_place_quote_and_link(capsys) -> None:
    show_answer(answer(corpus_date=date(2026, 5, 3)))
    printed = capsys.readouterr().out
    assert "Ingen skal betale mer [1]." in printed
    assert "[1] Prøveloven § 3, 2. ledd" in printed
    assert "«Ingen skal betale mer enn avtalt.»" in printed
    assert "https://lovdata.no/lov/2000-01-01-1/%C2%A73" in printed
    assert "3. mai 2026" in printed
    assert "oppdiktet" not in printed


@pytest.mark.parametrize("heading", ["Kilder", "Kjelder", "Sources"])
def test_sources_are_listed_once_though_the_answer_lists_them_too(capsys, heading: str) -> None:
    show_answer(answer(blocks=(Paragraph(words=(Span(text="Mer", citations=(1,)),)), SourceList(title=heading))))
    printed = capsys.readouterr().out
    assert "\nMer [1]\n" in printed
    assert printed.count("Ingen skal betale mer enn avtalt.") == 1
    assert printed.count("Kilder") == 1


def test_the_nearest_provisions_are_listed_once(capsys) -> None:
    blocks = (Remark(words=plain("Fant ikke svar.")), Suggestions(title="Nærmest:", evidence_ids=("lovdata-1",)))
    given = {"insufficient": True, "citations": (), "evidence": (evidence(),), "suggestions": (evidence(),)}
    show_answer(answer(blocks=blocks, **given))
    printed = capsys.readouterr().out
    assert "Fant ikke svar." in printed
    assert printed.count("Betaling") == 1


def test_what_a_model_does_and_where_it_stops_is_told_in_words() -> None:
    called = ToolCalled(run_id=RUN, call_id="c", name="search", arguments={"query": "depositum", "year": 2020})
    assert describe_event(called) == "  «depositum»"
    assert describe_event(called.model_copy(update={"arguments": {"provisions": []}})) is None
    stopped = [describe_event(RunLimitReached(run_id=RUN, limit=limit)) or "" for limit in LIMITS]
    assert all(line.startswith("Stoppet ved en grense: ") for line in stopped)
    assert not any("_" in line for line in stopped)


def test_a_model_that_is_set_up_wrongly_is_told_with_what_to_do() -> None:
    failed = RunFailed(run_id=RUN, problem=ProblemType.NOT_CONFIGURED, detail="Nøkkelen godtas ikke.")
    assert describe_event(failed) == f"Mislyktes: Nøkkelen godtas ikke. {CHECK_MODEL}"
    busy = failed.model_copy(update={"problem": ProblemType.UNAVAILABLE})
    assert describe_event(busy) == "Mislyktes: Nøkkelen godtas ikke."


@pytest.mark.parametrize(
    ("in_force", "remark"),
    [(InForce.NOT_YET, "ikke trådt i kraft"), (InForce.REPEALED, "opphevet"), (InForce.UNKNOWN, "ikke oppgitt")],
)
def test_a_citation_that_is_not_plainly_law_is_remarked_on(capsys, in_force: InForce, remark: str) -> None:
    show_answer(answer(citations=(citation(in_force=in_force),)))
    assert remark in capsys.readouterr().out


def test_an_answer_from_the_sample_says_plainly_that_it_is_no_law(capsys) -> None:
    show_answer(answer(sample=True))
    assert "oppdiktet eksempelsett. Det er ikke norsk rett" in capsys.readouterr().out


def test_an_insufficient_answer_names_the_nearest_provisions(capsys) -> None:
    show_answer(answer(insufficient=True, citations=(), suggestions=(evidence(),), answer_text="Fant ikke svar."))
    printed = capsys.readouterr().out
    assert "Nærmeste bestemmelser" in printed
    assert "§ 3. Betaling" in printed


def test_text_cannot_steer_the_terminal_or_be_taken_for_markup(capsys) -> None:
    show_answer(answer(answer_text="\x1b[31mrød\x1b[0m [bold]ikke fet[/bold] \x07", citations=()))
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "\x07" not in printed
    assert "[bold]ikke fet[/bold]" in printed


def test_json_is_one_object_that_reads_back_as_the_answer(capsysbinary) -> None:
    show_json(answer())
    printed = capsysbinary.readouterr().out
    assert printed.endswith(b"}\n")
    assert Answer.model_validate(json.loads(printed)).citations[0].verified


def test_a_sync_report_counts_and_names_what_was_skipped(capsys) -> None:
    skipped = (SkippedDocument(file="nl-1.xml", reason="ikke velformet"),)
    report = SyncReport(added=4241, provisions=93_000, skipped=skipped, seconds=12.34)
    end = SyncCompleted(sync_id="s", dataset="gjeldende-lover", report=report, corpus_version=1)
    show_syncs(IngestReport(syncs=(end,)))
    printed = capsys.readouterr().out.replace("\u00a0", " ")
    assert "4 241 nye" in printed
    assert "1 hoppet over" in printed
    assert "nl-1.xml: ikke velformet" in printed


def test_a_sync_of_a_catalogue_counts_items_and_shows_remarks_by_line(capsys) -> None:
    skipped = (SkippedDocument(file="items.csv:12", reason="navnet («name») mangler"),)
    report = SyncReport(added=250, skipped=skipped)
    end = SyncCompleted(sync_id="s", dataset="katalog-hjelp", report=report, corpus_version=1)
    show_syncs(IngestReport(syncs=(end,)))
    printed = capsys.readouterr().out
    assert "Ferdig med katalogen hjelp: 250 nye" in printed
    assert "1 merknader" in printed
    assert "  items.csv:12: navnet («name») mangler" in printed
    assert "bestemmelser" not in printed


def test_steps_hits_and_sources_are_told_and_drafts_are_not() -> None:
    assert describe_event(StepStarted(run_id=RUN, step=1, name="s", title="Søker i lover")) == "Søker i lover"
    hits = ToolResult(run_id=RUN, call_id="c", name="s", hits=1200, searched_law_types=(LawType.LOV,))
    assert describe_event(hits) == "  1\u00a0200 treff i lover"
    assert describe_event(SourcesFound(run_id=RUN, evidence=(evidence(),))) == "  Fant Prøveloven § 3. Betaling"
    assert describe_event(AnswerDelta(run_id=RUN, text="utkast")) is None


def test_a_run_that_is_taken_over_is_told_of_and_a_first_attempt_is_not() -> None:
    limits = RunLimits(rounds=1, tool_calls=1, seconds=1)
    assert describe_event(RunStarted(run_id=RUN, limits=limits, model="extractive")) is None
    assert "forsøk 2" in str(describe_event(RunStarted(run_id=RUN, limits=limits, model="extractive", attempt=2)))


def test_numbers_days_and_control_characters() -> None:
    assert number(4241) == "4\u00a0241"
    assert written_day(date(2026, 12, 1)) == "1. desember 2026"
    assert clean("a\x1b]0;tittel\x07b\u202e\n") == "a]0;tittelb\n"


def test_progress_in_a_terminal_leaves_its_lines_and_nothing_else(monkeypatch) -> None:
    screen = io.StringIO()
    screen.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    progress = make_progress()
    assert isinstance(progress, LiveProgress)
    progress.doing("Starter …")
    progress.doing("")
    progress.sync(SyncStarted(sync_id="s", dataset="gjeldende-lover", source="x"))
    stage = SyncStage.STORING
    progress.sync(SyncProgressed(sync_id="s", dataset="gjeldende-lover", stage=stage, documents=7, archive_bytes=5))
    progress.say("en linje [/bold]")
    failed = SyncFailed(
        sync_id="s", dataset="gjeldende-lover", problem=ProblemType.SOURCE_UNREACHABLE, detail="ikke nådd"
    )
    progress.sync(failed, tell_failure=False)
    progress.close()
    progress.sync(failed)
    assert "en linje [/bold]" in screen.getvalue()
    assert screen.getvalue().count("ikke nådd") == 1
    assert screen.getvalue().endswith("ikke nådd\n")


def hit(snippet: str, marks: tuple[tuple[int, int], ...], parts: dict[str, float] | None = None) -> ProvisionHit:
    return ProvisionHit(
        refid="lov/2000-01-01-1",
        section="§3",
        act="Prøveloven",
        title="§ 3. Depositum",
        law_type=LawType.LOV,
        snippet=snippet,
        marks=marks,
        score=12.5,
        in_force=InForce.YES,
        url="",
        lovdata_url="https://lovdata.no/x",
        tokens=1,
        score_parts=parts,
    )


def bold(text: Text) -> list[str]:
    return [text.plain[span.start : span.end] for span in text.spans if span.style == "bold"]


def test_matching_words_are_bold_where_characters_were_taken_away_too() -> None:
    assert bold(marked(hit("Et \x1bdepositum på to måneders leie", ((4, 13), (29, 33))))) == ["depositum", "leie"]
    assert marked(hit("Et \x1bdepositum", ((4, 13),))).plain == "Et depositum"


def test_marks_that_do_not_fit_the_snippet_mark_nothing() -> None:
    text = marked(hit("depositum", ((3, 3), (5, 4), (-1, 2), (4, 99), (0, 4), (2, 6))))
    assert (text.plain, bold(text)) == ("depositum", ["depo"])


def test_hits_are_plain_where_there_is_no_terminal_and_tell_their_scores_parts_when_they_have_them(capsys) -> None:
    page = {"total": 2, "page": 1, "page_size": 10, "prioritized": False, "corpus_version": 1, "took_ms": 1.0}
    found = (hit("Et depositum", ((3, 12),)), hit("", (), {"title": 8.0, "text": 4.5}))
    show_hits(ProvisionHits(hits=found, searched_law_types=(LawType.LOV,), **page))
    out = capsys.readouterr().out
    assert "\nEt depositum\n" in out
    assert out.count("poeng") == 1
    assert "poeng 12.5: title 8, text 4.5" in out


def test_products_are_shown_with_price_and_address_and_no_controls(capsys) -> None:
    found = ProductHit(
        catalogue="arbeidshulp",
        product_id="15",
        name="Herstel\x1bcoaching",
        description="Traject van zes maanden.",
        price="Vanaf € 2.500",
        url="https://www.arbeidshulp.example/15",
        category="Coaching",
        similarity=0.9,
    )
    show_products(ProductHits(hits=(found,)))
    assert capsys.readouterr().out.startswith(
        "1. Herstelcoaching (Vanaf € 2.500)\nTraject van zes maanden.\n"
        "https://www.arbeidshulp.example/15 · Coaching · arbeidshulp\n"
    )
    show_products(ProductHits())
    assert capsys.readouterr().out == "Ingen tilbud passer.\n"


def test_what_is_recommended_comes_after_the_sources_of_an_answer(capsys) -> None:
    show_answer(make_whole_answer("r"))
    out = capsys.readouterr().out
    assert out.count("Tilbud som kan hjelpe") == 1
    assert out.index("Kilder") < out.index("Tilbud som kan hjelpe") < out.index("https://www.arbeidshulp.example/15")
