"""Wiring of the notices service."""

from typing import Literal

from lovsvar_chassis import service
from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.migrations import Migrations
from lovsvar_chassis.publisher import EventPublisher, Sent
from lovsvar_chassis.request_router import RequestRouter
from lovsvar_chassis.service import Service
from lovsvar_contracts.message import Message
from lovsvar_notices.manifest import MANIFEST, POSTED, READ, SCHEMA
from lovsvar_notices.settings import Settings


class ReadNotices(Message):
    """Ask for the notices."""

    kind: Literal["read_notices"] = "read_notices"


class Notices(Message):
    """The notices."""

    kind: Literal["notices"] = "notices"
    texts: tuple[str, ...]


class NoticePosted(Message):
    """A notice was posted."""

    kind: Literal["notice_posted"] = "notice_posted"
    text: str


def build(settings: Settings) -> Service:
    """Return the service, not yet started."""
    broker = make_broker(settings, MANIFEST.name)
    publisher = EventPublisher(broker)

    async def read(request: ReadNotices) -> Notices:
        """List the notices, and post that they were read."""
        await publisher.publish(POSTED, NoticePosted(text="lest", correlation_id=request.correlation_id))
        return Notices(texts=("lest",), correlation_id=request.correlation_id)

    return Service(
        name=MANIFEST.name,
        settings=settings,
        broker=broker,
        requests=RequestRouter("notices").answer(READ, read, 8),
        parts=(Migrations(settings.database_url, SCHEMA),),
        sends=(Sent(POSTED, NoticePosted, "A notice was posted."),),
    )


def main() -> None:
    """Run the service until SIGTERM or SIGINT."""
    service.main(MANIFEST, Settings, build)
