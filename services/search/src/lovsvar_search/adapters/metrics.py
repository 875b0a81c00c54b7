"""What operators can watch of search: which corpus version is served, and how far that is behind what is stored."""

from lovsvar_chassis import metrics
from lovsvar_search.core.retrieval.corpus_follower import CorpusFollower


def watch_follower(follower: CorpusFollower) -> None:
    """Show how `follower` is, in the metrics of this process."""

    def versions() -> metrics.Readings:
        details = follower.details()
        both = (("served", details["corpus_version"]), ("stored", details["stored_version"]))
        return [(version, {"which": which}) for which, version in both if version is not None]

    def behind() -> metrics.Readings:
        details = follower.details()
        served, stored = details["corpus_version"], details["stored_version"]
        return [] if stored is None else [(max(0, stored - (served or 0)), {})]

    def lag() -> metrics.Readings:
        seconds = follower.details()["lag_seconds"]
        return [] if seconds is None else [(seconds, {})]

    metrics.CORPUS_VERSION.watch(versions)
    metrics.FOLLOWER_BEHIND.watch(behind)
    metrics.FOLLOWER_LAG.watch(lag)
