"""Keys: the master key, which wraps the key of each case, and what is sealed with a case's key."""

import hashlib
import hmac
import os

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
    """Wraps and unwraps the keys of cases. Without a key every use raises `NotConfigured`."""

    def __init__(self, key: bytes | None) -> None:
        self._key = None if key is None else derived(key, "lovsvar case keys")

    def new(self, case_id: str) -> tuple[CaseKey, bytes]:
        """Return a new key for a case, and the same key wrapped."""
        key = os.urandom(KEY_BYTES)
        return CaseKey(case_id, key), seal(self._required(), key, f"{case_id}/key".encode())

    def unwrapped(self, case_id: str, wrapped: bytes) -> CaseKey:
        """Return the key of a case. Raises `Unreadable`."""
        try:
            return CaseKey(case_id, unseal(self._required(), wrapped, f"{case_id}/key".encode()))
        except InvalidTag as exc:
            raise Unreadable(UNOPENED) from exc

    def _required(self) -> bytes:
        if self._key is None:
            raise NotConfigured
        return self._key
