"""The tools by which a model works on a case. What it is shown is without personal data; each result has a `status`."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Protocol

from pydantic import ValidationError

from lovsvar_cases.core.casefile import CaseFile
from lovsvar_cases.core.casework import update_case
from lovsvar_cases.core.errors import CasesError
from lovsvar_cases.core.parties import NAME_FIELDS
from lovsvar_cases.core.ports import CaseStore, CreditStore
from lovsvar_cases.core.pseudonyms.gate import PLACEHOLDER, everywhere
from lovsvar_cases.core.support import create_ticket
from lovsvar_contracts.cases import Actor, ActorKind, CaseGrant, GrantCase, TicketRequest, UpdateCase, UseTool
from lovsvar_contracts.tools import CallTool, OfferedTool, ToolReply, Tools

MOST_TEXT = 39_000
"""Characters of a result; a reply's text may have a thousand more."""

MOST_DETAILS = 30_000
"""Characters of details that are shown: placeholders may be longer than what they stand for."""

SHORT_LIST = 2
"""So few entries are not left out."""


@dataclass(frozen=True)
class Granted:
    """For whom a run acts, and in which case."""

    actor: Actor
    case_id: str
    run_id: str


class Grants(Protocol):
    """Makes and reads what lets a run act."""

    def made(self, granted: Granted) -> str:
        """Return a grant that is good for an hour."""

    def read(self, grant: str, run_id: str) -> Granted | None:
        """Return what a grant says; None for one that is not of this run, has ended, or was not made here."""


async def grant_case(request: GrantCase, store: CaseStore, grants: Grants) -> CaseGrant:
    """Let a run act in a case that its opener may see."""
    await store.read(request.actor, request.case_id)
    return CaseGrant(grant=grants.made(Granted(request.actor, request.case_id, request.run_id)))


@dataclass(frozen=True)
class Desk:
    """What tools work with, for one call."""

    store: CaseStore
    accounts: CreditStore
    granted: Granted
    call: CallTool

    @property
    def about(self) -> dict[str, Any]:
        """The fields of a request about the case."""
        return {"actor": self.granted.actor, "case_id": self.granted.case_id}

    @property
    def request_id(self) -> str:
        """The id of the change that this call makes; a repeat of the call is the same."""
        return self.call.event_id


Result = dict[str, Any]
Work = Callable[[Desk, Mapping[str, Any]], Awaitable[Result]]


def success(**more: Any) -> Result:
    """Return the result of a tool that did its work."""
    return {"status": "success", **more}


def not_found(message: str) -> Result:
    """Return the result of a tool that looked for something that there is not."""
    return {"status": "not_found", "message": message}


def failed(message: str) -> Result:
    """Return the result of a tool that did not do its work, with what to do otherwise."""
    return {"status": "error", "error_message": message}


async def get_case_details(desk: Desk, _: Mapping[str, Any]) -> Result:
    """Return the details, without names and numbers, and the version they are of.

    Of a case too long to be shown, the oldest entries of its longest lists are left out, and it is said how many.
    """
    async with desk.store.gate(desk.granted.actor, desk.granted.case_id) as (file, gate):
        details, left_out = newest(file.state.details.model_dump(mode="json"), MOST_DETAILS)
        # A long case takes a tenth of a second, in which others are answered.
        shown = await asyncio.to_thread(everywhere, gate.hidden, {**_about(file), **details})
    return success(case_details={**shown, "left_out": left_out} if left_out else shown)


def _about(file: CaseFile) -> dict[str, Any]:
    state = file.state
    about = {"phase": str(state.phase), "tier": state.tier, "title": state.title, "version": file.version}
    return {**about, "last_updated": file.changed_at.isoformat()}


