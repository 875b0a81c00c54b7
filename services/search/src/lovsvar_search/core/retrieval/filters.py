"""What a hit must be, whichever way it is found."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

GROUP, TIER = "group_name", "tier"
"""Filters that every collection has: the name of an item's group, and its class."""


class Demand(NamedTuple):
    """What the filter `field` of a hit must hold: any of `values`, or a number from `low` to `high`, both included.

    A demand that is not `wanted` is one for what a hit must not hold.
    """

    field: str
    values: Sequence[str | int | bool] | None = None
    low: int = 0
    high: int = 2**63 - 1
    wanted: bool = True


@dataclass(frozen=True)
class Filters:
    """Demands on a hit. `groups` are the names of those that it may be of; None is no demand.

    A collection whose filters have rules of their own extends this class.
    """

    groups: tuple[str, ...] | None = None
    own: tuple[Demand, ...] = ()

    @property
    def demands(self) -> Iterable[Demand]:
        """What the index is asked for."""
        return self.own if self.groups is None else (Demand(GROUP, self.groups), *self.own)

    @property
    def impossible(self) -> bool:
        """Whether nothing can be so."""
        return any(demand.values is not None and not demand.values and demand.wanted for demand in self.demands)

    @property
    def narrow(self) -> bool:
        """Whether so few items are left that they are shown whatever they are worth."""
        return bool(self.groups)

    def admits(self, group: str) -> bool:
        """Return whether items of a group may be hits."""
        return self.groups is None or group in self.groups
