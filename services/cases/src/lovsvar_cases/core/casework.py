"""The work on a case: opening, updating, moving and reading it."""

from collections.abc import Mapping, Sequence
from typing import Any

from lovsvar_cases.core.casefile import CaseFile, ChangeBody, Step
from lovsvar_cases.core.errors import InvalidUpdate, StaleVersion, WrongPhase
from lovsvar_cases.core.parties import parties_of, remove_party, set_party
from lovsvar_cases.core.phases import PhaseStep, after, is_open
from lovsvar_cases.core.ports import Books, CaseStore
from lovsvar_cases.core.pseudonyms.gate import everywhere
from lovsvar_cases.core.tiers import TierTranslations
from lovsvar_cases.core.updates import OF_PARTIES, replacing
from lovsvar_contracts.case_accesses import MOST_ACCESSES, Accesses, ReadAccesses
from lovsvar_contracts.case_details import CaseState, Phase
from lovsvar_contracts.cases import (
    MOST_CHANGES,
    Actor,
    Case,
    CaseAction,
    CaseChange,
    CaseLine,
    Cases,
    EraseCase,
    History,
    ListCases,
    MoveCase,
    OpenCase,
    Parties,
    ReadCase,
    ReadHistory,
    ReadParties,
    RemoveParty,
    SetParty,
    Tombstone,
    UpdateCase,
)
from lovsvar_contracts.message import utc_now

STEPS: Mapping[str, PhaseStep] = {
    "close": PhaseStep.CLOSE,
    "reopen": PhaseStep.REOPEN,
    "wait": PhaseStep.WAIT,
    "go_on": PhaseStep.GO_ON,
}


async def open_case(request: OpenCase, store: CaseStore, translations: TierTranslations) -> Case:
    """Open a case. One that is described at once waits for its tier; the other begins with a greeting that asks."""
    greeting = {"by": "assistant", "text": translations.nb.greeting, "timestamp": utc_now().isoformat()}
    updates: dict[str, Any] = {"agent_interactions.log": [greeting]}
    phase = Phase.DESCRIBING
    if words := request.description.strip():
        said = {"by": "person", "text": words, "timestamp": utc_now().isoformat()}
        updates = {"summary.current": words, "agent_interactions.log": [said]}
        phase = after(PhaseStep.DESCRIBE, CaseState())
    body = ChangeBody(phase=phase, title=request.title.strip(), updates=updates)
    return (await store.open(request, Step(CaseAction.CASE_OPENED, body))).shown()


async def read_case(request: ReadCase, store: CaseStore) -> Case:
    """Return a case as it is, or as it was, with what placeholders in it stand for."""
    case = (await store.read(request.actor, request.case_id, request.version)).shown()
    state = case.state.model_dump(mode="json")
    if "{{" not in str(state):
        return case
    async with store.gate(request.actor, request.case_id) as (_, gate):
        return case.model_copy(update={"state": CaseState.model_validate(everywhere(gate.shown, state))})


async def read_history(request: ReadHistory, store: CaseStore) -> History:
    """Return a page of a case's changes."""
    file, changes = await store.history(request.actor, request.case_id, request.after, noted=not request.following)
    last = changes[-1].version if changes else file.version
    return History(
        case_id=file.case_id, version=file.version, changes=tuple(changes), next=last if last < file.version else None
    )


async def update_case(request: UpdateCase, store: CaseStore) -> Case:
    """Change the details of a case. Raises `StaleVersion`, `InvalidUpdate` and `WrongPhase`."""

    async def decide(file: CaseFile, _: Books) -> Step:
        check_open(file)
        check_update(file, request.updates, request.expected_version)
        phase = None
        if file.state.phase is Phase.DESCRIBING and _describes(request.updates):
            phase = after(PhaseStep.DESCRIBE, file.state)
        return Step(CaseAction.DETAILS_UPDATED, ChangeBody(phase=phase, updates=request.updates))

    return (await store.change(request.actor, request.case_id, request.request_id, decide)).shown()


