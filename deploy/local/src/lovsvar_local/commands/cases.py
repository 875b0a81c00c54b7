"""`lovsvar case`: working on cases by hand."""

import json
import os
import sys
from collections.abc import Coroutine, Iterable
from contextlib import aclosing
from pathlib import Path
from typing import Any, BinaryIO

from lovsvar_contracts.case_accesses import Accesses, CaseAccess
from lovsvar_contracts.case_events import CaseErased, CaseEvent, CaseStreamEvent
from lovsvar_contracts.cases import Case, CaseChange, CaseLine, Cases, History, Parties
from lovsvar_contracts.questions import RunStatus
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument
from lovsvar_local.phrases import describe_event
from lovsvar_local.progress import Progress

COMMAND = "case"
ERASED = "Saken er slettet."


async def new(where: Where, progress: Progress, *, description: str, title: str, for_organisation: bool) -> int:
    """Open a case, and print it."""
    async with open_session(where, COMMAND, progress) as session:
        case = await session.gateway.cases.open(description, title=title, for_organisation=for_organisation)
    progress.result(case, _case(case))
    return exits.OK


async def list_all(where: Where, progress: Progress, *, phase: str | None) -> int:
    """Print the cases, all pages of them."""
    lines: list[CaseLine] = []
    after: str | None = None
    async with open_session(where, COMMAND, progress) as session:
        while True:
            page = await session.gateway.cases.list(phase=phase, after=after)
            lines += page.cases
            if (after := page.next) is None:
                break
    shown = (f"{one.case_id}  {one.phase:15} {one.changed_at:%Y-%m-%d %H:%M}  {one.title}" for one in lines)
    progress.result(Cases(cases=tuple(lines)), "\n".join(shown) or "Ingen saker.")
    return exits.OK


async def show(where: Where, progress: Progress, *, case_id: str, version: int | None, history: bool) -> int:
    """Print a case, or its history."""
    async with open_session(where, COMMAND, progress) as session:
        cases = session.gateway.cases
        if not history:
            case = await cases.read(case_id, version)
            progress.result(case, _case(case))
            return exits.OK
        changes: list[CaseChange] = []
        after: int | None = 0
        while after is not None:
            page = await cases.history(case_id, after)
            changes += page.changes
            after = page.next
    whole = History(case_id=case_id, version=page.version, changes=tuple(changes))
    progress.result(whole, "\n".join(map(_change, changes)))
    return exits.OK


async def tell(where: Where, progress: Progress, *, case_id: str, words: str, when: str | None) -> int:
    """Add a fact to a case."""
    if not words.strip():
        raise BadArgument("Teksten er tom. Skriv hva som har hendt.")
    fact = {"fact": words.strip(), **({"timestamp": when} if when else {})}
    async with open_session(where, COMMAND, progress) as session:
        case = await session.gateway.cases.update(case_id, {"facts": [fact]})
    progress.result(case, _case(case))
    return exits.OK


async def tier(where: Where, progress: Progress, *, case_id: str, tier: int | None) -> int:
    """Decide the tier of a case."""
    async with open_session(where, COMMAND, progress) as session:
        case = await session.gateway.cases.set_tier(case_id, tier)
    progress.result(case, _case(case))
    return exits.OK


async def party(
    where: Where,
    progress: Progress,
    *,
    case_id: str,
    fields: list[str] | None,
    party_id: str | None,
    remove: bool,
    **about: str | None,
) -> int:
    """Add, change, forget or print parties."""
    given = dict(_fields(fields or ()))
    if remove and not party_id:
        raise BadArgument("Si hvilken part som skal glemmes, med --id.")
    async with open_session(where, COMMAND, progress) as session:
        cases = session.gateway.cases
        if remove and party_id:
            parties = await cases.remove_party(case_id, party_id)
        elif given or any(about.values()):
            parties = await cases.write_party(case_id, given, party_id=party_id, **about)
        else:
            parties = await cases.parties(case_id)
    progress.result(parties, _parties(parties))
    return exits.OK


async def close(where: Where, progress: Progress, *, case_id: str, reason: str) -> int:
    """Close a case."""
    async with open_session(where, COMMAND, progress) as session:
        case = await session.gateway.cases.close(case_id, reason)
    progress.result(case, _case(case))
    return exits.OK


async def reopen(where: Where, progress: Progress, *, case_id: str, reason: str) -> int:
    """Open a closed case again."""
    async with open_session(where, COMMAND, progress) as session:
        case = await session.gateway.cases.reopen(case_id, reason)
    progress.result(case, _case(case))
    return exits.OK


def change(
    where: Where, progress: Progress, *, case_id: str, fields: list[str], version: int | None
) -> Coroutine[Any, Any, int]:
    """Change details of a case. Raises `BadArgument`."""
    updates = {name: _value(value) for name, value in _fields(fields)}
    return _change_details(where, progress, case_id, updates, version)


async def _change_details(
    where: Where, progress: Progress, case_id: str, updates: dict[str, Any], version: int | None
) -> int:
    async with open_session(where, COMMAND, progress) as session:
        case = await session.gateway.cases.update(case_id, updates, expected_version=version)
    progress.result(case, _case(case))
    return exits.OK


def _value(written: str | None) -> Any:
    """Return a value as JSON says it, else the words themselves."""
    try:
        return None if written is None else json.loads(written)
    except ValueError:
        return written


