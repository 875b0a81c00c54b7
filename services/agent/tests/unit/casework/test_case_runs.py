"""Runs in a case, with models that speak from a list, and the case in memory."""

import json
from dataclasses import replace

import pytest

from lovsvar_agent.adapters.memory_case import QUESTION, MemoryCase
from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.adapters.memory_sink import MemorySink
from lovsvar_agent.core.modes import Answerer
from lovsvar_agent.core.reasoning.arguments import Misunderstood
from lovsvar_agent.core.run import Limits
from lovsvar_agent.core.takeover import Attempt, decide
from lovsvar_agent.core.tools.answer_form import ANSWER
from lovsvar_agent.core.tools.registry import ToolRegistry, own_tools
from lovsvar_agent.core.tools.tool import Found, Tool, event_of_call, parameters
from lovsvar_contracts.message import utc_now
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.questions import Mode
from lovsvar_contracts.run_events import AnswerCompleted, RunAccepted, RunFailed, RunLimitReached

DOWN = Problem(type=ProblemType.NOT_CONFIGURED, title="x", detail="Feil nøkkel.")
DRAFT = "lag_brev"
HOLDS = "Pantet kan være på høyst fire ukers båtleie"
TIER = {"text": json.dumps({"tier": 1, "reason": "Et pant.", "question": ""})}


def call(name: str, **arguments: object) -> dict:
    return {"name": name, "arguments": arguments}


FINAL = call(ANSWER, answer=f"{HOLDS} [lovdata-1].", citations=[{"evidenceId": "lovdata-1", "quote": HOLDS}])
CONSULT = call("consult_reasoner", context_summary="Om et pant.", specific_question="Hva mangler?")
WRITE = call(DRAFT, text="a")


class ListedModel:
    """`LanguageModel` that gives replies in order, and waits for ever or stops the run where it has none."""

    def __init__(self, *replies: dict | Problem, name: str = "listed") -> None:
        self.requests: list = []
        self.name = name
        self._replies = list(replies)

    def cost(self, input_tokens: int, output_tokens: int) -> float:
        return (input_tokens + output_tokens) / 1_000_000

    async def reply(self, request):
        self.requests.append(request)
        if not self._replies:
            raise KilledError
        reply = self._replies.pop(0)
        if isinstance(reply, Problem):
            raise ProblemError(reply)
        if "text" in reply:
            yield {"choices": [{"delta": {"content": reply["text"]}, "finish_reason": "stop"}]}
            return
        part = {"index": 0, "function": {"name": reply["name"], "arguments": json.dumps(reply["arguments"])}}
        yield {"choices": [{"delta": {"tool_calls": [part]}, "finish_reason": "tool_calls"}]}


class KilledError(Exception):
    """The process is gone."""


class BufferingSink(MemorySink):
    """What is not settled when the process is gone, is lost with it."""

    stored = 0

    async def settle(self) -> None:
        self.stored = len(self.events)

    async def confirm(self) -> None:
        self.stored = min(self.stored + 1, len(self.events))

    def lose(self) -> None:
        del self.events[self.stored :]


class KillingCase(MemoryCase):
    """A case that does what it is asked; after the first `deadly` call the process that asked is gone."""

    deadly = ""

    async def call(self, asked, name, arguments, call_id):
        result = await super().call(asked, name, arguments, call_id)
        if name == self.deadly:
            self.deadly = ""
            raise KilledError
        return result


class Drafts:
    """A tool with an effect, which fails until it is `mended`. What it wrote is kept by the id of its message."""

    def __init__(self, *, mended: bool) -> None:
        self.mended = mended
        self.deadly = False
        self.written: dict[str, str] = {}

    @property
    def tool(self) -> Tool:
        async def write(law, given) -> Found:
            if not self.mended:
                raise Misunderstood("Feltet adresse mangler.")
            self.written.setdefault(event_of_call(law.call), given["text"])
            if self.deadly:
                self.deadly = False
                raise KilledError
            return Found(result="ok", count=1)

        def show(*_) -> tuple[str, bool]:
            return "Skrevet.", False

        return Tool(DRAFT, "Lager et brev", "Skriv.", parameters(()), write, show, (), acts=True)


