"""The syncs of every night: when, and which."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, SyncRequested

DATASETS = (DATASET_LAWS, DATASET_REGULATIONS)


def next_run(now: datetime, at: time) -> datetime:
    """Return the first moment after `now`, in its time zone, at which a clock shows `at`."""
    run = datetime.combine(now.date(), at, now.tzinfo)
    return run if run > now else run + timedelta(days=1)


def nightly_requests(day: date) -> Sequence[SyncRequested]:
    """Return the requests of the night of `day`.

    Every process makes them with the same ids: the stream keeps the first of each, and a late one finds its sync done.
    """
    names = ((dataset, f"nightly-{dataset}-{day}") for dataset in DATASETS)
    return [SyncRequested(event_id=name, sync_id=name, dataset=dataset) for dataset, name in names]
