"""`lovsvar keys`: making, listing and revoking the keys of a gateway. Gateways see a change within a second."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from lovsvar_contracts.message import Frozen
from lovsvar_gateway.adapters.key_file import read_keys, write_keys
from lovsvar_gateway.core.access import ApiKey, KeyRing, Limits, Scope, new_key
from lovsvar_gateway.core.errors import KeysUnusable
from lovsvar_local import exits
from lovsvar_local.commands.session import Where
from lovsvar_local.errors import BadArgument
from lovsvar_local.locks import FileLock
from lovsvar_local.progress import Progress


class MadeKey(Frozen):
    """What `lovsvar keys add --json` prints: the only place where the secret is ever shown."""

    name: str
    key: str
    scopes: tuple[Scope, ...]
    limits: Limits
    organisation: str | None = None
    catalogues: tuple[str, ...] | None = None


class ListedKey(Frozen):
    """A key as `lovsvar keys list --json` prints it."""

    name: str
    scopes: tuple[Scope, ...]
    limits: Limits
    catalogues: tuple[str, ...] | None = None
    created: str
    organisation: str | None = None


class ListedKeys(Frozen):
    """All keys."""

    keys: tuple[ListedKey, ...]


@contextmanager
def _usable() -> Iterator[None]:
    """Raise `BadArgument` for a file of keys that cannot be read or written."""
    try:
        yield
    except KeysUnusable as exc:
        raise BadArgument(str(exc)) from exc
    except OSError as exc:
        raise BadArgument(f"Kan ikke skrive nøkkelfila {exc.filename}: {exc.strerror or exc}.") from exc


@_usable()
def add(
    _: Where,
    progress: Progress,
    *,
    file: Path,
    name: str,
    scope: Iterable[str],
    organisation: str | None = None,
    catalogue: Iterable[str] | None = None,
    **limited: int | None,
) -> int:
    """Make a key, print it, and return the exit code. Raises `BadArgument`."""
    chosen, limits = frozenset(map(Scope, scope)), Limits.model_validate(limited)
    if not chosen:
        raise BadArgument("Oppgi minst én rettighet med --scope: ask, read, cases eller operate.")
    with _held(file):
        ring = read_keys(file) if file.exists() else KeyRing()
        if any(key.name == name for key in ring.keys):
            raise BadArgument(
                f"Det finnes alt en nøkkel som heter «{name}». Trekk den tilbake først, eller velg et annet navn."
            )
        try:
            secret, key = new_key(name, chosen, limits, catalogue or (), organisation)
        except ValidationError as exc:
            if any(error["loc"][0] == "catalogues" for error in exc.errors()):
                raise BadArgument("En katalog har en id av 2–40 tegn: a–z, 0–9 og bindestrek.") from exc
            raise BadArgument(
                f"Navnet «{name}» eller organisasjonen kan ikke brukes: 1–64 tegn av A–Z, a–z, 0–9 og . _ @ -."
            ) from exc
        write_keys(file, KeyRing(keys=(*ring.keys, key)))
    progress.result(
        MadeKey(
            name=name,
            key=secret,
            scopes=_ordered(key),
            limits=limits,
            catalogues=_catalogues(key),
            organisation=organisation,
        ),
        secret,
    )
    return exits.OK


@_usable()
def list_all(_: Where, progress: Progress, *, file: Path) -> int:
    """Print the keys without their secrets, and return the exit code. Raises `BadArgument`."""
    keys = read_keys(file).keys
    listed = (
        ListedKey(
            name=k.name,
            scopes=_ordered(k),
            limits=k.limits,
            catalogues=_catalogues(k),
            created=k.created_at.isoformat(),
            organisation=k.organisation,
        )
        for k in keys
    )
    progress.result(ListedKeys(keys=tuple(listed)), "\n".join(map(_line, keys)))
    return exits.OK


def _line(key: ApiKey) -> str:
    questions = f", {key.limits.questions_per_minute} spørsmål/min" if key.limits.questions_per_minute else ""
    limits = f"{key.limits.per_minute}/min, {key.limits.concurrent} samtidige{questions}"
    of = f" ({key.organisation})" if key.organisation else ""
    catalogues = f"  kataloger: {','.join(_catalogues(key) or ())}" if key.catalogues is not None else ""
    return f"{key.name:24} {','.join(_ordered(key)):24} {limits:28} {key.created_at:%Y-%m-%d}{of}{catalogues}"


@_usable()
def revoke(_: Where, __: Progress, *, file: Path, name: str) -> int:
    """Remove the key, and return the exit code. Raises `BadArgument`."""
    with _held(file):
        ring = read_keys(file)
        left = tuple(key for key in ring.keys if key.name != name)
        if len(left) == len(ring.keys):
            raise BadArgument(f"Det finnes ingen nøkkel som heter «{name}» i {file}.")
        write_keys(file, KeyRing(keys=left))
    return exits.OK


@contextmanager
def _held(file: Path) -> Iterator[None]:
    """Keep other commands from writing `file`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(file.with_name(f".{file.name}.lock"))
    if not lock.try_alone():
        raise BadArgument(f"En annen kommando endrer {file} nå. Prøv igjen.")
    try:
        yield
    finally:
        lock.release()


def _catalogues(key: ApiKey) -> tuple[str, ...] | None:
    return None if key.catalogues is None else tuple(sorted(key.catalogues))


def _ordered(key: ApiKey) -> tuple[Scope, ...]:
    return tuple(scope for scope in Scope if scope in key.scopes)
