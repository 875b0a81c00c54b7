"""The manifest of the practice service: it keeps what it found, and the day's count of searches, in two buckets."""

from lovsvar_chassis.manifest import ServiceManifest
from lovsvar_chassis.permissions import keeps
from lovsvar_contracts import subjects

CACHE = "practice_cache"
BUDGET = "practice_budget"

MANIFEST = ServiceManifest(
    name="practice",
    package="lovsvar_practice",
    order=30,
    publishes=keeps(CACHE, BUDGET),
    subscribes=(subjects.PRACTICE_SEARCH,),
)
