"""Which package may import which, over whatever packages there are. A chain of imports counts as an import."""

import copy
import functools
from collections.abc import Iterator, Mapping, Set
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]


def packages(pattern: str) -> frozenset[str]:
    """The packages of ours in the folders that match `pattern`."""
    return frozenset(file.parent.name for file in ROOT.glob(f"{pattern}/src/*/__init__.py"))


CLIENT, CONTRACTS, CHASSIS, TESTKIT = "lovsvar", "lovsvar_contracts", "lovsvar_chassis", "lovsvar_testkit"
LEGAL_TEXT, RENDERING = "lovsvar_legaltext", "lovsvar_rendering"
SERVICES, LIBRARIES, LAUNCHER = packages("services/*"), packages("libs/*") - {TESTKIT}, packages("deploy/local")
OURS = SERVICES | LIBRARIES | LAUNCHER | {TESTKIT}

FRAMEWORKS = frozenset({"asyncpg", "fastapi", "faststream", "nats"})
ENGINES = frozenset({"httpx2", "mcp", "onnx", "onnxruntime", "openai", "sentencepiece", "starlette", "tantivy"})
OUTSIDE = FRAMEWORKS | ENGINES | {CHASSIS}

GENERIC = ("lovsvar_search.core.retrieval", "lovsvar_search.adapters.retrieval")
SEARCHED_LAW = frozenset(
    {"lovsvar_search.core.law", "lovsvar_search.adapters.law", "lovsvar_contracts.law", LEGAL_TEXT}
)
SEARCHED_CATALOGUES = frozenset(
    {"lovsvar_search.core.catalogues", "lovsvar_search.adapters.catalogues", "lovsvar_contracts.catalogues"}
)
COLLECTIONS = SEARCHED_LAW | SEARCHED_CATALOGUES

ISOLATION = "No service imports another, nor what starts them"
ROOMS = "A core imports nothing of its service but itself"
PURITY = "A core imports no engine, no framework and no chassis"
WIRE = "Contracts stand alone"
PUBLIC = "The client imports the contracts alone"
LAW = "Legal text is pure"
BLOCKS = "Rendering is pure"
DIRECTION = "No library knows a service"
RETRIEVAL = "Retrieval knows no collection"
APART = "No collection knows another"
TESTS = "What runs imports nothing that is for tests"
MANIFESTS = "A manifest imports no service code, no engine and no framework"


@functools.cache
def imports() -> grimp.ImportGraph:
    """Who imports what; what is not ours by its top name."""
    return grimp.build_graph(*sorted(OURS), include_external_packages=True, cache_dir=None)


def forbidden(rule: str) -> Mapping[str, Set[str]]:
    """Who may not import what, by `rule`."""
    return {
        ISOLATION: {service: (SERVICES | LAUNCHER) - {service} for service in SERVICES},
        ROOMS: {f"{service}.core": imports().find_children(service) - {f"{service}.core"} for service in SERVICES},
        PURITY: {f"{service}.core": OUTSIDE for service in SERVICES},
        WIRE: {CONTRACTS: (OURS - {CONTRACTS}) | FRAMEWORKS},
        PUBLIC: {CLIENT: (OURS - {CLIENT, CONTRACTS}) | FRAMEWORKS},
        LAW: {LEGAL_TEXT: (OURS - {LEGAL_TEXT, CONTRACTS}) | FRAMEWORKS | ENGINES},
        BLOCKS: {RENDERING: (OURS - {RENDERING, CONTRACTS}) | FRAMEWORKS | ENGINES},
        DIRECTION: dict.fromkeys(LIBRARIES, SERVICES | LAUNCHER),
        RETRIEVAL: dict.fromkeys(GENERIC, COLLECTIONS),
        APART: {
            f"lovsvar_search.{room}.{one}": others
            # What is asked of every collection is in a contract with what is asked of the law.
            for room in ("core", "adapters")
            for one, others in (("law", SEARCHED_CATALOGUES), ("catalogues", SEARCHED_LAW - {"lovsvar_contracts.law"}))
        },
        TESTS: dict.fromkeys(OURS - {TESTKIT}, frozenset({TESTKIT, "pytest"})),
        MANIFESTS: {
            f"{service}.manifest": (imports().find_children(service) - {f"{service}.manifest"}) | FRAMEWORKS | ENGINES
            for service in SERVICES
        },
    }[rule]


