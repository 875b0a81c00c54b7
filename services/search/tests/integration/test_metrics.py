"""What operators see of search: the version that is served, the one that is stored, and how far apart they are."""

from dataclasses import replace
from typing import Any

from lovsvar_chassis import metrics
from lovsvar_testkit.measured import Measured


async def test_the_versions_served_and_stored_and_the_time_since_they_were_the_same_are_shown(
    serve: Any, stored: Any, husleie: Any, measured: Measured
) -> None:
    async with serve() as search:
        await stored.store(replace(husleie, refid="lov/2030-01-01-1"))
        version = await stored.stamp()
        await search.reach(version)
        assert measured.value(metrics.CORPUS_VERSION, which="served") == version
        assert measured.value(metrics.CORPUS_VERSION, which="stored") == version
        assert measured.value(metrics.FOLLOWER_BEHIND) == 0
        assert 0 <= measured.value(metrics.FOLLOWER_LAG) < 60
