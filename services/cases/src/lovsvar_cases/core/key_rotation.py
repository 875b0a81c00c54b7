"""Another master key: the keys of all cases are wrapped by it, a page at a time, while the service serves."""

from typing import Protocol

from lovsvar_cases.core.errors import OperatorsOnly
from lovsvar_contracts.case_keys import KeyRotation, RotateKeys

PAGE = 500


class KeyStore(Protocol):
    """The keys of cases, as they are stored."""

    async def rewrap(self, after: str | None, most: int) -> KeyRotation:
        """Wrap the keys of a page of cases by the master key, where another one did."""


async def rotate_keys(request: RotateKeys, keys: KeyStore) -> KeyRotation:
    """Wrap the keys of a page of cases anew. Whoever is cut off begins again. Raises `OperatorsOnly`."""
    if not request.actor.operator:
        raise OperatorsOnly
    return await keys.rewrap(request.after, PAGE)
