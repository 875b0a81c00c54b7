"""Grants: what lets a run act in one case for who opened it."""

import base64
import binascii
from datetime import datetime, timedelta

from cryptography.exceptions import InvalidTag
from pydantic import ValidationError

from lovsvar_cases.core.case_tools import Granted, Grants
from lovsvar_cases.core.ports import Clock
from lovsvar_chassis.sealing import derived, seal, unseal
from lovsvar_contracts.cases import Actor
from lovsvar_contracts.message import Frozen, utc_now

LIFE = timedelta(hours=1)
ABOUT = b"lovsvar case grant"


class _Content(Frozen):
    actor: Actor
    case_id: str
    run_id: str
    until: datetime


class SealedGrants(Grants):
    """Grants that only who has the master key can make or read. Each is of one run, and ends after an hour.

    Those of `others`, which replicas may still make, are read too.
    """

    def __init__(self, secret: bytes, *others: bytes, now: Clock = utc_now) -> None:
        self._keys = [derived(one, "lovsvar case grants") for one in (secret, *others)]
        self._now = now

    def made(self, granted: Granted) -> str:
        content = _Content(
            actor=granted.actor, case_id=granted.case_id, run_id=granted.run_id, until=self._now() + LIFE
        )
        return base64.urlsafe_b64encode(seal(self._keys[0], content.model_dump_json().encode(), ABOUT)).decode()

    def read(self, grant: str, run_id: str) -> Granted | None:
        content = next(filter(None, (_opened(key, grant) for key in self._keys)), None)
        if content is None or content.run_id != run_id or content.until < self._now():
            return None
        return Granted(content.actor, content.case_id, content.run_id)


def _opened(key: bytes, grant: str) -> _Content | None:
    try:
        return _Content.model_validate_json(unseal(key, base64.urlsafe_b64decode(grant), ABOUT))
    except (InvalidTag, binascii.Error, ValidationError, ValueError):
        return None