class House:
    """What a run in a case needs, and the log of the run."""

    def __init__(self, corpus, asked, case: MemoryCase, drafts: Drafts) -> None:
        self.case = case
        self.drafts = drafts
        self.sink = BufferingSink()
        self.asked = asked.model_copy(
            update={"case_id": "case1", "grant": "g", "question": "Hvor stort kan pantet være?"}
        )
        self._corpus = corpus
        self.before: tuple = ()

    async def run(self, model: ListedModel | None, reasoner: ListedModel | None = None, **limits: float) -> None:
        """Attempt the run, from where its log is."""
        if not self.sink.events:
            await self.sink.emit(RunAccepted(run_id=self.asked.run_id, question=self.asked.question))
            await self.sink.settle()
        answerer = Answerer(
            MemorySearch(self._corpus),
            Limits(patience=0.0),
            Mode.AGENT,
            model,
            tools=ToolRegistry((*own_tools(None), self.drafts.tool)),
            case=self.case,
            case_limits=Limits(patience=0.0, **{"rounds": 12, **limits}),
            reasoner=reasoner,
        )
        attempt = decide(self.asked, self.sink.events, delivery=2, cancelled=False, ack_wait=10, now=utc_now())
        assert isinstance(attempt, Attempt)
        try:
            await answerer.answer(self.asked, replace(attempt, before=self.before), self.sink)
        except KilledError:
            self.sink.lose()

    def of(self, *types: str) -> list:
        return [event for event in self.sink.events if event.type in types]

    @property
    def answer(self) -> str:
        (event,) = self.of("answer.completed")
        assert isinstance(event, AnswerCompleted)
        return event.answer.answer_text


@pytest.fixture
def make_house(corpus, asked):
    def make(case: MemoryCase | None = None, *, mended: bool = True) -> House:
        return House(corpus, asked, case or MemoryCase(), Drafts(mended=mended))

    return make


async def test_the_assistant_decides_on_the_tier_and_goes_on(make_house) -> None:
    house = make_house(MemoryCase("tier", None))
    model = ListedModel(TIER, FINAL)
    await house.run(model)
    assert house.case.made("set_case_tier") == [{"tier": 1, "reason": "Et pant."}]
    assert "nivå 1" in house.answer
    assert HOLDS in house.answer
    assert "nivå en sak hører til" in model.requests[0].messages[0]["content"]
    assert "på nivå 1" in model.requests[1].messages[0]["content"]
    assert [event.type for event in house.of("run.completed", "run.failed")] == ["run.completed"]


@pytest.mark.parametrize("reply", [DOWN, {"text": "Nivå ni, tror jeg."}, {"text": '{"tier": 9, "reason": ""}'}])
async def test_without_a_word_of_the_model_that_can_be_used_the_rules_decide(make_house, reply) -> None:
    house = make_house(MemoryCase("tier", None))
    await house.run(ListedModel(reply, FINAL))
    assert house.case.made("set_case_tier") == [{}]
    assert "nivå 2" in house.answer


async def test_without_a_model_the_tier_is_set_by_rules_and_the_law_is_quoted(make_house) -> None:
    house = make_house(MemoryCase("tier", None))
    await house.run(None)
    assert house.case.tier == 2
    assert HOLDS in house.answer


async def test_a_vague_description_is_asked_about_and_no_work_begins(make_house) -> None:
    question = "Er det en sak for domstolen?"
    house = make_house(MemoryCase("tier", None))
    await house.run(ListedModel({"text": json.dumps({"tier": None, "reason": "", "question": question})}))
    assert house.answer == question
    assert [event.question for event in house.of("user.asked")] == [question]
    assert house.case.phase == "tier"
    ruled = make_house(MemoryCase("tier", None, ruled=None))
    await ruled.run(ListedModel(DOWN))
    assert ruled.answer == QUESTION


