"""Provisions, references and outlines to try the tools' words on."""

from collections.abc import Callable

import pytest

from lovsvar_contracts.law import DocumentSummary, Provision, StructureKind
from lovsvar_contracts.search import Outline, OutlineEntry, OutlineNode, ResolvedReference
from lovsvar_testkit.acts import make_provision, make_reference, make_summary


def make_outline(chapters: int = 2, provisions: int = 6) -> Outline:
    def entry(chapter: int, number: int) -> OutlineEntry:
        name = f"{chapter}-{number}"
        return OutlineEntry(section=f"§{name}", value=f"§ {name}", title=f"Bestemmelse {name}", tokens=100)

    nodes = tuple(
        OutlineNode(
            kind=StructureKind.KAPITTEL,
            name=f"kap{chapter}",
            title=f"Kapittel {chapter}. Om noe",
            tokens=100 * provisions,
            provisions=tuple(entry(chapter, number) for number in range(1, provisions + 1)),
        )
        for chapter in range(1, chapters + 1)
    )
    document = make_summary(provisions=chapters * provisions)
    return Outline(document=document, children=nodes, tokens=chapters * provisions * 100, corpus_version=1)


@pytest.fixture
def reference() -> Callable[..., ResolvedReference]:
    return make_reference


@pytest.fixture
def provision() -> Callable[..., Provision]:
    return make_provision


@pytest.fixture
def summary() -> Callable[..., DocumentSummary]:
    return make_summary


@pytest.fixture
def outline() -> Callable[..., Outline]:
    return make_outline
