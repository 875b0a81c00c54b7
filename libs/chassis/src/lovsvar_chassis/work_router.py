"""Work from a stream, taken by FastStream's pull subscribers on a durable consumer; see `redelivery` for its outcome.

A worker fetches one message and handles it before the next. Its fetch is wrapped, since FastStream repeats one that
fails at once and without end, and its consumer is declared here, since FastStream never changes an existing one
(docs/decisions/0028).
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

import stamina
import structlog
from faststream.middlewares import AckPolicy
from faststream.nats import JStream, NatsBroker, NatsRouter, PullSub
from faststream.nats.subscriber.usecases import PullStreamSubscriber
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.api import AckPolicy as ConsumerAcks
from nats.js.api import ConsumerConfig
from nats.js.errors import NotFoundError

from lovsvar_chassis.json_codec import JsonCodec, channel_key, message_kind
from lovsvar_chassis.progress import Note, unnoted
from lovsvar_chassis.redelivery import Redelivery, WorkPolicy
from lovsvar_chassis.tasks import end

log = structlog.get_logger()

FETCH_SECONDS = 3.0
"""How long one request for work waits. A server that restarts forgets it without notice, so it waits no longer."""

AGAIN_SECONDS = 1.0
"""How long a worker waits when it could not ask for work."""

Fetch = Callable[..., Awaitable[list[Msg]]]


class WorkRouter(NatsRouter):
    """Workers of this process on one durable consumer; each fetch and heartbeat calls `note`. A part: start, stop."""

    give_up: Callable[[Any, str], Awaitable[None]]
    kind: Any
    """The model of its messages."""

    def __init__(self, policy: WorkPolicy, note: Note = unnoted) -> None:
        super().__init__(middlewares=[partial(Redelivery, queue=self)])
        self.policy = policy
        self.note = note
        self._workers: list[PullStreamSubscriber] = []
        # `max_deliver` stays unlimited: the limit is applied by the worker, so that a message whose workers were
        # killed each time is still seen and ends as a dead letter.
        self._config = ConsumerConfig(
            durable_name=policy.durable,
            filter_subjects=[policy.subject, *policy.also],
            ack_policy=ConsumerAcks.EXPLICIT,
            ack_wait=policy.ack_wait,
            max_deliver=-1,
            max_ack_pending=1_000,
        )

    def work(
        self, handler: Callable[[Any], Awaitable[None]], give_up: Callable[[Any, str], Awaitable[None]]
    ) -> "WorkRouter":
        """Have `handler` do the work its annotation names; `give_up(work, reason)` closes dead work. Returns this."""
        self.give_up = give_up
        self.kind = message_kind(handler)
        for number in range(self.policy.workers):
            worker = self.subscriber(
                stream=JStream(self.policy.stream, declare=False),
                durable=self.policy.durable,
                config=replace(self._config),
                pull_sub=PullSub(batch_size=1, timeout=FETCH_SECONDS),
                ack_policy=AckPolicy.MANUAL,
                no_reply=True,
                codec=JsonCodec(self.kind),
                title=channel_key(self.policy.subject),
                include_in_schema=number == 0,
            )
            # nats-py's own default is the connection's inbox, the only one that permissions allow.
            worker.extra_options.pop("inbox_prefix")
            worker(handler)
            self._workers.append(worker)
        return self

    @property
    def broker(self) -> NatsBroker:
        """The broker that this router is part of."""
        return cast(NatsBroker, self.parent)

    async def start(self) -> None:
        """Declare the consumer and begin to fetch."""
        # A stream that another service makes may not be there yet when everything starts at once.
        async for again in stamina.retry_context(on=NotFoundError, attempts=None, timeout=60, wait_max=1):
            with again:
                await self._declare()
        for worker in self._workers:
            await worker.start()
            subscription = cast(Any, worker.subscription)
            subscription.fetch = partial(self._fetch, worker, subscription.fetch)

    async def stop(self, grace: float = 2.0) -> None:
        """Stop fetching, let running work end within `grace` seconds, then give the rest back."""
        tasks = [task for worker in self._workers for task in worker.tasks]
        for worker in self._workers:
            worker.running = False
        await asyncio.gather(*(cast(Any, worker.lock).wait_release(grace) for worker in self._workers))
        for worker in self._workers:
            # Left open, with a message unread, a subscription would hold up the connection's own stop for long.
            with contextlib.suppress(NatsError, OSError):
                await worker.stop()
        await end(*tasks)

    async def _declare(self) -> None:
        await self.broker.connection.jetstream().add_consumer(self.policy.stream, replace(self._config))

    async def _fetch(self, worker: PullStreamSubscriber, fetch: Fetch, **how: Any) -> list[Msg]:
        """Fetch, and note it. Whatever breaks, the worker goes on: what is not acknowledged comes back."""
        self.note()
        try:
            messages = await fetch(**how)
        except NatsTimeoutError:
            return []
        except Exception as exc:
            log.warning("work was interrupted", stream=self.policy.stream, error=repr(exc))
            await asyncio.sleep(AGAIN_SECONDS)
            with contextlib.suppress(NatsError, OSError):
                await self._declare()
            return []
        if worker.running:
            return messages
        for message in messages:
            await message.nak()
        return []