def check_update(file: CaseFile, updates: Mapping[str, Any], expected: int | None) -> None:
    """Raise `StaleVersion` when the writer has read another version, and `InvalidUpdate` when it must say which."""
    if expected is not None and expected != file.version:
        raise StaleVersion(expected, file.version)
    if not updates:
        raise InvalidUpdate("Endringen er tom. Nevn minst ett felt.")
    if own := [path for path in updates if path.split(".")[0] == OF_PARTIES]:
        raise InvalidUpdate(f"«{own[0][:100]}» endres ved å endre partene.")
    replaced = list(replacing(file.state.details, updates))
    if replaced and expected is None:
        raise InvalidUpdate(
            f"«{replaced[0][:100]}» ville bli erstattet: send expected_version, versjonen du har lest "
            f"(nå {file.version}). Uten den kan lister bare få noe lagt til."
        )


def check_open(file: CaseFile) -> None:
    """Raise `WrongPhase` for a case that is closed."""
    if not is_open(file.state.phase):
        raise WrongPhase("Saken er avsluttet. Åpne den igjen for å endre den.")


def _describes(updates: Mapping[str, Any]) -> bool:
    return any(path.split(".")[0] in {"summary", "facts"} and value for path, value in updates.items())


async def move_case(request: MoveCase, store: CaseStore) -> Case:
    """Close a case, open it again, or say that it waits or goes on. Raises `WrongPhase`."""

    async def decide(file: CaseFile, _: Books) -> Step:
        phase = after(STEPS[request.step], file.state)
        return Step(CaseAction.PHASE_CHANGED, ChangeBody(phase=phase, about=request.reason or None))

    return (await store.change(request.actor, request.case_id, request.request_id, decide)).shown()


async def write_party(request: SetParty, store: CaseStore) -> Parties:
    """Add or change a party, and return all parties as they are then. Raises `InvalidParty` and `UnknownParty`."""

    async def decide(file: CaseFile, _: Books) -> Step:
        check_open(file)
        return set_party(file, request)

    await store.change(request.actor, request.case_id, request.request_id, decide)
    return await read_parties(ReadParties(actor=request.actor, case_id=request.case_id), store)


async def forget_party(request: RemoveParty, store: CaseStore) -> Parties:
    """Forget a party, and return those that are left. Raises `UnknownParty`."""

    async def decide(file: CaseFile, _: Books) -> Step:
        return remove_party(file, request.party_id)

    await store.change(request.actor, request.case_id, request.request_id, decide)
    return await read_parties(ReadParties(actor=request.actor, case_id=request.case_id), store)


async def read_parties(request: ReadParties, store: CaseStore) -> Parties:
    """Return the parties of a case, for their form: one of the two places where the vault is opened to a reader."""
    file, values = await store.parties(request.actor, request.case_id)
    found = parties_of(file.state.details, values)
    return Parties(case_id=file.case_id, version=file.version, parties=found)


async def list_cases(request: ListCases, store: CaseStore) -> Cases:
    """Return a page of the cases that the actor may see, the last changed first."""
    lines, following = await store.list(request)
    if request.pseudonymised:
        lines = [await _without_names(line, request.actor, store) for line in lines]
    return Cases(cases=tuple(lines), next=following)


async def _without_names(line: CaseLine, actor: Actor, store: CaseStore) -> CaseLine:
    async with store.gate(actor, line.case_id) as (_, gate):
        return line.model_copy(update={"title": gate.hidden(line.title)})


async def read_accesses(request: ReadAccesses, store: CaseStore) -> Accesses:
    """Return a page of who looked at a case."""
    found = await store.accesses(request.actor, request.case_id, request.before)
    following = found[-1].at if len(found) == MOST_ACCESSES else None
    return Accesses(case_id=request.case_id, accesses=tuple(found), next=following)


async def erase_case(request: EraseCase, store: CaseStore) -> Tombstone:
    """Erase a case, whatever its phase: its key goes, and with it all that was sealed."""
    return await store.erase(request.actor, request.case_id)


def page_of(changes: Sequence[CaseChange], most_bytes: int) -> Sequence[CaseChange]:
    """Return as many of `changes`, at least one, as fit a reply."""
    size = 0
    kept: list[CaseChange] = []
    for change in changes[:MOST_CHANGES]:
        size += len(change.model_dump_json())
        if kept and size > most_bytes:
            break
        kept.append(change)
    return kept
