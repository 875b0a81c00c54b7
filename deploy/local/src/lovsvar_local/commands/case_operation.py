"""`lovsvar case` about tiers, credit, help, and the master key."""

import os
from collections.abc import Coroutine
from datetime import date
from typing import Any

from lovsvar_contracts.case_keys import KeyRotation
from lovsvar_contracts.cases import Ticket
from lovsvar_local import exits
from lovsvar_local.commands.cases import COMMAND
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument, NotDone
from lovsvar_local.folder import DataFolder, default_path, is_renewed, open_folder, renew_key
from lovsvar_local.locks import FileLock
from lovsvar_local.progress import Progress

KEY_VARIABLES = ("LOVSVAR_CASES_MASTER_KEY", "LOVSVAR_CASES_OTHER_MASTER_KEYS")


async def tiers(where: Where, progress: Progress, *, locale: str) -> int:
    """Print the greeting and the tiers."""
    async with open_session(where, COMMAND, progress) as session:
        found = await session.gateway.cases.texts(locale)
    lines = (f"{one.tier}  {one.name}: {one.description}" for one in found.tiers)
    progress.result(found, "\n".join([found.greeting, *lines]))
    return exits.OK


async def quota(where: Where, progress: Progress, *, tier: int, for_organisation: bool) -> int:
    """Print whether there is credit for one more case."""
    async with open_session(where, COMMAND, progress) as session:
        found = await session.gateway.cases.quota(tier, for_organisation=for_organisation)
    left = "uten grense" if found.left is None else f"{found.left} igjen"
    until = f" til og med {found.ends}" if found.ends else ""
    progress.result(found, f"Nivå {found.tier} for {found.account}: {left}{until}.")
    return exits.OK


def subscribe(
    where: Where, progress: Progress, *, account: str, cases: list[str], starts: str, ends: str
) -> Coroutine[Any, Any, int]:
    """Set what an account gets in a period. Raises `BadArgument`."""
    return _subscribe(where, progress, account, (_day(starts), _day(ends)), dict(map(_credit, cases)))


async def _subscribe(
    where: Where, progress: Progress, account: str, period: tuple[date, date], given: dict[str, int]
) -> int:
    async with open_session(where, COMMAND, progress) as session:
        stored = await session.gateway.cases.subscribe(account, *period, given)
    listed = ", ".join(f"{number} av nivå {tier}" for tier, number in sorted(stored.credits.items()))
    progress.result(stored, f"{stored.account} får {listed} fra {stored.starts} til og med {stored.ends}.")
    return exits.OK


def _day(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise BadArgument(f"«{written}» er ikke en dato. Skriv for eksempel 2026-12-31.") from None


def _credit(written: str) -> tuple[str, int]:
    tier, _, number = written.partition("=")
    if tier not in {"1", "2", "3"} or not number.isdecimal():
        raise BadArgument(f"«{written}» er ikke et nivå og et antall. Skriv for eksempel 1=20.")
    return tier, int(number)


async def ask_for_help(where: Where, progress: Progress, *, case_id: str, issue: str) -> int:
    """Ask the support for help with a case."""
    async with open_session(where, COMMAND, progress) as session:
        ticket = await session.gateway.cases.ask_for_help(case_id, issue)
    progress.result(ticket, f"Henvendelse {ticket.ticket_id} er sendt. Saken er stanset til noen har sett på den.")
    return exits.OK


async def tickets(where: Where, progress: Progress, *, case_id: str | None) -> int:
    """Print the tickets of a case, or all that are open."""
    async with open_session(where, COMMAND, progress) as session:
        found = await session.gateway.cases.tickets(case_id)
    progress.result(found, "\n".join(map(_ticket, found.tickets)) or "Ingen henvendelser.")
    return exits.OK


async def resolve(where: Where, progress: Progress, *, ticket_id: str) -> int:
    """Say that a ticket is resolved."""
    async with open_session(where, COMMAND, progress) as session:
        ticket = await session.gateway.cases.resolve(ticket_id)
    progress.result(ticket, _ticket(ticket))
    return exits.OK


def _ticket(ticket: Ticket) -> str:
    state = f"løst {ticket.resolved_at:%Y-%m-%d}" if ticket.resolved_at else "åpen"
    return f"{ticket.ticket_id}  {ticket.created_at:%Y-%m-%d %H:%M}  {state}  {ticket.issue_description}"


def rotate_key(where: Where, progress: Progress) -> Coroutine[Any, Any, int]:
    """Have the keys of all cases wrapped by another master key. Raises `BadArgument`.

    The folder's own key is replaced first, unless that was done before; elsewhere the services know both keys already.
    """
    folder = None
    if where.url is None and not any(os.environ.get(name) for name in KEY_VARIABLES):
        folder = open_folder(where.data_dir or default_path())
        _renew(folder)
    return _rotate(where, progress, folder)


def _renew(folder: DataFolder) -> None:
    owner = FileLock(folder.launcher_lock)
    try:
        if owner.try_alone():
            renew_key(folder.cases_key, folder.old_cases_key)
        elif not is_renewed(folder.cases_key, folder.old_cases_key):
            raise BadArgument("Stopp Lovsvar først: den nye nøkkelen leses når det starter. Kjør så kommandoen igjen.")
    finally:
        owner.release()


async def _rotate(where: Where, progress: Progress, folder: DataFolder | None) -> int:
    whole = KeyRotation()
    async with open_session(where, COMMAND, progress) as session:
        after: str | None = None
        while True:
            page = await session.gateway.cases.rotate_keys(after)
            whole = KeyRotation(
                read=whole.read + page.read,
                rewrapped=whole.rewrapped + page.rewrapped,
                unreadable=whole.unreadable + page.unreadable,
            )
            if (after := page.next) is None:
                break
            progress.doing(f"{whole.read} saker er sett på …")
    if whole.unreadable:
        raise NotDone(
            f"{whole.unreadable} av {whole.read} saker er lagret med en hovednøkkel som ikke er oppgitt, og er ikke "
            "pakket om. Ta vare på den gamle nøkkelen, og kjør kommandoen igjen med den."
        )
    if folder is not None:
        folder.old_cases_key.unlink(missing_ok=True)
    progress.result(whole, f"{whole.rewrapped} av {whole.read} saker fikk nøkkelen sin pakket om. Alle kan åpnes.")
    return exits.OK
