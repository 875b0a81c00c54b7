"""`lovsvar ask` at a gateway that writes down what it is asked."""

import json

import pytest

from lovsvar_contracts.questions import Answer, Mode, RunStatus
from lovsvar_contracts.run_events import RunAccepted, RunCompleted
from lovsvar_local import exits
from lovsvar_testkit.gateway_stand_in import run_command

RUN = "run-2"
EVENTS = [RunAccepted(id=1, run_id=RUN, question="Og da?"), RunCompleted(id=2, run_id=RUN)]


async def ask(stand_in, *options: str) -> tuple[int, str, str]:
    """Run the command; return its exit code and what it said on standard output and standard error."""

    async def events(request) -> None:
        await request.stream()
        for event in EVENTS:
            await request.event(event.type, event.model_dump(mode="json"), event.id)

    answer = Answer(run_id=RUN, status=RunStatus.COMPLETED, mode=Mode.EXTRACTIVE, question="Og da?", answer_text="Ja.")
    stand_in.routes["POST", "/v1/questions"] = lambda request: request.reply({"run_id": RUN}, 202)
    stand_in.routes["GET", f"/v1/questions/{RUN}/events"] = events
    stand_in.routes["GET", f"/v1/questions/{RUN}"] = lambda request: request.reply(answer.model_dump(mode="json"))
    return await run_command(stand_in, "ask", "Og da?", *options)


def bodies(stand_in) -> list[dict]:
    return [json.loads(r.body) for r in stand_in.seen if r.method == "POST"]


async def test_filters_and_what_is_followed_reach_the_gateway_as_fields(stand_in) -> None:
    options = ["--law-type", "Forskrift", "--year", "2020", "--ministry", "Justis", "--follows", "run-1"]
    code, out, err = await ask(stand_in, *options)
    assert code == exits.OK, err
    filters = {"law_type": "forskrift", "year": 2020, "ministry": "Justis"}
    assert bodies(stand_in) == [{"question": "Og da?", "filters": filters, "follows": "run-1"}]
    assert f"lovsvar ask --follows {RUN}" in out


async def test_a_question_alone_is_sent_alone(stand_in) -> None:
    await ask(stand_in)
    assert bodies(stand_in) == [{"question": "Og da?"}]


@pytest.mark.parametrize(
    ("options", "said"),
    [(("--law-type", "tull"), "--law-type må være en av lov,"), (("--year", "99"), "--year må være")],
)
async def test_a_filter_that_is_none_is_told_and_nothing_is_asked(stand_in, options, said: str) -> None:
    code, _, err = await ask(stand_in, *options)
    assert code == exits.USAGE
    assert said in err
    assert stand_in.seen == []
