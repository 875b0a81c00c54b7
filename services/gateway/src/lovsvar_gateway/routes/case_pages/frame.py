"""What the pages of cases have in common: their frame, what became of a form, and who may send one."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request, Response
from pydantic import ValidationError
from starlette.responses import HTMLResponse, RedirectResponse

from lovsvar_contracts.cases import Case
from lovsvar_contracts.message import new_id
from lovsvar_contracts.problems import ProblemError
from lovsvar_gateway.access import SAFE
from lovsvar_gateway.core.errors import ForeignForm, FormIncomplete
from lovsvar_gateway.core.phrases import describe
from lovsvar_gateway.core.question_form import is_run_id
from lovsvar_gateway.forms import from_elsewhere
from lovsvar_gateway.pages import show
from lovsvar_gateway.parts import Parts
from lovsvar_gateway.problems import STATUS
from lovsvar_gateway.routes import cases

PRIVATE: Mapping[str, str] = {"Cache-Control": "no-store"}

FAULTS = (ProblemError, ValidationError, FormIncomplete)
"""Why a form is not taken. The page is shown again with what was written."""

_WRONG_VALUE = re.compile(r"Verdien av «([A-Za-z]+)» er ikke gyldig\.")
_NAMED = re.compile(r"«([A-Za-z]+)»|\{\{([\w.]+)\}\}")


@dataclass(frozen=True)
class Fault:
    """Why a form was not taken: a phrase of the page, or bokmål words of a service. `fields` are those it is about."""

    status: int
    phrase: str = ""
    words: str = ""
    fields: frozenset[str] = frozenset()


def fault_of(error: Exception) -> Fault:
    """Return what the page says of an error of `FAULTS`."""
    if isinstance(error, FormIncomplete):
        return Fault(422, phrase=error.phrase, fields=frozenset({error.field}))
    if isinstance(error, ProblemError):
        if wrong := _WRONG_VALUE.fullmatch(error.problem.detail):
            return Fault(422, phrase="case_field_wrong", fields=frozenset({wrong[1]}))
        named = frozenset(quoted or placed for quoted, placed in _NAMED.findall(error.problem.detail))
        return Fault(STATUS[error.problem.type], words=error.problem.detail, fields=named)
    assert isinstance(error, ValidationError)  # noqa: S101
    words, fields = describe([{**one, "loc": ("body", *one["loc"])} for one in error.errors()])
    return Fault(422, words=words, fields=frozenset(one.field.rpartition(".")[2] for one in fields))


def new_router() -> APIRouter:
    """Return a router of pages, which takes forms of this site alone."""
    return APIRouter(include_in_schema=False, dependencies=[Depends(check_sender)])


async def check_sender(request: Request) -> None:
    """Raise `ForeignForm` for a form that a page of another site sent: the browser would add the reader's key."""
    if request.method not in SAFE and from_elsewhere(request):
        raise ForeignForm


async def show_case(
    request: Request,
    parts: Parts,
    template: str,
    case: Case | str,
    *,
    fault: Fault | None = None,
    given: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Show a page of a case, which is read if only its id is given. `given` is what a form held that was not taken."""
    if isinstance(case, str):
        case = await cases.read_case(case, Response(), parts)
    given = given or {}
    if fault and fault.status == 409 and given.get("version", str(case.version)) != str(case.version):
        fault = Fault(409, phrase="case_changed_meanwhile")
    return show(
        request,
        template,
        status=fault.status if fault else 200,
        headers=PRIVATE,
        case=case,
        state=case.state,
        details=case.state.details,
        path=f"/saker/{case.case_id}",
        is_open=case.state.phase != "closed",
        fault=fault,
        given=given,
        once=new_id(),
        done=request.query_params.get("gjort", "") if not fault else "",
        **values,
    )


def done_at(path: str, done: str) -> Response:
    """Redirect to a page, which says what was `done` (the phrase `case_done_…`) and has the focus there."""
    return RedirectResponse(f"{path}?{urlencode({'gjort': done})}#gjort", status_code=303)


def once_of(given: Mapping[str, str]) -> str | None:
    """Return the id of a form as it was filled in: sent twice it is done once. None where it has none.

    Whoever goes back and writes something else sends another one.
    """
    if not is_run_id(given.get("once", "")):
        return None
    return hashlib.sha256(repr(sorted(given.items())).encode()).hexdigest()[:32]


def version_of(given: Mapping[str, str]) -> int | None:
    """Return the version of the case that the form was made of; None where it names none."""
    version = given.get("version", "")
    return int(version) if re.fullmatch(r"[1-9][0-9]{0,8}", version) else None
