"""`lovsvar search` at a gateway that writes down what it is asked."""

import asyncio
import os
import sys
from urllib.parse import parse_qsl, urlsplit

import pytest

from lovsvar_contracts.search import CorpusStatus, ProvisionHits, SearchMode
from lovsvar_local import exits

STATUS = CorpusStatus(
    documents=1,
    provisions=1,
    embedded=0,
    corpus_version=1,
    stored_version=1,
    corpus_date=None,
    by_law_type={},
    sample=False,
    indexed_provisions=1,
    ready=True,
)


def no_hits(mode: SearchMode) -> ProvisionHits:
    return ProvisionHits(
        hits=(),
        total=0,
        page=1,
        page_size=10,
        searched_law_types=(),
        prioritized=True,
        mode=mode,
        corpus_version=1,
        took_ms=1,
    )


async def search(stand_in, *options: str, mode: SearchMode = SearchMode.HYBRID) -> tuple[dict[str, str], str]:
    """Run the command, and return the parameters that the gateway got and what was said on standard error."""
    stand_in.routes["GET", "/v1/status"] = lambda request: request.reply(STATUS.model_dump(mode="json"))
    stand_in.routes["GET", "/v1/search"] = lambda request: request.reply(no_hits(mode).model_dump(mode="json"))
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-c", "from lovsvar_local.cli import main; main()", "search", "depositum", "--url", stand_in.url, *options),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={k: v for k, v in os.environ.items() if not k.startswith("LOVSVAR_")},
    )
    async with asyncio.timeout(60):
        out, err = await process.communicate()
    assert process.returncode == exits.OK, err.decode()
    assert out.decode().strip() == "Ingen treff."
    return dict(parse_qsl(urlsplit(stand_in.seen[-1].path).query)), err.decode()


async def test_every_option_reaches_the_gateway(stand_in) -> None:
    wanted = {
        "law_type": "lov",
        "year": "1999",
        "ministry": "justis",
        "legal_area": "husleie",
        "dataset": "gjeldende-lover",
        "document": "lov/1999-03-26-17",
        "in_force_on": "2026-01-31",
        "mode": "vector",
        "page": "2",
        "page_size": "5",
    }
    options = [word for name, value in wanted.items() for word in (f"--{name.replace('_', '-')}", value)]
    got, _ = await search(stand_in, *options, "--explain")
    assert got == {"q": "depositum", "explain": "true", **wanted}


async def test_what_is_not_asked_for_is_left_to_the_gateway(stand_in) -> None:
    assert await search(stand_in) == ({"q": "depositum", "page": "1", "page_size": "10"}, "")


@pytest.mark.parametrize(("wanted", "told"), [("vector", True), ("hybrid", True), ("lexical", False)])
async def test_a_search_by_vectors_that_are_not_there_says_so(stand_in, wanted: str, told: bool) -> None:
    _, err = await search(stand_in, "--mode", wanted, mode=SearchMode.LEXICAL)
    assert ("ingen vektorer" in err) is told
