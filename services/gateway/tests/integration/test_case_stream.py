"""The stream of events of a case, with a cases service that answers by the book and runs in a real log."""

from typing import Any

import pytest

from lovsvar_chassis.problems import problem
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import Cursor, RunLog
from lovsvar_contracts import cases, subjects
from lovsvar_contracts.case_details import CaseDetails
from lovsvar_contracts.case_events import CaseChanged
from lovsvar_contracts.problems import ProblemType
from lovsvar_contracts.run_events import RunAccepted, RunCompleted
from lovsvar_gateway import case_examples

ID = case_examples.ID


async def ran(run_log: RunLog, run_id: str, case_id: str | None) -> str:
    accepted = RunAccepted(run_id=run_id, question="Hemmelig?", case_id=case_id)
    _, end = await run_log.append(accepted, Cursor())
    await run_log.append(RunCompleted(run_id=run_id), end)
    return run_id


def working_on(run_id: str) -> cases.Case:
    details = CaseDetails.model_validate({"case_processing_state": {"run_id": run_id}})
    return case_examples.CASE.model_copy(update={"state": case_examples.STATE.model_copy(update={"details": details})})


@pytest.mark.parametrize("case_id", ["another", None])
async def test_a_stream_holds_no_run_of_another_case_whatever_its_reader_names(
    gateway: Any, behind: Any, run_log: RunLog, events: EventPublisher, case_id: str | None
) -> None:
    own, foreign = await ran(run_log, "own", ID), await ran(run_log, "foreign", case_id)
    await run_log.append(RunAccepted(run_id="going-on", question="Hemmelig?", case_id=case_id), Cursor())
    behind.reply[subjects.CASES_READ] = working_on("going-on")
    behind.reply[subjects.CASES_HISTORY] = cases.History(case_id=ID, version=3)
    for headers, query in (({"Last-Event-ID": f"3.{foreign}:0,{own}:0"}, ""), ({}, "?after=3")):
        path = f"/v1/cases/{ID}/events{query}"
        async with gateway.stream("GET", path, headers=headers) as stream:
            seen = [await stream.next(), await stream.next()] if headers else []
            behind.reply[subjects.CASES_HISTORY] = problem(ProblemType.NOT_FOUND, "Finnes ikke.")
            await events.notify(subjects.case_changed(ID), CaseChanged(case_id=ID, version=0))
            seen += [event async for event in stream]
        assert [one["event"] for one in seen if one["data"].get("run_id") == own] == (
            ["run.accepted", "run.completed"] if headers else []
        )
        assert {one["data"].get("run_id") for one in seen} <= {own, None}
        assert seen[-1]["event"] == "case.erased"
        behind.reply[subjects.CASES_HISTORY] = cases.History(case_id=ID, version=3)
    assert {one.updates["agent_interactions.log"][0]["run_id"] for one in behind.asked if _is_note(one)} == {own}


def _is_note(request: Any) -> bool:
    return isinstance(request, cases.UpdateCase)
