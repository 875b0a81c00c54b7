"""Lovdata's real archives, whole. Skipped where `LOVSVAR_ARCHIVES` does not name them."""

from pathlib import Path
from typing import Any

import asyncpg
from lxml import etree

from lovsvar_contracts.identifiers import section_key
from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS
from lovsvar_ingest.adapters.everyday_files import read_everyday
from lovsvar_ingest.adapters.tar_stream import TarLimits, read_tar
from lovsvar_testkit.real_law import RealLaw

SUPERSEDED = (
    "lov/1985-06-21-78",
    "lov/1992-12-04-126",
    "lov/1994-06-03-15",
    "lov/2004-05-07-21",
    "lov/2009-06-19-101",
    "lov/2012-03-16-12",
)


def article_names(archives: Path, dataset: str) -> dict[str, list[str]]:
    """Return the names of all provisions, by file, read with nothing but XPath."""
    return {
        file.name: etree.fromstring(file.content).xpath("//article[@class='legalArticle']/@data-name")
        for file, _ in read_tar(archives / f"{dataset}.tar.bz2", TarLimits())
    }


WELL_KNOWN = {("lov/1999-03-26-17", "§3-5"): "seks måneders leie", ("lov/2018-06-15-38", "gdpr/a5"): "dataminimering"}


async def test_both_archives_are_stored_whole(real_law: RealLaw, archives: Path) -> None:
    assert not any(end.report.skipped for end in real_law.ends)
    assert sum(end.report.added for end in real_law.ends) == 4_241
    assert sum(end.report.provisions for end in real_law.ends) >= 93_000
    database = await asyncpg.connect(real_law.law)
    for place, says in WELL_KNOWN.items():
        assert says in await database.fetchval("SELECT text FROM sections WHERE refid = $1 AND section = $2", *place)
    stored = await database.fetch(
        "SELECT source_file, array_agg(section_key) FILTER (WHERE kind = 'provision') AS keys"
        " FROM documents JOIN sections USING (refid) GROUP BY source_file"
    )
    # Acts that the archive has as in force, and whose place a later act of the same name has taken.
    superseded = await database.fetch(
        "SELECT refid, bool_and(s.in_force = 'repealed') AS whole FROM documents d JOIN sections s USING (refid)"
        " WHERE d.in_force = 'repealed' AND d.in_force_note !~ 'oppheves|–' GROUP BY refid ORDER BY refid"
    )
    assert [tuple(row) for row in superseded] == [(refid, True) for refid in SUPERSEDED]
    keys = {row["source_file"]: row["keys"] or [] for row in stored}
    for dataset in (DATASET_LAWS, DATASET_REGULATIONS):
        for file, names in article_names(archives, dataset).items():
            assert {section_key(name) for name in names} <= set(keys.get(file, [])), file
            assert len(keys.get(file, [])) == len(names), file
    await database.close()


async def test_a_second_sync_of_the_same_archive_changes_nothing(
    ingest: Any, client: Any, archives: Path, real_law: RealLaw
) -> None:
    async with ingest(source=str(archives), database_url=real_law.copy(), embedding="off"):
        again = await client.sync(DATASET_LAWS)
    assert again.report.unchanged == 794


async def test_everything_that_everyday_questions_lead_to_is_law_today(real_law: RealLaw) -> None:
    targets = {target for question in read_everyday() for target in question.targets}
    database = await asyncpg.connect(real_law.law)
    rows = await database.fetch(
        "SELECT refid, section_key FROM documents d JOIN sections s USING (refid)"
        " WHERE d.in_force IN ('in_force', 'unknown') AND s.in_force IN ('in_force', 'unknown')"
    )
    await database.close()
    assert targets - {tuple(row) for row in rows} == set()