async def accesses(where: Where, progress: Progress, *, case_id: str) -> int:
    """Print who looked at a case, all pages of it."""
    found: list[CaseAccess] = []
    async with open_session(where, COMMAND, progress) as session:
        page = await session.gateway.cases.accesses(case_id)
        found += page.accesses
        while page.next is not None:
            page = await session.gateway.cases.accesses(case_id, page.next)
            found += page.accesses
    lines = (f"{one.at:%Y-%m-%d %H:%M:%S}  {one.by or one.by_kind:16} {one.action}" for one in found)
    progress.result(Accesses(case_id=case_id, accesses=tuple(found)), "\n".join(lines))
    return exits.OK


async def say(where: Where, progress: Progress, *, case_id: str, message: str) -> int:
    """Say something in a case, show the steps of the run that answers, and print the answer."""
    async with open_session(where, COMMAND, progress) as session:
        cases = session.gateway.cases
        run_id = await cases.say(case_id, message)
        async with aclosing(cases.reply_events(case_id, run_id)) as events:
            async for event in events:
                if line := describe_event(event):
                    progress.say(line)
        answer = await cases.reply(case_id, run_id)
    progress.result(answer)
    return exits.OK if answer.status in {RunStatus.COMPLETED, RunStatus.LIMIT_REACHED} else exits.PROBLEM


async def follow(where: Where, progress: Progress, *, case_id: str, after: int | None) -> int:
    """Print what happens in a case, each thing as it comes, until the case is erased: from now on, or from a version.

    As JSON it is one object a line.
    """
    async with open_session(where, COMMAND, progress) as session:
        cases = session.gateway.cases
        if after is None:
            after = (await cases.read(case_id)).version
        async with aclosing(cases.events(case_id, after)) as events:
            async for event in events:
                progress.result(event, _event(event))
    return exits.OK


def export(where: Where, progress: Progress, *, case_id: str, file: Path) -> Coroutine[Any, Any, int]:
    """Write everything of a case to a file that its owner alone may read. Raises `BadArgument`."""
    if file.exists():
        raise BadArgument(f"{file} finnes fra før. Velg et annet navn.")
    return _export(where, progress, case_id, file)


async def _export(where: Where, progress: Progress, case_id: str, file: Path) -> int:
    part = file.with_name(f"{file.name}.part")
    try:
        async with open_session(where, COMMAND, progress) as session:
            with _private(part) as held:
                async with aclosing(session.gateway.cases.export(case_id)) as pieces:
                    async for piece in pieces:
                        held.write(piece)
                size = held.tell()
        part.replace(file)
    except OSError as exc:
        raise BadArgument(f"Kan ikke skrive {file}: {exc.strerror or exc}.") from exc
    finally:
        part.unlink(missing_ok=True)
    progress.say(f"Saken er lagret i {file} ({size} byte).")
    return exits.OK


def _private(file: Path) -> BinaryIO:
    """Open a new file that its owner alone may read, in place of one that is left of an export that was cut off."""
    file.unlink(missing_ok=True)
    # Not one that somebody else has made meanwhile and may read.
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def delete(where: Where, progress: Progress, *, case_id: str, yes: bool) -> int | Coroutine[Any, Any, int]:
    """Erase a case. Raises `BadArgument` when nobody can be asked."""
    if not yes:
        if not sys.stdin.isatty():
            raise BadArgument("Sletting kan ikke angres. Bruk --yes for å slette uten å bli spurt.")
        if input("Saken slettes for godt. Skriv «ja» for å slette: ").strip().lower() != "ja":
            progress.say("Ingenting er slettet.")
            return exits.OK
    return _delete(where, progress, case_id)


async def _delete(where: Where, progress: Progress, case_id: str) -> int:
    async with open_session(where, COMMAND, progress) as session:
        tombstone = await session.gateway.cases.erase(case_id)
    progress.result(tombstone, f"Saken er slettet ({tombstone.erased_at:%Y-%m-%d %H:%M}).")
    return exits.OK


def _fields(written: Iterable[str]) -> Iterable[tuple[str, str | None]]:
    for one in written:
        name, equals, value = one.partition("=")
        if not equals or not name:
            raise BadArgument(f"«{one}» er ikke et felt. Skriv for eksempel firstName=Kari.")
        yield name, value or None


def _case(case: Case) -> str:
    state, details = case.state, case.state.details
    head = f"{case.case_id}  {state.title or 'Uten tittel'} ({state.phase}, versjon {case.version})"
    lines = [head, *([f"Nivå {state.tier}: {state.tier_reason}"] if state.tier else [])]
    lines += [details.summary.current] if details.summary.current else []
    lines += [f"- {fact.timestamp + ': ' if fact.timestamp else ''}{fact.fact}" for fact in details.facts]
    lines += [f"Mål: {one}" for one in details.objectives]
    return "\n".join(lines)


def _change(change: CaseChange) -> str:
    return _changed(change, ", ".join(change.updates) or change.about or "")


def _changed(change: CaseChange | CaseEvent, what: str) -> str:
    who = change.by or str(change.by_kind)
    return f"{change.version:4}  {change.at:%Y-%m-%d %H:%M}  {who:16} {change.action}  {what}"


def _event(event: CaseStreamEvent) -> str:
    if isinstance(event, CaseEvent):
        return _changed(event, ", ".join(event.fields) or event.about or "")
    return ERASED if isinstance(event, CaseErased) else describe_event(event) or ""


def _parties(parties: Parties) -> str:
    lines = []
    for one in parties.parties:
        lines.append(f"{one.party_id}  {one.role or one.kind}")
        lines += [f"  {name}: {value}" for name, value in one.fields.items()]
    return "\n".join(lines) or "Saken har ingen parter."