def newest(details: dict[str, Any], most: int) -> tuple[dict[str, Any], dict[str, int]]:
    """Return details of `most` characters at most, if less of their longest lists makes them so short.

    Left out are the oldest entries; the second value is how many of each list, by its path.
    """
    lists = {path: details[path] for path in ("facts", "internal_notes")}
    lists["agent_interactions.log"] = details["agent_interactions"]["log"]
    left_out: dict[str, int] = {}
    while len(json.dumps(details, ensure_ascii=False)) > most:
        path = max(lists, key=lambda one: len(json.dumps(lists[one], ensure_ascii=False)))
        if (half := len(lists[path]) // 2) < SHORT_LIST:
            break
        del lists[path][:half]
        left_out[path] = left_out.get(path, 0) + half
    return details, left_out


async def update_case_details(desk: Desk, given: Mapping[str, Any]) -> Result:
    """Update the details; what replaces something needs the version that was read."""
    async with desk.store.gate(desk.granted.actor, desk.granted.case_id) as (_, gate):
        # A model may have a name from elsewhere; what it writes is kept without it.
        updates = everywhere(gate.hidden, given["updates"])
    request = UpdateCase(
        **desk.about, request_id=desk.request_id, updates=updates, expected_version=given.get("expected_version")
    )
    case = await update_case(request, desk.store)
    return success(version=case.version)


async def get_party_id_by_name(desk: Desk, given: Mapping[str, Any]) -> Result:
    """Return the id of the party that somebody means by a name, a role or a placeholder."""
    file, values = await desk.store.parties(desk.granted.actor, desk.granted.case_id)
    mentioned = " ".join(str(given["mentioned_name"]).split()).casefold()
    if found := PLACEHOLDER.search(mentioned):
        mentioned = found[1]
    for party in file.state.details.parties_involved_context:
        if party.removed:
            continue
        fields = values.get(party.party_id, {})
        names = [fields[name] for name in NAME_FIELDS if name in fields]
        whole = f"{fields.get('firstName', '')} {fields.get('lastName', '')}"
        if _means(mentioned, (party.party_id, party.role, whole, *names)):
            return success(partyId=party.party_id)
    return not_found("Fant ingen part med dette navnet i saken. Spør brukeren om personen er lagt til som part.")


def _means(mentioned: str, names: tuple[str, ...]) -> bool:
    forms = {mentioned, mentioned.removesuffix("s").rstrip("'’")} - {""}
    for name in names:
        known = " ".join(name.split()).casefold()
        # The definite form of a role too: utleieren.
        if known and (forms & {known, f"{known}en", f"{known}n", *known.replace("-", " ").split()}):
            return True
    return False


async def check_quota(desk: Desk, given: Mapping[str, Any]) -> Result:
    """Return whether the case's account has credit for a tier; one that the case uses already counts."""
    file = await desk.store.read(desk.granted.actor, desk.granted.case_id)
    tier = given["tier"]
    if file.state.entitled and file.state.tier is not None and file.state.tier >= tier:
        return success(has_quota=True)
    return success(has_quota=(await desk.accounts.quota(file.account, tier)).suffices)


async def create_support_ticket(desk: Desk, given: Mapping[str, Any]) -> Result:
    """Ask for human help, and pause the case."""
    request = TicketRequest(
        **desk.about,
        request_id=desk.request_id,
        issue_description=given["issue_description"],
        agent_state_snapshot=given.get("agent_state_snapshot"),
    )
    ticket = await create_ticket(request, desk.store)
    return success(ticket_id=ticket.ticket_id)


async def use_tool(request: UseTool, tools: "CaseTools") -> ToolReply:
    """Carry a tool out in a case, without a run."""
    return await tools.use(request)


READING = frozenset({"get_case_details", "check_quota", "get_party_id_by_name", "read_case_document"})
"""What says how the case is now, which may change while a model works on it."""


@dataclass(frozen=True)
class CaseTool:
    """A tool: what a model is offered, and what carries it out."""

    offered: OfferedTool
    work: Work


def text(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "description": description, **more}


def tool(name: str, title: str, description: str, work: Work, required: tuple[str, ...], **properties: Any) -> CaseTool:
    """Return a tool about a case: besides `properties` it takes the case's id."""
    parameters = {
        "type": "object",
        "properties": {"case_id": text("Sakens id."), **properties},
        "required": list(required),
        "additionalProperties": False,
    }
    offered = OfferedTool(name=name, title=title, description=description, parameters=parameters, needs_grant=True)
    return CaseTool(offered.model_copy(update={"repeatable": name in READING}), work)


TIER = {"type": "integer", "minimum": 1, "maximum": 3, "description": "Sakens nivå."}
SAID = text("Hva som er galt, hva som er forsøkt, og hvorfor det ikke går videre.", minLength=1, maxLength=4_000)

OWN_TOOLS = (
    tool(
        "get_case_details",
        "Leser saken",
        "Hent alt som er lagret om saken: sammendrag, fakta, mål, parter (uten navn), dokumenter, funn i loven, "
        "utkast, notater og logg, og versjonen (`version`). Bruk den før du endrer noe, og "
        "når du trenger hele sammenhengen. Av en lang sak vises det nyeste; `left_out` er hvor mange "
        "som mangler først i hver liste, og plassene i lista teller dem med.",
        get_case_details,
        ("case_id",),
    ),
    tool(
        "update_case_details",
        "Oppdaterer saken",
        'Lagre noe i saken. `updates` er felt med punktum mellom: {"summary.current": "…"} erstatter, og krever '
        '`expected_version` fra get_case_details; {"facts": [{"fact": "…", "timestamp": "…"}]} legger til i '
        'lista; {"legal_research.legislation": [{"doc_id": "…", "title": "…"}]} erstatter lista. Feltene er '
        "summary.current, facts, objectives, legal_research.legislation, legal_research.practice, draft_status, "
        "internal_notes, agent_interactions.log og case_processing_state. Skriv parter som {{party0.lastName}}.",
        update_case_details,
        ("case_id", "updates"),
        updates={"type": "object", "description": "Feltene og verdiene deres.", "minProperties": 1},
        expected_version={"type": "integer", "minimum": 1, "description": "Versjonen som ble lest."},
    ),
    tool(
        "get_party_id_by_name",
        "Slår opp en part",
        "Finn id-en (party0, party1 …) til den parten brukeren mener med et navn eller en rolle, til bruk i "
        "plassholdere som {{party0.lastName}}.",
        get_party_id_by_name,
        ("case_id", "mentioned_name"),
        mentioned_name=text("Navnet eller rollen slik brukeren sa det.", minLength=1, maxLength=200),
    ),
    tool(
        "check_quota",
        "Sjekker kvoten",
        "Sjekk om den som eier saken, har kvote igjen for et nivå. Bruk den straks nivået er bestemt.",
        check_quota,
        ("tier",),
        tier=TIER,
        user_id=text("Trengs ikke: den som eier saken."),
        organization_id={"type": ["string", "null"], "description": "Trengs ikke."},
    ),
    tool(
        "create_support_ticket",
        "Ber om hjelp fra brukerstøtten",
        "Siste utvei når et verktøy ikke lar seg bruke, og verken nye forsøk, råd eller brukeren hjalp. Saken stanses "
        "til brukerstøtten har sett på den.",
        create_support_ticket,
        ("case_id", "issue_description"),
        issue_description=SAID,
        agent_state_snapshot={"type": "object", "description": "Hva som var i gang."},
    ),
)
"""The tools of this service itself; modules that add to a case bring theirs (`CaseTool`)."""


class CaseTools:
    """All tools of cases, and calls of them."""

    def __init__(
        self,
        store: CaseStore,
        accounts: CreditStore,
        grants: Grants,
        tools: tuple[CaseTool, ...] = OWN_TOOLS,
        of_the_agent: Mapping[str, Work] = MappingProxyType({}),
    ) -> None:
        """`of_the_agent` is what the agent itself calls in a run, by name: no model is offered it."""
        self._store = store
        self._accounts = accounts
        self._grants = grants
        self._offered = tuple(one.offered for one in tools)
        self._works = {**{one.offered.name: one.work for one in tools}, **of_the_agent}

    def offered(self) -> Tools:
        """Return what a model is offered."""
        return Tools(tools=self._offered)

    async def call(self, request: CallTool) -> ToolReply:
        """Carry a call out, and return its result as JSON, with its status. A repeat of a call changes nothing more."""
        return self._reply(await self._result(request), request)

    def _reply(self, result: Result, request: CallTool) -> ToolReply:
        written = json.dumps(result, ensure_ascii=False)
        if len(written) > MOST_TEXT:
            result = failed("Svaret er for langt. Be om mindre.")
            written = json.dumps(result, ensure_ascii=False)
        return ToolReply(status=result["status"], text=written, correlation_id=request.correlation_id)

    async def use(self, request: UseTool) -> ToolReply:
        """Carry out what a model is offered, for who may see the case, as `call` does for a run."""
        call = CallTool(
            event_id=request.request_id,
            correlation_id=request.correlation_id,
            name=request.name,
            arguments=request.arguments,
            run_id=request.request_id,
        )
        if request.name not in {one.name for one in self._offered}:
            return self._reply(failed(f"Verktøyet {request.name} finnes ikke."), call)
        return self._reply(await self._work(Granted(request.actor, request.case_id, call.run_id), call), call)

    async def _result(self, request: CallTool) -> Result:
        granted = self._grants.read(request.grant or "", request.run_id)
        if granted is None:
            return failed("Verktøyet virker bare i en sak, og denne samtalen er ikke knyttet til noen.")
        return await self._work(granted, request)

    async def _work(self, granted: Granted, request: CallTool) -> Result:
        if request.name not in self._works:
            return failed(f"Verktøyet {request.name} finnes ikke.")
        if request.arguments.get("case_id", granted.case_id) != granted.case_id:
            return failed(f"Samtalen gjelder saken {granted.case_id}, og ingen annen.")
        actor = granted.actor.model_copy(update={"kind": ActorKind.AGENT, "operator": False})
        desk = Desk(self._store, self._accounts, replace(granted, actor=actor), request)
        try:
            return await self._works[request.name](desk, request.arguments)
        except CasesError as exc:
            return failed(str(exc))
        except (ValidationError, KeyError, TypeError, ValueError):
            return failed("Argumentene passer ikke med verktøyets skjema.")
