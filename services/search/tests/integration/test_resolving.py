"""Resolving references over NATS."""

from dataclasses import replace
from typing import Any

import pytest

HUSLEIE = "lov/1999-03-26-17"


@pytest.mark.parametrize(
    ("reference", "section", "ledd"),
    [
        ("husleieloven § 3-5", "§3-5", None),
        ("husll. § 3-5 annet ledd", "§3-5", 2),
        ("LOV-1999-03-26-17 § 3-5", "§3-5", None),
        ("hva sier husleieloven § 2 A-1?", "§2A-1", None),
        ("husleieloven", None, None),
    ],
)
async def test_a_reference_that_names_one_thing_is_resolved(
    serve: Any, stored: Any, reference: str, section: str | None, ledd: int | None
) -> None:
    async with serve() as search:
        resolution = await search.resolve(reference)
    (match,) = resolution.matches
    assert resolution.outcome == "one"
    assert (match.refid, match.section, match.ledd) == (HUSLEIE, section, ledd)
    assert match.url == (f"/{HUSLEIE}#{section}" if section else f"/{HUSLEIE}")


async def test_an_act_without_the_section_is_none_and_says_so(serve: Any, stored: Any) -> None:
    async with serve() as search:
        resolution = await search.resolve("husleieloven § 99")
    assert (resolution.outcome, resolution.matches) == ("none", ())
    assert resolution.detail == "Husleieloven (lov/1999-03-26-17) finnes, men har ingen bestemmelse «§ 99»."


async def test_two_acts_in_force_of_one_name_are_several(serve: Any, stored: Any, husleie: Any) -> None:
    await stored.store(replace(husleie, refid="lov/2030-01-01-1", abbreviation=""))
    async with serve(version=await stored.stamp()) as search:
        resolution = await search.resolve("husleieloven § 3-5")
    assert resolution.outcome == "several"
    assert {match.refid for match in resolution.matches} == {HUSLEIE, "lov/2030-01-01-1"}
    assert resolution.detail


async def test_of_two_acts_of_one_name_the_one_in_force_is_meant(serve: Any, stored: Any, husleie: Any) -> None:
    await stored.store(replace(husleie, refid="lov/2030-01-01-1", abbreviation="", in_force="not_yet"))
    async with serve(version=await stored.stamp()) as search:
        resolution = await search.resolve("husleieloven § 3-5")
    assert [match.refid for match in resolution.matches] == [HUSLEIE]


async def test_an_unknown_act_is_none_and_a_near_name_is_asked_about(serve: Any, stored: Any) -> None:
    async with serve() as search:
        unknown = await search.resolve("tulleloven § 1")
        misspelt = await search.resolve("husleilovn § 1")
        nothing = await search.resolve("hei på deg")
        actless = await search.resolve("§ 3-5")
    assert {unknown.outcome, misspelt.outcome, nothing.outcome, actless.outcome} == {"none"}
    assert "tulleloven" in unknown.detail
    assert "Mente du «husleieloven»?" in misspelt.detail
    assert "husleieloven § 3-5" in nothing.detail
    assert "hvilken lov" in actless.detail
