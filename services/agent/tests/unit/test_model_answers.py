"""The benchmark of answers with a model: what it counts, and that a record is answered again as it was."""

import importlib
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.core.guidance.library import NO_GUIDANCE
from lovsvar_agent.core.run import Limits
from lovsvar_contracts.law import InForce
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import Answer, Citation, Mode, RunStatus, Usage

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"
HOLDS = "Pantet kan være på høyst fire ukers båtleie"
ROW = {
    "id": "a1",
    "question": "Hvor mye kan båteieren kreve i pant?",
    "right": [{"refid": "lov/2999-01-01-1", "section": "§ 3-2"}, {"refid": "lov/2999-01-01-1", "section": "§4-1"}],
    "also": [{"refid": "lov/2999-01-01-1", "section": "§1-1"}],
}
SILENT = {"id": "a2", "question": "Hva koster en is?", "right": []}


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    before = set(sys.modules)
    yield importlib.import_module("model_answers")
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(BENCHMARKS)):
            del sys.modules[name]


def answer(*sections: str, verified: bool = True, **fields) -> Answer:
    citations = [
        Citation(
            number=n,
            evidence_id=f"lovdata-{n}",
            refid="lov/2999-01-01-1",
            section=section,
            title="x",
            url="/x",
            lovdata_url="/x",
            quote="x",
            verified=verified,
            in_force=InForce.YES,
        )
        for n, section in enumerate(sections, start=1)
    ]
    return Answer(run_id="r", status=RunStatus.COMPLETED, mode=Mode.DIRECT, question="?", citations=citations, **fields)


def test_a_provision_that_answers_counts_as_right_and_all_of_them_as_all_right(benchmark) -> None:
    one = benchmark.score(ROW, answer("§3-2"))
    both = benchmark.score(ROW, answer("§3-2", "§4-1"))
    also = benchmark.score(ROW, answer("§1-1"))
    beside = benchmark.score(ROW, answer("§9"))
    assert [(s.right, s.all_right) for s in (one, both, also, beside)] == [
        (True, False),
        (True, True),
        (True, False),
        (False, False),
    ]
    assert not benchmark.score(ROW, answer("§3-2", verified=False)).right


def test_an_answer_with_a_flag_is_not_bound(benchmark) -> None:
    clean = benchmark.score(ROW, answer("§3-2"))
    flagged = benchmark.score(ROW, answer("§3-2", uncited=("Ti år.",), unresolved=("§ 99",)))
    assert (clean.bound, clean.flags) == (True, 0)
    assert (flagged.bound, flagged.flags) == (False, 2)


def test_the_summary_says_of_what_each_count_is(benchmark) -> None:
    usage = Usage(model_calls=2, input_tokens=100, output_tokens=10, cost_usd=0.5)
    scores = [
        benchmark.score(ROW, answer("§3-2", usage=usage), seconds=2.0),
        benchmark.score(ROW, answer("§9")),
        benchmark.score(ROW, answer(insufficient=True)),
        benchmark.score(ROW, "Språkmodellens tjener kan ikke nås."),
        benchmark.score(SILENT, answer(insufficient=True)),
        benchmark.score(SILENT, answer("§9")),
    ]
    found = benchmark.summary(scores)
    assert found["counts"]["right"] == (1, 4)
    assert found["counts"]["beside it"] == (1, 4)
    assert found["counts"]["answerable, abstained"] == (2, 4)
    assert found["counts"]["silent, abstained"] == (1, 2)
    assert found["counts"]["failed"] == (1, 6)
    assert found["means"]["cost_usd"] == pytest.approx(0.5 / 6)


class SaidModel:
    """Replies from a list of texts and problems."""

    name = "said"

    def __init__(self, *replies) -> None:
        self._replies = iter(replies)

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        return 0.01

    async def reply(self, request):
        said = next(self._replies)
        if isinstance(said, Problem):
            raise ProblemError(said)
        half = len(said) // 2
        yield {"choices": [{"delta": {"content": said[:half]}}]}
        yield {"choices": [{"delta": {"content": said[half:]}, "finish_reason": "stop"}]}
        yield {"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 20}}


@pytest.mark.parametrize("mode", [Mode.DIRECT, Mode.AGENT])
async def test_a_record_is_answered_again_without_model_and_search(benchmark, corpus, tmp_path, mode) -> None:
    records = sys.modules["recorded_answers"]
    said = json.dumps(
        {"citations": [{"evidenceId": "lovdata-1", "quote": HOLDS}], "answer": "Høyst fire ukers båtleie [lovdata-1]."}
    )
    busy = Problem(type=ProblemType.UNAVAILABLE, title="x", detail="Opptatt.", retryable=True)
    model = records.RecordingModel(SaidModel(busy, said))
    search = records.RecordingSearch(MemorySearch(corpus))
    first = await records.answered(ROW["question"], mode, search, model, NO_GUIDANCE, Limits())
    assert [c.section for c in first.citations] == ["§3-2"]
    record = records.Recorded(ROW, mode, "said", 1.5, 0.25, model.said, search.found)
    file = tmp_path / "records.jsonl"
    file.write_text(f"{record.line()}\n{record.line()[:40]}", encoding="utf-8")
    (read,) = records.Recorded.read(file)
    again = await records.played(read, NO_GUIDANCE, Limits())
    same = {"answer_text", "citations", "evidence", "uncited", "mode", "insufficient"}
    assert again.model_dump(include=same) == first.model_dump(include=same)
    ((row, scored),) = await benchmark.replay([read], Limits())
    assert (row["id"], scored.right, scored.seconds, scored.cost_usd) == ("a1", True, 1.5, 0.25)


async def test_what_was_never_asked_is_not_in_a_record(benchmark, corpus) -> None:
    records = sys.modules["recorded_answers"]
    record = records.Recorded(ROW, Mode.DIRECT, "said", 1.0, 0.0, [], {})
    found = await records.played(record, NO_GUIDANCE, Limits(patience=0.0))
    assert isinstance(found, str) or not found.citations
