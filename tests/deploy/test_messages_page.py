"""`docs/messages.md` says what the contracts and the chassis say."""

import re
from pathlib import Path

import pytest

from lovsvar_chassis.manifest import DAY, kept_streams
from lovsvar_contracts import subjects

PAGE = (Path(__file__).parents[2] / "docs" / "messages.md").read_text(encoding="utf-8")
NAMES = {
    value
    for name, value in vars(subjects).items()
    if isinstance(value, str) and value.startswith("lovsvar.") and name != "DOCUMENT_ANY"
}


@pytest.mark.parametrize("subject", sorted(NAMES))
def test_every_subject_is_on_the_page(subject: str) -> None:
    written = re.escape(subject).replace(r"\*", "<[a-z_]+>")
    last = re.escape("." + subject.rsplit(".", 1)[-1])
    assert re.search(f"`{written}`", PAGE) or re.search(f"`lovsvar.document.added`.*`{last}`", PAGE)


@pytest.mark.parametrize("stream", kept_streams(), ids=lambda stream: stream.name)
def test_every_stream_is_on_the_page_with_how_long_it_is_kept(stream) -> None:
    (row,) = re.findall(rf"^\| `{stream.name}` \|.*$", PAGE, re.MULTILINE)
    kept = row.split("|")[4]
    days = stream.max_age and int(stream.max_age / DAY)
    assert {None: "until done", 1: "24 h"}.get(days, f"{days} days") in kept
    assert ("until done" in kept) == stream.work_queue
