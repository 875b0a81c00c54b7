"""How the keys of cases get to be wrapped by another master key."""

from typing import Literal

from lovsvar_contracts.cases import Actor
from lovsvar_contracts.message import Message, Token


class RotateKeys(Message):
    """Have the keys of cases wrapped by the master key that is set now: those of a page, which comes after `after`."""

    kind: Literal["rotate_keys"] = "rotate_keys"
    actor: Actor
    after: Token | None = None


class KeyRotation(Message):
    """How many keys were read, how many of them another master key had wrapped, and how many none that is known.

    `next` is the `after` of the page that follows.
    """

    kind: Literal["key_rotation"] = "key_rotation"
    read: int = 0
    rewrapped: int = 0
    unreadable: int = 0
    next: Token | None = None
