"""The manifest of the search service."""

from lovsvar_chassis.manifest import ServiceManifest
from lovsvar_chassis.permissions import SEARCH, UNREADY
from lovsvar_contracts import subjects

MANIFEST = ServiceManifest(
    name="search",
    package="lovsvar_search",
    order=20,
    needed=True,
    publishes=(UNREADY,),
    subscribes=(
        *SEARCH,
        *(subjects.unready(subject) for subject in (*SEARCH, subjects.health("search"))),
        subjects.DOCUMENT_ANY,
        subjects.CATALOGUE_CHANGED,
        subjects.EMBEDDING_STORED,
    ),
    login="lovsvar_search",
)
