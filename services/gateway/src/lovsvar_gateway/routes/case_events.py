"""The stream of events of a case: everything that happens in it, the runs of its messages too."""

import contextlib
import json
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response

from lovsvar_contracts.message import Token
from lovsvar_gateway.adapters.case_events import CaseFollower
from lovsvar_gateway.core.case_place import PLACE, CasePlace
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.routes.questions import EVENTS
from lovsvar_gateway.sse import Frames, frame

router = APIRouter(tags=["cases"])

LastEvent = Annotated[str | None, Header(alias="Last-Event-ID", max_length=1_500, pattern=PLACE, examples=["12"])]
SeenVersion = Annotated[
    int, Query(ge=0, lt=10**9, description="The version of the case that was read; `Last-Event-ID` goes before it.")
]


@router.get("/v1/cases/{case_id}/events", response_class=Response, responses=EVENTS)
async def follow_case(
    case_id: Token, parts: GatewayParts, last_event_id: LastEvent = None, after: SeenVersion = 0
) -> Response:
    """Follow a case: each change (`case.changed`: version, who, what), and the events of the runs of its messages.

    It begins with the first change, or behind the version that was read, and stays open. A reader that comes back with
    `Last-Event-ID` misses nothing and sees nothing twice. It ends with `case.erased`.
    """
    place = CasePlace(after) if last_event_id is None else CasePlace.read(last_event_id)
    follower = CaseFollower(parts.cases, parts.runs, case_id, place)
    await follower.begin()
    return parts.stream(_frames(follower))


async def _frames(follower: CaseFollower) -> Frames:
    async with contextlib.aclosing(follower.events()) as events:
        async for place, data in events:
            yield frame(data["type"], json.dumps(data, ensure_ascii=False), str(place))
