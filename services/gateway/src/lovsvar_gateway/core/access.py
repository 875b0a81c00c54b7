"""API keys, their scopes and their limits, and what a key has used of these.

A key is 256 random bits, so that a plain SHA-256 protects it; a slow hash is for guessable passwords.
"""

import hashlib
import hmac
import math
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from ipaddress import ip_address
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from lovsvar_contracts.catalogues import DATASET_PREFIX, CatalogueId
from lovsvar_contracts.ingest import Dataset
from lovsvar_contracts.message import Frozen, utc_now

WINDOW = 60.0  # seconds over which limits a minute count
PREFIX = "lovsvar_"  # of every key, so that scanners for leaked secrets recognise one


class Scope(StrEnum):
    """What a key may do: ask and follow its own questions; search and read law; work on cases; operate all of it."""

    ASK = "ask"
    READ = "read"
    CASES = "cases"
    OPERATE = "operate"


class Limits(Frozen):
    """What a key may use."""

    per_minute: int = Field(default=120, ge=1, le=1_000_000, description="Requests a minute; all at once if need be.")
    concurrent: int = Field(default=20, ge=1, le=100_000, description="Requests and event streams open at a time.")
    questions_per_minute: int | None = Field(
        default=None, ge=1, le=1_000_000, description="Questions a minute; None for as many as requests."
    )
    queued: int | None = Field(
        default=None, ge=1, le=5_000, description="Questions in the queue at a time; None for the gateway's own limit."
    )


KeyName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9._@-]{1,64}$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class ApiKey(Frozen):
    """A key as it is stored: by the SHA-256 of its secret. Runs belong to its `name`."""

    name: KeyName
    sha256: Digest
    scopes: frozenset[Scope] = Field(min_length=1)
    limits: Limits = Limits()
    organisation: KeyName | None = Field(default=None, description="Whose cases the key may see besides its own.")
    catalogues: frozenset[CatalogueId] | None = Field(
        default=None, description="The catalogues that it may see; None is every one that is not private."
    )
    created_at: datetime = Field(default_factory=utc_now)


def _names_once(keys: tuple[ApiKey, ...]) -> tuple[ApiKey, ...]:
    if len({key.name for key in keys}) != len(keys):
        raise ValueError("two keys have one name")
    return keys


class KeyRing(Frozen):
    """All keys, each name once."""

    keys: Annotated[tuple[ApiKey, ...], AfterValidator(_names_once)] = ()

    def holds(self, key: ApiKey) -> bool:
        """Return whether `key` is still here and may do what it could."""
        return any(
            (k.name, k.sha256, k.catalogues, k.organisation) == (key.name, key.sha256, key.catalogues, key.organisation)
            and k.scopes >= key.scopes
            for k in self.keys
        )

    def find(self, secret: str) -> ApiKey | None:
        """Return the key of `secret`, in a time that does not depend on which key it is."""
        digest, found = digest_of(secret), None
        for key in self.keys:
            if hmac.compare_digest(key.sha256, digest):
                found = key
        return found


@dataclass(frozen=True)
class Caller:
    """The sender of a request. Without keys everybody is `ANYBODY`, and `address` separates them in the queue.

    `wait_to_ask` counts one more question and returns 0, or, where that exceeds the limit, the seconds to wait.
    `catalogues` are those that it may see; None is every one that is not private.
    """

    name: str = ""
    scopes: frozenset[Scope] = frozenset(Scope)
    wait_to_ask: Callable[[], int] = field(default=lambda: 0, compare=False)
    address: str = field(default="", compare=False)
    queued: int | None = field(default=None, compare=False)
    organisation: str | None = None
    catalogues: frozenset[CatalogueId] | None = None

    @property
    def asker(self) -> str:
        """The id under which questions are counted together; it reveals neither name nor address."""
        return hashlib.sha256((self.name or f"\0{self.address}").encode()).hexdigest()[:16]

    def may_see(self, owner: str | None) -> bool:
        """Return whether this caller may see a run of `owner`."""
        return not self.name or self.name == owner

    def may_sync(self, dataset: Dataset) -> bool:
        """Return whether this caller may see, and ask for, syncs of a data set.

        With a list, of no catalogue but those in it; without one of all, private ones too, since syncs show no items.
        """
        catalogue = dataset.removeprefix(DATASET_PREFIX)
        return catalogue == dataset or self.catalogues is None or catalogue in self.catalogues


ANYBODY = Caller()

WITHDRAWN = "withdrawn"  # in a request's state: the event that is set when its key is revoked


def new_key(
    name: str,
    scopes: Iterable[Scope],
    limits: Limits,
    catalogues: Iterable[CatalogueId] = (),
    organisation: str | None = None,
) -> tuple[str, ApiKey]:
    """Return a new secret, which is shown once and never stored, and its key. No `catalogues` are all not private."""
    secret = PREFIX + secrets.token_urlsafe(32)
    key = ApiKey(
        name=name,
        sha256=digest_of(secret),
        scopes=frozenset(scopes),
        limits=limits,
        catalogues=frozenset(catalogues) or None,
        organisation=organisation,
    )
    return secret, key


def digest_of(secret: str) -> str:
    """Return what is stored of `secret`."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def is_loopback(host: str) -> bool:
    """Return whether `host` is a name or an address of this machine that no other reaches."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Standing:
    """What remains of a limit, and the seconds until all is available again (`reset`).

    `wait` is the seconds until a refused request may be repeated, 0 for an allowed one.
    """

    limit: int
    remaining: int
    reset: int
    wait: int = 0


class Meter:
    """What was used of one limit. Times are in seconds of a monotonic clock."""

    def __init__(self) -> None:
        self._whole_at = 0.0

    def look(self, limit: int, now: float) -> Standing:
        """Return what remains at `now`, and count nothing."""
        used = max(self._whole_at - now, 0.0)
        return Standing(limit, int((WINDOW - used) / WINDOW * limit + 1e-9), math.ceil(used))

    def take(self, limit: int, now: float) -> Standing:
        """Count one more at `now`, unless that exceeds the limit."""
        cost = WINDOW / limit
        used = max(self._whole_at - now, 0.0)
        if used + cost > WINDOW + 1e-9:
            return Standing(limit, 0, math.ceil(used), wait=max(1, math.ceil(used + cost - WINDOW)))
        self._whole_at = now + used + cost
        return self.look(limit, now)


class Allowance:
    """What one key has used, by the same clock."""

    def __init__(self) -> None:
        self._requests = Meter()
        self._questions = Meter()
        self.open = 0

    def take(self, limits: Limits, now: float) -> Standing:
        """Count a request at `now`, unless that exceeds the limit."""
        return self._requests.take(limits.per_minute, now)

    def take_question(self, limits: Limits, now: float) -> Standing | None:
        """Count a question at `now`, unless that exceeds the limit; None where questions have no limit of their own."""
        return self._questions.take(limits.questions_per_minute, now) if limits.questions_per_minute else None

    def look_at_questions(self, limits: Limits, now: float) -> Standing | None:
        """Return what remains for questions; None where they have no limit of their own."""
        return self._questions.look(limits.questions_per_minute, now) if limits.questions_per_minute else None
