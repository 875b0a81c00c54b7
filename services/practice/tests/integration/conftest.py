"""A stand-in for the search provider, and what the service stands on, made to be tested quickly."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from faststream.nats import NatsBroker
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.requester import Requester
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_practice.core.errors import BudgetSpent
from lovsvar_testkit.serper import Serper, standing_in_for_serper


@pytest.fixture
def serper() -> Iterator[Serper]:
    with standing_in_for_serper() as stand_in:
        yield stand_in


@pytest_asyncio.fixture
async def broker(nats_url: str) -> AsyncIterator[NatsBroker]:
    async with make_broker(ServiceSettings(nats_url=nats_url), "test") as connected:
        yield connected


@pytest.fixture
def requester(broker: NatsBroker) -> Requester:
    return Requester(broker)


class Meters:
    """Metrics that are read where they are made."""

    def __init__(self) -> None:
        self.reader = InMemoryMetricReader()
        self.provider = MeterProvider(metric_readers=[self.reader], shutdown_on_exit=False)

    def values(self, name: str) -> dict[str, float]:
        """The values of an instrument by its only attribute; "" where it has none. A histogram's are its counts."""
        data = self.reader.get_metrics_data()
        points = [
            point
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == f"lovsvar.practice.{name}"
            for point in metric.data.data_points
        ]
        return {
            "".join(str(value) for value in (point.attributes or {}).values()): getattr(point, "value", None)
            or getattr(point, "count", 0)
            for point in points
        }


@pytest.fixture
def meters() -> Iterator[Meters]:
    made = Meters()
    yield made
    made.provider.shutdown()


class Purse:
    """A budget that holds so many requests."""

    def __init__(self, left: int = 1_000) -> None:
        self.left = left

    async def spend(self) -> None:
        if not self.left:
            raise BudgetSpent("Brukt opp.")
        self.left -= 1


@pytest.fixture
def purse() -> Purse:
    return Purse()
