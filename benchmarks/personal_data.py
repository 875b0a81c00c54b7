"""Whether personal data gets out: cases worked on by the whole system, and every channel looked through for it.

    uv run python benchmarks/personal_data.py [--cases 300] [--scanned-every 10] [--at-once 2] [--source FOLDER]

Each case is generated: parties, a story, messages, documents (PDF, DOCX, e-mail, text, scanned), with names and numbers
in the forms that people write. It goes by the gateway's door to finished letters; assistant and reasoner are scripted,
and repeat whatever they are shown. Looked through are the requests to both models, to assistants elsewhere and to the
provider of practice, every NATS message, all that is stored in streams, the audit, the events of runs, tickets, traces,
metrics, logs at DEBUG, and every row of the database. Before that a case without personal data is walked, with which
nothing may be found. `--source` stores Norway's law in place of the sample; names that it has are given to nobody.
`--json` prints one object.

Ends with 1 when an identifier or a registered name is seen anywhere, when less than 95 % of the words of other names
are masked, when a letter lacks a value, or when a text was shown to no model, so that nothing is said of it.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lovsvar_testkit.deposit_law import deposit_law
from lovsvar_testkit.personal_data.trial import Outcome, Trial


def report(outcome: Outcome) -> dict[str, Any]:
    """Return the figures."""
    return {
        "channels": {
            name: {"entries": outcome.entries[name], "bytes": one.size, "found": len(outcome.leaks.get(name, {}))}
            for name, one in outcome.looked.items()
        },
        "secrets looked for": outcome.secrets,
        "words of other names": outcome.others,
        "of them masked": round(outcome.masked, 4),
        "not masked": sorted(set(outcome.others_seen)),
        "values that letters must hold": outcome.wanted,
        "values that letters lack": list(outcome.missing),
        "texts shown to no model": list(outcome.unread),
        "cases that did not end": list(outcome.failures),
        "load average": os.getloadavg()[0],
    }


def main() -> int:
    """Walk, look, print; return what the process ends with."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--scanned-every", type=int, default=10)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--source", default="", help="folder of Lovdata's archives")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    began = time.monotonic()

    def tell(what: str) -> None:
        print(f"{time.monotonic() - began:6.0f} s  {what}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="lovsvar-personal-data-") as folder:
        law = deposit_law(given.source)
        outcome = Trial(Path(folder), law, given.cases, given.scanned_every, given.at_once, tell).run()
    found = {**report(outcome), "seconds": round(time.monotonic() - began)}
    if given.json:
        print(json.dumps(found, ensure_ascii=False))
    else:
        print(f"{'channel':24} {'entries':>9} {'bytes':>13} {'found':>6}")
        for name, one in found.pop("channels").items():
            print(f"{name:24} {one['entries']:9} {one['bytes']:13} {one['found']:6}")
        for name, value in found.items():
            print(f"{name}: {value}")
    for channel, leaks in outcome.leaks.items():
        for value, seen in leaks.items():
            print(f"{channel}: {value}: {seen!r}", file=sys.stderr)
    return 0 if outcome.holds else 1


if __name__ == "__main__":
    sys.exit(main())
