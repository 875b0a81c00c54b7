"""Records, in the files of the templates, the hashes of the provisions that they rest on.

`uv run python -m lovsvar_cases.record_provisions NATS_URL` reads each provision from a running search service, writes
its hash into the template, and names those that there are not. It is run by who has read what changed.
"""

import asyncio
import re
import sys
from pathlib import Path

from lovsvar_cases.adapters.search_law import SearchLaw
from lovsvar_cases.core.drafts.shelf import digests_of
from lovsvar_cases.core.drafts.templates import read_template
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings

TEMPLATES = Path(__file__).with_name("templates")


async def record(nats_url: str) -> int:
    """Rewrite the files, and return how many provisions there are not."""
    paths = sorted(TEMPLATES.glob("*.md"))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    refs = {ref for text in texts.values() for ref in read_template(text).provisions}
    async with make_broker(ServiceSettings(nats_url=nats_url), "record_provisions") as broker:
        digests = await digests_of(refs, SearchLaw(Requester(broker)))
    missing = sorted(f"{ref.refid}/{ref.section}" for ref in refs if digests[ref] is None)
    for path, text in texts.items():
        changed = text
        for ref, digest in ((ref, digests[ref]) for ref in read_template(text).provisions):
            name = re.escape(f'"{ref.refid}/{ref.section}" = ')
            changed = re.sub(rf'^({name})"[0-9a-f]*"', rf'\g<1>"{digest or ""}"', changed, flags=re.MULTILINE)
        if changed != text:
            path.write_text(changed, encoding="utf-8")
            sys.stdout.write(f"{path.name}\n")
    sys.stdout.write("".join(f"missing: {name}\n" for name in missing))
    return len(missing)


if __name__ == "__main__":
    sys.exit(min(1, asyncio.run(record(sys.argv[1]))))
