"""Measuring search: the file of questions, the measures, and what people are shown of them."""

import asyncio
import json
from pathlib import Path

import pytest

from lovsvar_contracts.law import InForce, LawType
from lovsvar_contracts.search import CorpusStatus, ProvisionHit, ProvisionHits, SearchMode
from lovsvar_local import evaluation
from lovsvar_local.commands.evaluate import chosen_questions
from lovsvar_local.errors import BadQuestions
from lovsvar_local.evaluation import AT_ONCE, Evaluation, Question, Split, choose, is_held_out, judge, read_questions

ACT = "lov/2999-01-01-1"
OTHER = "lov/2999-02-02-2"


def line(id_: str = "A1", **more: object) -> str:
    fields = {"id": id_, "lang": "nb", "style": "lay", "question": "Hva?", "gold": [{"refid": ACT, "section": "§3-5"}]}
    return json.dumps({**fields, **more}, ensure_ascii=False)


def question(id_: str = "A1", **more: object) -> Question:
    return Question.model_validate_json(line(id_, **more))


def hits(*found: tuple[str, str], mode: SearchMode = SearchMode.LEXICAL) -> ProvisionHits:
    listed = [
        ProvisionHit(
            refid=refid,
            section=section,
            act="Prøveloven",
            title=f"{section}. Prøve",
            law_type=LawType.LOV,
            snippet="",
            score=1.0,
            in_force=InForce.YES,
            url="",
            lovdata_url="",
            tokens=1,
        )
        for refid, section in found
    ]
    return ProvisionHits(
        hits=tuple(listed),
        total=len(listed),
        page=1,
        page_size=10,
        searched_law_types=(),
        prioritized=True,
        mode=mode,
        corpus_version=1,
        took_ms=1,
    )


def evaluated(*ranks: int | None, mode: SearchMode = SearchMode.LEXICAL, **more: object) -> Evaluation:
    """Questions whose answer stands at `ranks`, among provisions of another act."""
    outcomes = []
    for number, rank in enumerate(ranks):
        found = [(OTHER, f"§{n}") for n in range(1, 11)]
        if rank:
            found[rank - 1] = (ACT, "§3-5")
        outcomes.append(judge(question(f"A{number}", **more), hits(*found)))
    return evaluation.evaluate(mode, outcomes)


def test_a_file_is_one_question_a_line_and_unknown_fields_are_passed_over() -> None:
    also = [{"refid": OTHER, "section": "§1"}]
    lines = [line("A1", note="husk") + "\r", "", line("A2", question="Et\u2028to", also=also), ""]
    first, second = read_questions("\n".join(lines), "q.jsonl")
    assert (first.id, second.id) == ("A1", "A2")
    assert first.gold[0].section == "§3-5"
    assert second.also[0].refid == OTHER


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ('{"id": ', "er ikke gyldig JSON"),
        ("[]", "er ikke et JSON-objekt"),
        ('{"id": "A9"}', "lang mangler"),
        (line("A9", gold=[]), "gold har feil form"),
        (line("A9", gold=[{"refid": ACT}]), r"gold\.0\.section mangler"),
        (line("A9", question=" "), "question har feil form"),
        (line("A1"), "id A1 står også på linje 1"),
    ],
)
def test_a_wrong_line_is_named_with_what_is_wrong_there(wrong: str, words: str) -> None:
    with pytest.raises(BadQuestions, match=rf"^q\.jsonl, linje 3: {words}\.$"):
        read_questions(f"{line('A1')}\n\n{wrong}\n", "q.jsonl")


def test_a_file_without_questions_or_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text("\n \n")
    with pytest.raises(BadQuestions, match=r"q\.jsonl har ingen spørsmål"):
        chosen_questions(file, Split.ALL)
    file.write_bytes(f"{line()}\n".encode() + b"\xff\xfe")
    with pytest.raises(BadQuestions, match="linje 2: er ikke UTF-8"):
        chosen_questions(file, Split.ALL)
    held_out = next(id_ for id_ in (f"A{n}" for n in range(20)) if is_held_out(id_))
    file.write_text("\ufeff" + line(held_out), encoding="utf-8")
    assert len(chosen_questions(file, Split.HELD_OUT)) == 1
    with pytest.raises(BadQuestions, match="ingen spørsmål i delen tune"):
        chosen_questions(file, Split.TUNE)


def test_about_a_third_is_held_out_by_the_id_alone() -> None:
    questions = [question(f"A{n:03}") for n in range(900)]
    held_out, tune = choose(questions, Split.HELD_OUT), choose(questions, Split.TUNE)
    assert 250 < len(held_out) < 350
    assert sorted(q.id for q in (*held_out, *tune)) == [q.id for q in questions]
    assert choose(questions, Split.ALL) == tuple(questions)
    # Written out, so that what has been reported on is never tuned on by accident.
    assert [q.id for q in held_out[:4]] == ["A007", "A013", "A014", "A017"]
    assert choose(reversed(questions), Split.HELD_OUT) == held_out[::-1]


