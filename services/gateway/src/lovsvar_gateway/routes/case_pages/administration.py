"""The administration of a case: tier and credit, help, export, who looked at it, its end."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from urllib.parse import quote

from fastapi import Request, Response
from starlette.responses import HTMLResponse

from lovsvar_contracts.case_accesses import CaseAccess
from lovsvar_contracts.cases import Case
from lovsvar_contracts.message import Token
from lovsvar_gateway.core.errors import FormIncomplete
from lovsvar_gateway.core.question_form import cleaned
from lovsvar_gateway.forms import read_fields
from lovsvar_gateway.parts import GatewayParts, Parts
from lovsvar_gateway.routes import cases
from lovsvar_gateway.routes.case_pages.frame import FAULTS, Fault, done_at, fault_of, new_router, once_of, show_case

router = new_router()

TIERS = (1, 2, 3)
MOST_SHOWN = 100


@router.get("/saker/{case_id}/mer")
async def show_administration(case_id: Token, request: Request, parts: GatewayParts) -> HTMLResponse:
    """Show tier, credit and who looked at the case, with what can be done about it."""
    return await _page(case_id, request, parts)


@router.post("/saker/{case_id}/mer")
async def administer(case_id: Token, request: Request, parts: GatewayParts) -> Response:
    """Do what the form's `do` says."""
    given = await read_fields(request)
    try:
        do = _DOES.get(given.get("do", ""))
        if do is None:
            raise FormIncomplete("case_form_unknown", "do")
        path, done = await do(case_id, given, parts)
    except FAULTS as exc:
        return await _page(case_id, request, parts, fault_of(exc), given)
    return done_at(path, done)


async def _set_tier(case_id: str, given: Mapping[str, str], parts: Parts) -> tuple[str, str]:
    tier = given.get("tier", "")
    decided = cases.DecidedTier.model_validate(
        {"tier": tier or None, "reason": cleaned(given.get("reason", ""), 1_000)}
    )
    case = await cases.set_tier(case_id, decided, parts, once_of(given))
    return f"/saker/{case_id}", "tier" if case.state.entitled else "tier_unpaid"


async def _ask_for_help(case_id: str, given: Mapping[str, str], parts: Parts) -> tuple[str, str]:
    words = cleaned(given.get("issue", ""))
    if not words:
        raise FormIncomplete("case_words_missing", "issue")
    await cases.create_ticket(case_id, cases.Issue(issue_description=words), parts, once_of(given))
    return f"/saker/{case_id}/mer", "ticket"


async def _close(case_id: str, given: Mapping[str, str], parts: Parts) -> tuple[str, str]:
    await cases.close_case(case_id, parts, cases.Reason(reason=cleaned(given.get("reason", ""), 500)))
    return f"/saker/{case_id}", "closed"


async def _reopen(case_id: str, given: Mapping[str, str], parts: Parts) -> tuple[str, str]:
    await cases.reopen_case(case_id, parts, cases.Reason(reason=cleaned(given.get("reason", ""), 500)))
    return f"/saker/{case_id}", "reopened"


async def _erase(case_id: str, given: Mapping[str, str], parts: Parts) -> tuple[str, str]:
    if "sure" not in given:
        raise FormIncomplete("case_erase_unsure", "sure")
    await cases.erase_case(case_id, parts)
    return "/saker", "erased"


_DOES: Mapping[str, Callable[[str, Mapping[str, str], Parts], Awaitable[tuple[str, str]]]] = {
    "tier": _set_tier,
    "help": _ask_for_help,
    "close": _close,
    "reopen": _reopen,
    "erase": _erase,
}


def payment_page(case: Case, parts: Parts) -> str:
    """Return where the case is paid for; empty where the operator named no page."""
    page = parts.settings.payment_page or ""
    return page.replace("{case_id}", quote(case.case_id)).replace("{tier}", str(case.state.tier or ""))


def grouped(accesses: Sequence[CaseAccess]) -> list[tuple[CaseAccess, int]]:
    """Return accesses with how often each was repeated within its minute: a page reads a case several times."""

    def alike(access: CaseAccess) -> tuple[object, ...]:
        return access.at.replace(second=0, microsecond=0), access.by, access.by_kind, access.action

    counts = Counter(map(alike, accesses))
    first = {alike(access): access for access in reversed(accesses)}
    return [(first[key], count) for key, count in counts.items()]


async def _page(
    case_id: str, request: Request, parts: Parts, fault: Fault | None = None, given: Mapping[str, str] | None = None
) -> HTMLResponse:
    case = await cases.read_case(case_id, Response(), parts)
    shared = case.organisation is not None
    quotas, log = await asyncio.gather(
        asyncio.gather(*(cases.read_quota(parts, tier, shared) for tier in TIERS)),
        cases.read_accesses(case_id, Response(), parts),
    )
    values = {
        "quotas": quotas,
        "accesses": grouped(log.accesses)[:MOST_SHOWN],
        "payment_page": payment_page(case, parts),
        "tiers": TIERS,
    }
    return await show_case(request, parts, "case_administration.html", case, fault=fault, given=given, **values)
