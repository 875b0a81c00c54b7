"""`lovsvar search` at a gateway that writes down what it is asked."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from lovsvar_contracts.search import ProvisionHits, SearchMode
from lovsvar_local import exits
from lovsvar_testkit.gateway_stand_in import run_command


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
    stand_in.routes["GET", "/v1/search"] = lambda request: request.reply(no_hits(mode).model_dump(mode="json"))
    code, out, err = await run_command(stand_in, "search", "depositum", *options)
    assert code == exits.OK, err
    assert out.strip() == "Ingen treff."
    return dict(parse_qsl(urlsplit(stand_in.seen[-1].path).query)), err


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
