"""Invented law for the tests of the agent; no sentence is taken from a real act."""

from collections.abc import Callable

import pytest

from lovsvar_contracts.identifiers import lovdata_url, viewer_path
from lovsvar_contracts.law import Block, BlockKind, InForce, LawType, Provision
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.run_events import RunEvent

Ledd = str | tuple[str, list[str]]
MakeProvision = Callable[..., Provision]


def build_provision(
    *ledd: Ledd,
    refid: str = "lov/2999-01-01-1",
    section: str = "§1",
    title: str = "",
    act: str = "Båtleieloven – båtl",
    in_force: InForce = InForce.YES,
    sample: bool = False,
) -> Provision:
    """Return a provision of `ledd`; one with list items is a pair of lead-in and items, labelled a., b., …"""
    blocks, lines = [], []
    for number, part in enumerate(ledd, start=1):
        text, items = part if isinstance(part, tuple) else (part, [])
        labels = [f"{chr(ord('a') + n)}." for n in range(len(items))]
        children = tuple(
            Block(kind=BlockKind.LIST_ITEM, text=item, label=label) for label, item in zip(labels, items, strict=True)
        )
        blocks.append(Block(kind=BlockKind.LEDD, text=text, ledd=number, children=children))
        lines += [text, *(f"{label} {item}" for label, item in zip(labels, items, strict=True))]
    return Provision(
        refid=refid,
        section=section,
        value=section.replace("§", "§ "),
        title=title,
        act=act,
        document_title=act,
        law_type=LawType.LOV,
        position=0,
        text="\n".join(lines),
        blocks=tuple(blocks),
        in_force=in_force,
        content_hash="0",
        tokens=len("\n".join(lines)) // 4 + 1,
        url=viewer_path(refid, section),
        lovdata_url=lovdata_url(refid, section),
        dataset="test",
        sample=sample,
    )


@pytest.fixture
def make_provision() -> MakeProvision:
    return build_provision


@pytest.fixture
def corpus() -> tuple[Provision, ...]:
    """Two invented acts: on hiring boats, and on village feasts."""
    feast = {"refid": "lov/2999-02-02-2", "act": "Bygdefestloven"}
    return (
        build_provision(
            "Loven gjelder den som mot betaling får bruke en båt som en annen eier.",
            section="§1-1",
            title="Hva loven gjelder",
        ),
        build_provision(
            "Båteieren kan kreve at låntakeren stiller pant. Pantet kan være på høyst fire ukers båtleie, jf. § 1-1.",
            "Pantet settes på en konto som ingen av dem rår over alene.",
            (
                "Båteieren kan kreve dekning i pantet når",
                ["låntakeren har skadet båten,", "båtleien ikke er betalt, eller", "båten er levert for sent."],
            ),
            section="§3-2",
            title="Pant",
        ),
        build_provision(
            "Låntakeren skal melde fra om skader på båten innen ti dager.",
            section="§4-1",
            title="Skader",
        ),
        build_provision(
            "Festen skal være slutt klokken ett om natten. Kommunen kan gi lengre frist når naboene er enige.",
            section="§7",
            title="Festens slutt",
            **feast,
        ),
        build_provision(
            "Den som holder bygdefest, rydder plassen innen to dager.",
            section="§8",
            title="Rydding",
            in_force=InForce.NOT_YET,
            **feast,
        ),
    )


@pytest.fixture
def asked() -> QuestionAsked:
    return QuestionAsked(question="Hvor mye kan båteieren kreve i pant?", correlation_id="who-asked")


@pytest.fixture
def types() -> Callable[[list[RunEvent]], list[str]]:
    return lambda events: [event.type for event in events]
