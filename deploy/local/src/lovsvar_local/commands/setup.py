"""`lovsvar setup`: the keys and passwords of the containers, each in a file (deploy/README.md); existing ones are kept.

All users may read the files, since containers run under users of their own; only the owner can enter the folder.
"""

import base64
import os
import secrets
from collections.abc import Callable
from pathlib import Path

import nkeys

from lovsvar_chassis.manifest import processes
from lovsvar_contracts.message import Frozen
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_local import exits
from lovsvar_local.commands.session import Where
from lovsvar_local.errors import BadArgument
from lovsvar_local.nats_permissions import keys, users
from lovsvar_local.progress import Progress

MASTER_KEY = "cases_master_key"
"""Without it no case can be opened any more: keep a copy, and not beside the database's."""

PASSWORDS = ("postgres_superuser", "postgres_sql", "audit_secret", "grafana_admin")
"""Besides those of the logins that manifests name; by `postgres_sql` cases asks what a model wants asked."""

GIVEN = ("openai_api_key", "serper_api_key", "cases_webhook_secret", "ca.pem")
"""What only the operator can get; empty means none."""

SHORTEST = 16
FIRST_KEY = "operator"


class Made(Frozen):
    """What `lovsvar setup --json` prints. `key` is shown this once, and None when there were keys already."""

    folder: str
    made: tuple[str, ...]
    key: str | None = None


def setup(_: Where, progress: Progress, *, folder: Path) -> int:
    """Make what is missing in `folder`, say what, and return the exit code. Raises `BadArgument`."""
    try:
        made = make_secrets(folder)
    except OSError as exc:
        raise BadArgument(f"Kan ikke skrive i {folder}: {exc.strerror or exc}.") from exc
    key = f"\nNøkkelen til Lovsvar, som bare vises nå:\n{made.key}" if made.key else ""
    said = f"{len(made.made)} filer er laget i {folder}. Ta vare på mappa, og del den ikke med noen.{key}"
    progress.result(made, said)
    return exits.OK


def make_secrets(folder: Path) -> Made:
    """Make what is missing in `folder`. Raises `BadArgument` for a password that is none, and `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    seeds = {user.name: f"nats_{user.name}" for user in users()}
    logins = {process.login.removeprefix("lovsvar_") for process in processes().values() if process.login}
    passwords = (*PASSWORDS, *(f"postgres_{login}" for login in sorted(logins)))
    contents: dict[str, Callable[[], str]] = dict.fromkeys(seeds.values(), new_seed)
    contents |= dict.fromkeys(passwords, lambda: secrets.token_urlsafe(32)) | dict.fromkeys(GIVEN, str)
    contents[MASTER_KEY] = new_master_key
    made = [name for name in contents if not (folder / name).exists()]
    for name in made:
        _write(folder / name, contents[name]())
    public = {user: _public(folder / name) for user, name in seeds.items()}
    for name in passwords:
        _check(folder / name)
    _add_keys(folder / "nats" / "local.conf", public)
    return Made(folder=str(folder), made=tuple(made), key=_first_key(folder / "keys" / "keys.json"))


def new_seed() -> str:
    """Return the seed of a new nkey of a user."""
    return bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)).decode()


def new_master_key() -> str:
    """Return a new key that wraps the keys of cases: 32 random bytes in base64."""
    return base64.b64encode(os.urandom(32)).decode()


def _public(path: Path) -> str:
    seed = path.read_text(encoding="utf-8").strip()
    try:
        return bytes(nkeys.from_seed(bytearray(seed.encode())).public_key).decode()
    except (nkeys.NkeysError, ValueError) as exc:
        raise BadArgument(f"{path} inneholder ikke en NATS-nøkkel. Slett fila, og kjør kommandoen igjen.") from exc


def _check(path: Path) -> None:
    if len(path.read_text(encoding="utf-8").strip()) < SHORTEST:
        raise BadArgument(
            f"Passordet i {path} er kortere enn {SHORTEST} tegn. Slett fila, og kjør kommandoen igjen; "
            "en database som alt er laget, må få det nye passordet (deploy/postgres/logins.sql)."
        )


def _add_keys(path: Path, public: dict[str, str]) -> None:
    """Put the public keys first in the file, and keep what the operator wrote there."""
    own = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rest = [line for line in own if not line.startswith("NKEY_")]
    _write(path, keys(public) + "".join(f"{line}\n" for line in rest))


def _first_key(path: Path) -> str | None:
    """Make the gateway's first key, which may do everything, and return its secret; None when there are keys."""
    if path.exists():
        return None
    secret, key = new_key(FIRST_KEY, frozenset(Scope), Limits())
    write_keys(path, KeyRing(keys=(key,)))
    path.chmod(0o644)
    return secret


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8")
    path.chmod(0o644)
