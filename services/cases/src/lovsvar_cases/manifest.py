"""The manifest of the cases service: it owns cases and their schema, and asks search for law."""

from lovsvar_chassis.manifest import Schema, ServiceManifest
from lovsvar_chassis.permissions import CASES, UNREADY
from lovsvar_contracts import subjects

SCHEMA = Schema(package="lovsvar_cases", name="cases")

MANIFEST = ServiceManifest(
    name="cases",
    package="lovsvar_cases",
    order=35,
    migrations=SCHEMA,
    publishes=(subjects.CASE_CHANGED_ANY, subjects.SEARCH_READ, subjects.SEARCH_RESOLVE, UNREADY),
    subscribes=(*CASES, subjects.tool_list("cases"), subjects.tool_call("cases")),
    login="lovsvar_cases",
)
