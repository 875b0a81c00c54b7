"""The syncs of every night: when, and which."""

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from lovsvar_contracts.ingest import DATASET_LAWS, DATASET_REGULATIONS, Dataset, SyncRequested

DATASETS = (DATASET_LAWS, DATASET_REGULATIONS)


def next_run(now: datetime, at: time) -> datetime:
    """Return the first moment after `now`, in its time zone, at which a clock shows `at`."""
    run = datetime.combine(now.date(), at, now.tzinfo)
    return run if run > now else run + timedelta(days=1)


def nightly_requests(day: date, catalogues: Sequence[Dataset] = ()) -> Sequence[SyncRequested]:
    """Return the requests of the night of `day`: the law, then the data sets of catalogues.

    Every process makes them with the same ids: the stream keeps the first of each, and a late one finds its sync done.
    """
    # An id has 64 characters at most: the longest name of a catalogue, with the day after it.
    names = ((dataset, f"nightly-{dataset}-{day}"[-64:]) for dataset in (*DATASETS, *catalogues))
    return [SyncRequested(event_id=name, sync_id=name, dataset=dataset) for dataset, name in names]
