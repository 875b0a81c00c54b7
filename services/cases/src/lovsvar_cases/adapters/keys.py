"""Keys: the master key, which wraps the key of each case, and what is sealed with a case's key."""

import contextlib
import hashlib
import hmac
import os
from collections.abc import Sequence

from cryptography.exceptions import InvalidTag

from lovsvar_cases.core.errors import NotConfigured, Unreadable
from lovsvar_chassis.sealing import KEY_BYTES, derived, seal, unseal

UNOPENED = (
    "Det som er lagret av saken, kan ikke åpnes: det er lagret med en annen hovednøkkel, eller det er endret utenfra."
)


class CaseKey:
    """The key of one case. What it seals can be opened only as what it was sealed as: `place` is part of the proof."""

    def __init__(self, case_id: str, key: bytes) -> None:
        self.case_id = case_id
        self._key = key

    def seal(self, place: str, content: bytes) -> bytes:
        """Return `content` encrypted for its place in this case, such as `party0/lastName`."""
        return seal(self._key, content, self._about(place))

    def open(self, place: str, box: bytes) -> bytes:
        """Return what was sealed for this place. Raises `Unreadable`."""
        try:
            return unseal(self._key, box, self._about(place))
        except InvalidTag as exc:
            raise Unreadable(UNOPENED) from exc

    def digest(self, kind: str, value: str) -> bytes:
        """Return what a value is found by; who lacks the key cannot confirm a guess by it."""
        key = derived(self._key, "lovsvar pseudonyms")
        return hmac.digest(key, f"{kind}\0{value}".encode(), hashlib.sha256)

    def _about(self, place: str) -> bytes:
        return f"{self.case_id}/{place}".encode()


class MasterKey:
    """Wraps the keys of cases by `key`, and unwraps what it or, while it takes their place, one of `others` wrapped.

    Without a key every use raises `NotConfigured`.
    """

    def __init__(self, key: bytes | None, *others: bytes) -> None:
        self._keys = [] if key is None else [derived(one, "lovsvar case keys") for one in (key, *others)]

    def new(self, case_id: str) -> tuple[CaseKey, bytes]:
        """Return a new key for a case, and the same key wrapped."""
        key = os.urandom(KEY_BYTES)
        return CaseKey(case_id, key), self._wrapped(case_id, key)

    def unwrapped(self, case_id: str, wrapped: bytes) -> CaseKey:
        """Return the key of a case. Raises `Unreadable`."""
        return CaseKey(case_id, self._opened(case_id, wrapped)[1])

    def rewrapped(self, case_id: str, wrapped: bytes) -> bytes | None:
        """Return the key of a case wrapped by the first master key, None where it is. Raises `Unreadable`."""
        place, key = self._opened(case_id, wrapped)
        return self._wrapped(case_id, key) if place else None

    def _wrapped(self, case_id: str, key: bytes) -> bytes:
        return seal(self._required()[0], key, f"{case_id}/key".encode())

    def _opened(self, case_id: str, wrapped: bytes) -> tuple[int, bytes]:
        for place, master in enumerate(self._required()):
            with contextlib.suppress(InvalidTag):
                return place, unseal(master, wrapped, f"{case_id}/key".encode())
        raise Unreadable(UNOPENED)

    def _required(self) -> Sequence[bytes]:
        if not self._keys:
            raise NotConfigured
        return self._keys