@pytest.mark.parametrize(
    ("phase", "said"),
    [("payment", "Betal for saken"), ("quota", "kvote"), ("closed", "avsluttet"), ("paused_support", "brukerstøtten")],
)
async def test_where_no_work_may_begin_no_model_is_asked(make_house, phase: str, said: str) -> None:
    house = make_house(MemoryCase(phase, 1))
    model = ListedModel()
    await house.run(model)
    assert said in house.answer
    assert not model.requests


async def test_a_case_that_nobody_pays_for_waits(make_house) -> None:
    house = make_house(MemoryCase("tier", None, paid=False))
    await house.run(ListedModel(TIER))
    assert "Betal for saken" in house.answer


async def test_advice_is_kept_counted_and_cites_nothing_that_was_not_found(make_house) -> None:
    house = make_house()
    reasoner = ListedModel({"text": "Se [lovdata-1], [lovdata-77] og bygdefestloven § 7, og § 3-2."}, name="advokat")
    model = ListedModel(CONSULT, FINAL)
    await house.run(model, reasoner)
    (event,) = house.of("reasoner.consulted")
    assert (event.status, event.model) == ("success", "advokat")
    assert "lovdata-77" in event.unsourced
    assert "[lovdata-77]" not in event.response
    assert "§ 3-2 (ikke i kildene)" not in event.response
    (kept,) = house.case.made("update_case_details")
    assert kept["updates"]["agent_interactions.log"][0]["by"] == "reasoner"
    asked = reasoner.requests[0].messages
    assert "erfaren norsk advokat" in asked[0]["content"]
    assert "Om et pant." in asked[1]["content"]
    assert HOLDS in asked[1]["content"]
    assert "Hva mangler?" in asked[1]["content"]
    assert "<råd>" in str(model.requests[1].messages)
    assert house.of("usage.updated")[-1].usage.model_calls == 3


async def test_a_consult_that_fails_is_told_in_the_run_to_the_model_and_in_the_answer(make_house) -> None:
    house = make_house()
    model = ListedModel(CONSULT, FINAL)
    await house.run(model, ListedModel(DOWN))
    (event,) = house.of("reasoner.consulted")
    assert (event.status, event.error_message) == ("error", "Feil nøkkel.")
    assert "Feil nøkkel." in str(model.requests[1].messages)
    assert "Fagmodellen kunne ikke spørres (Feil nøkkel.)" in house.answer
    assert HOLDS in house.answer


class FullCase(MemoryCase):
    """A case that cannot be written to, and says so by a problem or by a result."""

    def __init__(self, *, by_a_problem: bool) -> None:
        super().__init__()
        self._by_a_problem = by_a_problem

    async def call(self, asked, name, arguments, call_id):
        if name != "update_case_details":
            return await super().call(asked, name, arguments, call_id)
        if self._by_a_problem:
            raise ProblemError(Problem(type="unavailable", title="Nede", detail="Databasen svarer ikke."))
        return {"status": "error", "error_message": "Databasen svarer ikke."}


@pytest.mark.parametrize("by_a_problem", [True, False])
async def test_advice_that_cannot_be_kept_is_told_as_a_consult_that_failed(make_house, by_a_problem: bool) -> None:
    house = make_house(FullCase(by_a_problem=by_a_problem))
    await house.run(ListedModel(CONSULT, FINAL), ListedModel({"text": "Spør om datoen."}))
    (event,) = house.of("reasoner.consulted")
    assert (event.status, event.error_message) == ("error", "Databasen svarer ikke.")
    assert HOLDS in house.answer