RULES = (ISOLATION, ROOMS, PURITY, WIRE, PUBLIC, LAW, BLOCKS, DIRECTION, RETRIEVAL, APART, TESTS, MANIFESTS)


def broken(rule: str, graph: grimp.ImportGraph) -> Iterator[str]:
    """The chains of imports in `graph` that `rule` forbids."""
    for importer, names in forbidden(rule).items():
        for imported in sorted(names & graph.modules):
            for chain in graph.find_shortest_chains(importer, imported, as_packages=True):
                yield " imports ".join(chain)


@pytest.mark.parametrize("rule", RULES)
def test_imports_point_inward(rule: str) -> None:
    assert sorted(broken(rule, imports())) == []


@pytest.mark.parametrize(
    ("rule", "importer", "imported"),
    [
        (ISOLATION, "lovsvar_gateway.app", "lovsvar_agent.core.errors"),
        (ISOLATION, "lovsvar_search.app", "lovsvar_local.errors"),
        (ROOMS, "lovsvar_search.core.errors", "lovsvar_search.app"),
        (ROOMS, "lovsvar_search.core.errors", "lovsvar_search.handlers"),
        (ROOMS, "lovsvar_search.core.errors", "lovsvar_search.adapters.retrieval.tantivy_index"),
        (ROOMS, "lovsvar_search.core.errors", "lovsvar_search.settings"),
        *[(PURITY, "lovsvar_agent.core.errors", name) for name in sorted(OUTSIDE)],
        (PURITY, "lovsvar_embedder.embedder", "lovsvar_chassis.nats"),
        (WIRE, "lovsvar_contracts.search", "lovsvar_chassis.nats"),
        (WIRE, "lovsvar_contracts.search", "nats"),
        (PUBLIC, "lovsvar.client", "lovsvar_chassis.nats"),
        (PUBLIC, "lovsvar_contracts.search", "fastapi"),
        (LAW, "lovsvar_legaltext.references", "lovsvar_embedder.embedder"),
        (LAW, "lovsvar_legaltext.references", "tantivy"),
        (BLOCKS, "lovsvar_rendering.text", "lovsvar_legaltext.terms"),
        (DIRECTION, "lovsvar_chassis.service", "lovsvar_search.settings"),
        (DIRECTION, "lovsvar_embedder.settings", "lovsvar_local.ports"),
        *[(RETRIEVAL, f"{GENERIC[0]}.query", name) for name in sorted(COLLECTIONS)],
        (RETRIEVAL, f"{GENERIC[1]}.tantivy_snapshot", "lovsvar_search.core.law.signals"),
        (RETRIEVAL, "lovsvar_embedder.similarity", "lovsvar_legaltext.numbers"),
        (APART, "lovsvar_search.core.law.filters", "lovsvar_search.core.catalogues.languages"),
        (APART, "lovsvar_search.adapters.catalogues.postgres_catalogues", "lovsvar_search.adapters.law.postgres"),
        (TESTS, "lovsvar_local.cli", "lovsvar_testkit.servers"),
        (MANIFESTS, "lovsvar_agent.manifest", "lovsvar_agent.settings"),
        (MANIFESTS, "lovsvar_chassis.manifest", "nats"),
    ],
)
def test_an_import_that_a_rule_forbids_is_found(rule: str, importer: str, imported: str) -> None:
    graph = copy.deepcopy(imports())
    graph.add_import(importer=importer, imported=imported)
    assert any(f"{importer} imports {imported}" in chain for chain in broken(rule, graph))


def test_every_package_of_the_workspace_is_looked_at() -> None:
    folders = {file.parent for pattern in ("libs/*", "services/*") for file in ROOT.glob(f"{pattern}/pyproject.toml")}
    assert len(SERVICES | LIBRARIES | {TESTKIT}) == len(folders)
    assert {CLIENT, CONTRACTS, CHASSIS, LEGAL_TEXT, RENDERING} < LIBRARIES
    assert imports().modules >= OURS | COLLECTIONS | set(GENERIC)