def test_a_provision_of_gold_or_also_is_a_hit_and_spaces_and_case_do_not_count() -> None:
    asked = question(gold=[{"refid": ACT, "section": "§42 A"}], also=[{"refid": OTHER, "section": "gdpr/a17"}])
    assert judge(asked, hits((ACT, "§1"), (ACT, "§42a"))).rank == 2
    assert judge(asked, hits((OTHER, "GDPR/a17"))).rank == 1
    assert judge(asked, hits((OTHER, "§42a"))).rank is None, "a section is of its act"


def test_the_right_document_is_found_before_or_without_the_right_provision() -> None:
    outcome = judge(question(), hits((OTHER, "§1"), (ACT, "§1"), (ACT, "§3-5")))
    assert (outcome.rank, outcome.law_rank) == (3, 2)
    assert [found.right for found in outcome.top] == [False, False, True]
    outcome = judge(question(), hits((ACT, "§1")))
    assert (outcome.rank, outcome.law_rank) == (None, 1)


def test_only_the_first_ten_results_count() -> None:
    assert judge(question(), hits(*[(OTHER, "§1")] * 10, (ACT, "§3-5"))).rank is None


def test_the_measures_are_shares_of_all_questions() -> None:
    measures = evaluated(1, 2, 5, 6, 10, None, None, None).overall
    assert measures.questions == 8
    assert (measures.hit_at_1, measures.hit_at_5, measures.hit_at_10) == (0.125, 0.375, 0.625)
    assert measures.mrr_at_10 == pytest.approx((1 + 1 / 2 + 1 / 5 + 1 / 6 + 1 / 10) / 8, abs=1e-4)
    assert measures.law_at_5 == 0.375


def test_measures_are_by_style_and_by_language_too() -> None:
    lay, legal = evaluated(1, None, lang="en"), evaluated(2, style="legal")
    both = evaluation.evaluate(SearchMode.LEXICAL, lay.outcomes + legal.outcomes)
    assert {style: m.hit_at_5 for style, m in both.by_style.items()} == {"lay": 0.5, "legal": 1.0}
    assert {lang: m.questions for lang, m in both.by_lang.items()} == {"en": 2, "nb": 1}


async def test_all_questions_are_asked_some_at_once_and_told_in_their_order() -> None:
    under_way, most = 0, 0

    async def find(text: str, mode: SearchMode) -> ProvisionHits:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return hits((ACT, "§3-5") if text == "3" else (OTHER, "§1"), mode=mode)

    questions = [question(f"A{n}", question=str(n)) for n in range(30)]
    done = await evaluation.ask_all(questions, SearchMode.VECTOR, find)
    assert [outcome.id for outcome in done.outcomes] == [q.id for q in questions]
    assert [outcome.id for outcome in done.outcomes if outcome.rank] == ["A3"]
    assert most == AT_ONCE


async def test_a_search_that_fails_ends_the_evaluation() -> None:
    asked = []

    async def find(text: str, mode: SearchMode) -> ProvisionHits:
        asked.append(text)
        if len(asked) == 1:
            raise BadQuestions("nei")
        await asyncio.Event().wait()
        raise AssertionError

    before = asyncio.all_tasks()
    with pytest.raises(BadQuestions, match="nei"):
        await evaluation.ask_all([question(f"A{n}") for n in range(100)], SearchMode.VECTOR, find)
    await asyncio.gather(*(asyncio.all_tasks() - before), return_exceptions=True)  # what was under way is cancelled
    assert len(asked) <= AT_ONCE + 1


def test_a_table_has_a_row_for_each_group_and_a_remark_when_there_are_no_vectors() -> None:
    table = evaluation.table(evaluated(1, None)).splitlines()
    assert table[0].split() == ["lexical", "spørsmål", "hit@1", "hit@5", "hit@10", "MRR@10", "law@5"]
    assert table[1].split() == ["alle", "2", "0.500", "0.500", "0.500", "0.500", "0.500"]
    assert [row.split()[:2] for row in table[2:]] == [["stil", "lay"], ["språk", "nb"]]
    assert "OBS: 2 spørsmål er rangert etter ord alene" in evaluation.table(evaluated(1, None, mode=SearchMode.HYBRID))


def test_a_miss_tells_what_was_found_instead() -> None:
    words = evaluation.misses(evaluated(1, 6, None))
    assert "A0" not in words
    assert "A1 (lay, nb, nr. 6): Hva?" in words
    assert f"A2 (lay, nb, ikke funnet): Hva?\n    svaret: {ACT} §3-5\n    1. Prøveloven §1. Prøve ({OTHER} §1)" in words
    assert evaluation.misses(evaluated(5)) == ""
    nothing = evaluation.evaluate(SearchMode.LEXICAL, [judge(question(), hits())])
    assert evaluation.misses(nothing).endswith("ingen treff")


def test_a_report_says_over_how_much_the_measures_are() -> None:
    status = CorpusStatus(
        documents=3,
        provisions=1234,
        embedded=567,
        corpus_version=1,
        stored_version=1,
        corpus_date=None,
        by_law_type={},
        sample=False,
        indexed_provisions=1234,
        ready=True,
    )
    report = evaluation.report(status, Split.HELD_OUT, [evaluated(1, 2)])
    heading = evaluation.heading(report).replace("\u00a0", " ")
    assert heading == "2 spørsmål (holdt utenfor), 1 234 bestemmelser, 567 av dem med vektor"
