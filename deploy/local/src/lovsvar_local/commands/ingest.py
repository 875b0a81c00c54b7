"""`lovsvar ingest`: bring the corpus or catalogues up to date and say what changed."""

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from lovsvar_contracts.catalogues import DATASET_PREFIX
from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, SyncCompleted
from lovsvar_local import exits
from lovsvar_local.commands.session import Where, open_session
from lovsvar_local.errors import BadArgument
from lovsvar_local.initial_corpus import IngestReport, SyncEnd, served
from lovsvar_local.phrases import is_catalogue
from lovsvar_local.progress import Progress


async def ingest(
    where: Where,
    progress: Progress,
    *,
    dataset: Sequence[str] | None,
    force: bool,
    accept: str | None,
    catalogue: Sequence[str] | None = None,
) -> int:
    """Sync data sets and catalogues (the law when none is named), print the report, and return the exit code.

    A catalogue is named by its id, or by the folder that is listed. `accept` is the checksum of an archive that is
    stored although the sync guard stops it.
    """
    accept = checked_checksum(accept)
    named: list[tuple[str, str | None]] = [(name, None) for name in dataset or ()]
    named += map(dataset_of_catalogue, catalogue or ())
    ends: list[SyncEnd] = []
    async with open_session(where, "ingest", progress) as session:
        await served(session.gateway)
        filler = session.filler
        for name, source in named or ((DATASET_LAWS, None), (DATASET_REGULATIONS, None)):
            # `--source` says where law is from.
            place = source if is_catalogue(name) else session.source
            sync = await filler.syncs.request(session.gateway, name, place, force=force, accept=accept)
            if end := await filler.follow(sync):
                ends.append(end)
    progress.result(IngestReport(syncs=tuple(ends)))
    return exits.OK if all(isinstance(end, SyncCompleted) for end in ends) else exits.PROBLEM


def dataset_of_catalogue(named: str) -> tuple[str, str | None]:
    """Return the data set of a catalogue that is named by its id or its folder, and the folder.

    Raises `BadArgument` when it is neither, or the folder's `catalogue.toml` has no id.
    """
    path = Path(named).expanduser()
    file = path if path.suffix == ".toml" else path / "catalogue.toml"
    if not file.is_file():
        if re.fullmatch(r"[a-z0-9][a-z0-9-]{1,39}", named):
            return f"{DATASET_PREFIX}{named}", None
        raise BadArgument(f"--catalogue tar id-en til en katalog, eller en mappe med catalogue.toml. {named} er ingen.")
    try:
        catalogue = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("id")
    except (OSError, ValueError) as exc:
        raise BadArgument(f"{file} kan ikke leses: {exc}.") from exc
    if not isinstance(catalogue, str) or not re.fullmatch(r"[a-z0-9][a-z0-9-]{1,39}", catalogue):
        raise BadArgument(f'{file} mangler en id, som id = "hjelpetilbud": 2–40 små bokstaver a–z, tall og bindestrek.')
    return f"{DATASET_PREFIX}{catalogue}", str(path.absolute())


def checked_checksum(accept: str | None) -> str | None:
    """Return the checksum as it is compared. Raises `BadArgument` when it is none."""
    if accept is None:
        return None
    if not re.fullmatch(r"[0-9a-f]{64}", checksum := accept.strip().lower()):
        raise BadArgument("--accept tar SHA-256 av arkivet: 64 tegn, som i meldingen om at hentingen ble stanset.")
    return checksum
