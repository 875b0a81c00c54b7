"""The time until users are served again after a fault, with the whole system under the launcher.

    uv run python benchmarks/healing.py                                  # every fault, some five minutes
    uv run python benchmarks/healing.py --fault kill-search --fault link-agent-nats --json

Searches and questions arrive over HTTP at a steady low rate, with a patience of ten seconds, while faults are
injected one after another. `kill-…` and `stop-…` send a process SIGKILL and SIGSTOP; the launcher restarts it.
`link-…` blocks a service's connections to a server for ten seconds, and leaves them open. Each fault is a line:

    first_failure_s     from the fault to the first request that failed; - when none did
    healed_s            from the fault, or for a link from its end (0 when sooner), to the first answer to what was
                        asked after the last that failed, of searches and of questions whichever is later; "never"
                        within a minute, or when the launcher did not start the process again
    searches, failed    how many arrived in that time, and how many of them were not answered
    questions, failed   likewise; a question is answered when its event stream reached the end of its run
    slowest_s           of those that were answered
    open                runs accepted in that time that have not ended a minute after the last fault
    told                the failures: a status, "late", "broken" (no answer, or half of one), or
                        "failed" (the run did)

The corpus is the bundled sample, and questions are answered by quotes. It ends with 1 when a run was left open, or
some fault was not recovered from.
"""

import argparse
import asyncio
import contextlib
import json
import sys
from bisect import bisect_left
from datetime import datetime
from functools import partial
from typing import Any

from healing_faults import FAULTS, Launched, launched
from healing_requests import Asked, Door

from lovsvar_contracts.message import utc_now
from lovsvar_testkit.questions import wired
from lovsvar_testkit.waiting import until

LINK_SECONDS = 10.0
QUIET_SECONDS = 4.0
"""After so long without a failure a fault is over."""

LONGEST_SECONDS = 60.0
EARLY_SECONDS = 2.0
"""What is under way for longer holds up the next fault."""


Row = dict[str, Any]
"""What is printed of a fault, by column."""


async def measure(system: Launched, door: Door, name: str) -> Row:
    """Make a fault, wait until it is over, and return what came of the requests meanwhile."""
    fault = FAULTS[name]
    before, began, back = system.pid(fault.process), door.now(), True
    if fault.server:
        async with system.swallowing(fault):
            await asyncio.sleep(LINK_SECONDS)
        ended = door.now()
    else:
        system.signal(fault)
        ended = began

        async def started_again() -> bool:
            return system.pid(fault.process) not in (before, None)

        try:
            await until(started_again, LONGEST_SECONDS)
        except TimeoutError:
            back = False
    with contextlib.suppress(TimeoutError):
        await until(partial(door.is_calm, door.now(), QUIET_SECONDS, EARLY_SECONDS), LONGEST_SECONDS)
    asked = [one for one in door.asked if one.ended is None or one.ended >= began]
    return {"fault": name, **figures(asked, began, ended), **({} if back else {"healed_s": "never"})}


def figures(asked: list[Asked], began: float, ended: float) -> Row:
    """Return what users saw of a fault that began and ended then."""
    failed = [one for one in asked if one.failed]
    healed = [healing(asked, kind) for kind in {one.kind for one in failed}]
    counts = {
        key: sum(one.kind == kind and (not failures or one.failed) for one in asked)
        for kind in ("searches", "questions")
        for key, failures in ((kind, False), (f"{kind}_failed", True))
    }
    told = [one.told for one in failed]
    return {
        "first_failure_s": round(min(one.ended or 0.0 for one in failed) - began, 1) if failed else None,
        "healed_s": "never"
        if None in healed
        else max((max(0.0, round(at - ended, 1)) for at in healed if at), default=None),
        **counts,
        "slowest_s": round(max((one.ended - one.sent for one in asked if one.ended and not one.told), default=0.0), 1),
        "open": None,
        "told": {words: told.count(words) for words in sorted(set(told))},
    }


def healing(asked: list[Asked], kind: str) -> float | None:
    """Return when the first was answered that was sent after the last that failed, None when none was."""
    last = max(one.sent for one in asked if one.kind == kind and one.failed)
    answers = [one.ended for one in asked if one.kind == kind and one.ended and not one.told and one.sent > last]
    return min(answers, default=None)


async def left_open(system: Launched) -> list[datetime]:
    """Wait until runs have ended, and return when each was accepted that has not."""
    async with wired(system.nats_url) as wire:

        async def all_closed() -> bool:
            return not await wire.unclosed()

        with contextlib.suppress(TimeoutError):
            await until(all_closed, LONGEST_SECONDS)
        return [(await wire.log.begin(run_id)).occurred_at for run_id in await wire.unclosed()]


async def measure_all(names: list[str], linked: bool) -> list[Row]:
    """Return a row for each of the faults, made to one system."""
    if not names:
        return []
    rows: list[Row] = []
    over: list[datetime] = []
    async with launched(linked) as system, Door(system.url) as door:
        await door.serves()
        with door.asking():
            await asyncio.sleep(QUIET_SECONDS)
            for name in names:
                rows.append(await measure(system, door, name))
                over.append(utc_now())
                print(f"{name} is over", file=sys.stderr)
            await asyncio.sleep(EARLY_SECONDS)
        # What was accepted after the last is not the last's fault.
        meanwhile = [bisect_left(over, accepted) for accepted in await left_open(system)]
    return [{**row, "open": meanwhile.count(number)} for number, row in enumerate(rows)]


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fault", action="append", choices=FAULTS, metavar="NAME", help=" ".join(FAULTS))
    parser.add_argument("--json", action="store_true", help="print each fault as a JSON object")
    arguments = parser.parse_args()
    names = arguments.fault or list(FAULTS)
    # What links lead through would be in the way of the other faults.
    rows = await measure_all([name for name in names if not FAULTS[name].server], False)
    rows += await measure_all([name for name in names if FAULTS[name].server], True)
    if not arguments.json:
        print(" ".join(f"{key:>{width_of(key)}}" for key in rows[0]))
    for row in rows:
        print(json.dumps(row) if arguments.json else line_of(row))
    sys.exit(any(row["open"] or row["healed_s"] == "never" for row in rows))


def width_of(key: str) -> int:
    """Return how wide a column is."""
    return 22 if key == "fault" else len(key)


def line_of(row: Row) -> str:
    """Return a row of the table."""
    return " ".join(f"{'-' if value is None else str(value):>{width_of(key)}}" for key, value in row.items())


if __name__ == "__main__":
    asyncio.run(main())