async def test_a_question_back_is_part_of_the_answer_and_the_case_waits(make_house) -> None:
    house = make_house()
    await house.run(ListedModel(call("ask_user", question="Når ble båten levert?"), FINAL))
    assert house.answer.rstrip().endswith("Når ble båten levert?")
    assert HOLDS in house.answer
    assert house.case.phase == "waiting"
    alone = make_house()
    empty = call(ANSWER, answer="", citations=[], insufficient=True, missing="Datoen")
    await alone.run(ListedModel(call("ask_user", question="Når ble båten levert?"), empty))
    assert alone.answer.strip() == "Når ble båten levert?"


async def test_a_tool_that_fails_goes_up_the_ladder_to_the_person(make_house) -> None:
    house = make_house(mended=False)
    model = ListedModel(*[WRITE | {"arguments": {"text": str(n)}} for n in range(5)])
    await house.run(model, ListedModel({"text": "Spør etter adressen."}))
    rungs = [event.type for event in house.of("tool.retried", "reasoner.consulted", "user.asked", "ticket.created")]
    assert rungs == ["tool.retried", "tool.retried", "reasoner.consulted", "user.asked"]
    assert [event.attempt for event in house.of("tool.retried")] == [1, 2]
    assert len(model.requests) == 4
    assert "Feltet adresse mangler." in house.answer
    assert house.case.made("note_case_work")[0]["about_tool"] == DRAFT


async def test_the_same_trouble_after_the_persons_answer_goes_to_the_support(make_house) -> None:
    case = MemoryCase()
    case.obstacle = DRAFT
    house = make_house(case, mended=False)
    model = ListedModel(*[WRITE | {"arguments": {"text": str(n)}} for n in range(5)])
    await house.run(model, ListedModel({"text": "Prøv igjen."}))
    (event,) = house.of("ticket.created")
    assert event.ticket_id == "ticket1"
    assert "ticket1" in house.answer
    assert case.phase == "paused_support"
    assert len(case.made("create_support_ticket")) == 1


@pytest.mark.parametrize("served", range(1, 4))
async def test_whoever_takes_over_goes_on_at_the_same_rung(make_house, served: int) -> None:
    house = make_house(mended=False)
    calls = [WRITE | {"arguments": {"text": str(n)}} for n in range(4)]
    advice = {"text": "Spør etter adressen."}
    await house.run(ListedModel(*calls[:served]), ListedModel())
    await house.run(ListedModel(*calls[served:]), ListedModel(advice))
    rungs = [event.type for event in house.of("tool.retried", "reasoner.consulted", "user.asked", "ticket.created")]
    assert rungs == ["tool.retried", "tool.retried", "reasoner.consulted", "user.asked"]
    assert len(house.of("answer.completed")) == 1
    assert len(house.case.made("note_case_work")) == 1


@pytest.mark.parametrize("served", range(1, 4))
async def test_a_run_that_is_taken_over_does_nothing_twice(make_house, served: int) -> None:
    house = make_house()
    replies = [WRITE, CONSULT, call("ask_user", question="Når?"), FINAL]
    advice = {"text": "Vent."}
    await house.run(ListedModel(*replies[:served]), ListedModel(advice))
    second = ListedModel(*replies[served:])
    await house.run(second, ListedModel(advice) if served < 2 else ListedModel())
    assert list(house.drafts.written.values()) == ["a"]
    assert len(house.of("reasoner.consulted")) == len(house.of("user.asked")) == 1
    assert len(house.case.made("update_case_details")) == 1
    made = [message for message in second.requests[0].messages if message.get("tool_calls")]
    assert len(made) == served
    assert [event.type for event in house.of("run.completed")] == ["run.completed"]


async def test_a_call_that_was_cut_off_is_done_once(make_house) -> None:
    house = make_house()
    await house.run(ListedModel(WRITE))
    cut = next(n for n, event in enumerate(house.sink.events) if event.type == "tool.result" and event.name == DRAFT)
    house.sink.events = house.sink.events[:cut]
    await house.run(ListedModel(FINAL))
    assert list(house.drafts.written.values()) == ["a"]
    assert [event.name for event in house.of("tool.result")].count(DRAFT) == 1


