"""What `lovsvar doctor` looks at in PostgreSQL: the schema, the roles, and how current and complete the law is."""

from datetime import timedelta

import asyncpg

from lovsvar_chassis.database import load_queries
from lovsvar_chassis.manifest import manifests
from lovsvar_chassis.migrations import load_migrations, missing_migrations
from lovsvar_contracts.message import utc_now
from lovsvar_ingest.core.nightly import DATASETS
from lovsvar_local.findings import Finding, error, fine, judge_corpus, judge_vectors, warning
from lovsvar_local.phrases import dataset_name

SYNC_AGE = timedelta(hours=48)
"""Two nights: the law is brought up to date every night."""

_SQL = load_queries("lovsvar_local")
_INGEST = load_queries("lovsvar_ingest.adapters")
_SEARCH = load_queries("lovsvar_search.adapters")


async def check_database(connection: "asyncpg.Connection[asyncpg.Record]") -> list[Finding]:
    """Look at everything. Raises asyncpg's errors."""
    version = connection.get_server_version()
    (row,) = await connection.fetch(_SQL["size_and_roles"])
    found = [fine("postgresql", f"Svarer (versjon {version.major}.{version.minor}, {row['size'] / 1_000_000:.0f} MB).")]
    for manifest in manifests():
        if (schema := manifest.migrations) is None:
            continue
        if missing := await missing_migrations(connection, schema):
            text = f"{len(missing)} migrasjoner er ikke kjørt, den første er {missing[0].name}."
            return [*found, error("skjema", text, f"Start {manifest.name}, som kjører dem.")]
        found.append(fine("skjema", f"Alle {len(load_migrations(schema))} migrasjoner er kjørt."))
    if row["has_reader"]:
        found.append(fine("roller", "Rollen lovsvar_reader finnes."))
    else:
        remedy = "Lag rollen, og kjør deploy/postgres/logins.sql."
        found.append(warning("roller", "Rollen lovsvar_reader mangler; søk kan da også skrive.", remedy))
    return [*found, *await _corpus(connection)]


async def _corpus(connection: "asyncpg.Connection[asyncpg.Record]") -> list[Finding]:
    documents = sum(row["documents"] for row in await connection.fetch(_SEARCH["count_documents"]))
    found = [judge_corpus(documents, await connection.fetchval(_SQL["corpus_version"]))]
    if not documents:
        return found
    synced = {row[0]: row[1] for row in await connection.fetch(_INGEST["last_good_syncs"])}
    for dataset in (dataset for dataset in DATASETS if dataset not in synced):
        remedy = f"Hent dem med «lovsvar ingest --dataset {dataset}», og se at ingest kjører."
        found.append(warning("henting", f"Har aldri hentet {dataset_name(dataset)}.", remedy))
    for dataset, finished in synced.items():
        age = utc_now() - finished
        text = f"Hentet {dataset_name(dataset)} for {age / timedelta(hours=1):.0f} timer siden."
        remedy = "Hent på nytt med «lovsvar ingest», og se i loggen til ingest hvorfor det ikke er gjort."
        found.append(warning("henting", text, remedy) if age > SYNC_AGE else fine("henting", text))
    embedded = await connection.fetchval(_SEARCH["count_embedded"])
    return [*found, judge_vectors(embedded, await connection.fetchval(_SEARCH["count_provisions"]))]
