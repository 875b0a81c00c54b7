"""What a handler takes, as its annotation says."""

from collections.abc import Callable
from typing import Any

import pytest

from lovsvar_chassis.json_codec import message_kind
from lovsvar_contracts.ingest import SyncEvent
from lovsvar_contracts.practice import FindPractice


class Handlers:
    async def find(self: Any, request: FindPractice) -> None: ...

    async def __call__(self, request: FindPractice) -> None: ...


async def find(request: FindPractice) -> None: ...


async def hear(event: SyncEvent) -> None: ...


@pytest.mark.parametrize(
    ("handler", "kind"),
    [(find, FindPractice), (Handlers().find, FindPractice), (Handlers(), FindPractice), (hear, SyncEvent)],
)
def test_a_handler_takes_what_its_first_parameter_is_annotated_with(handler: Callable[..., Any], kind: object) -> None:
    assert message_kind(handler) == kind