async def test_a_tool_that_acted_before_the_process_was_gone_acts_once(make_house) -> None:
    house = make_house()
    house.drafts.deadly = True
    await house.run(ListedModel(WRITE))
    assert house.sink.events[-1].type == "tool.called"
    second = ListedModel(FINAL)
    await house.run(second)
    assert list(house.drafts.written.values()) == ["a"]
    assert [message for message in second.requests[0].messages if message.get("tool_calls")]


FAILING = [WRITE | {"arguments": {"text": str(n)}} for n in range(4)]


@pytest.mark.parametrize(
    ("deadly", "replies", "told"),
    [
        ("note_case_work", [call("ask_user", question="Når?")], "user.asked"),
        ("note_case_work", FAILING, "user.asked"),
        ("update_case_details", [CONSULT], "reasoner.consulted"),
        ("create_support_ticket", FAILING, "ticket.created"),
    ],
)
async def test_what_was_done_in_the_case_before_the_process_was_gone_is_done_and_told_once(
    make_house, deadly: str, replies: list[dict], told: str
) -> None:
    case = KillingCase()
    case.deadly = deadly
    case.obstacle = DRAFT if told == "ticket.created" else None
    house = make_house(case, mended=replies is not FAILING)
    await house.run(ListedModel(*replies), ListedModel({"text": "Vent."}))
    assert case.deadly == ""
    assert house.of(told) == house.of("run.completed") == []
    await house.run(ListedModel(FINAL), ListedModel({"text": "Vent litt."}))
    assert len(house.of(told)) == len(house.of("run.completed")) == 1
    assert len(case.made(deadly)) == 1
    if told == "user.asked":
        assert case.made(deadly)[0]["waiting_for"] == house.of(told)[0].question
    if told == "ticket.created":
        assert "ticket1" in house.answer


async def test_a_tier_that_was_set_before_the_process_was_gone_is_told_of(make_house) -> None:
    case = KillingCase("tier", None)
    case.deadly = "set_case_tier"
    house = make_house(case)
    await house.run(ListedModel(TIER))
    await house.run(ListedModel(FINAL))
    assert len(case.made("set_case_tier")) == 1
    assert "nivå 1" in house.answer


@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("still_out", [False, True])
async def test_work_that_was_cut_is_gone_on_with_by_the_next_message(make_house, still_out: bool, failed: bool) -> None:
    house = make_house()
    await house.run(ListedModel(WRITE, call(DRAFT, text="b"), FINAL), rounds=2)
    assert isinstance(house.sink.events[-1], RunLimitReached)
    assert "fortsett" in house.answer
    assert house.case.made("note_case_work")[0]["step"] == "cut"
    following = make_house(house.case)
    following.drafts = house.drafts
    events = house.sink.events
    if still_out:
        last = max(n for n, event in enumerate(events) if event.type == "tool.result" and event.name == DRAFT)
        del events[last]
    if failed:
        events[-1] = RunFailed(run_id=house.asked.run_id, problem=ProblemType.INTERNAL, detail="Nede.")
    following.before = tuple(events)
    following.asked = following.asked.model_copy(update={"run_id": "second", "follows": house.asked.run_id})
    model = ListedModel(FINAL)
    await following.run(model)
    assert sorted(house.drafts.written.values()) == ["a", "b"]
    assert len([message for message in model.requests[0].messages if message.get("tool_calls")]) == 2


def test_a_message_of_a_call_has_the_same_id_each_time() -> None:
    assert event_of_call(("run", "call-1-1")) == event_of_call(("run", "call-1-1"))
    assert event_of_call(("run", "call-1-1")) != event_of_call(("run2", "call-1-1"))
    assert event_of_call(("", "")) != event_of_call(("", ""))
