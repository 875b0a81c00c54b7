"""Resolving references over NATS."""

from dataclasses import replace
from typing import Any

import pytest

HUSLEIE = "lov/1999-03-26-17"

only_asks = pytest.mark.asyncio(loop_scope="module")
"""A test that asks the service of the whole module, and changes nothing."""


@only_asks
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
    search: Any, reference: str, section: str | None, ledd: int | None
) -> None:
    resolution = await search.resolve(reference)
    (match,) = resolution.matches
    assert resolution.outcome == "one"
    assert (match.refid, match.section, match.ledd) == (HUSLEIE, section, ledd)
    assert match.url == (f"/{HUSLEIE}#{section}" if section else f"/{HUSLEIE}")


@only_asks
async def test_an_act_without_the_section_is_none_and_says_so(search: Any) -> None:
    resolution = await search.resolve("husleieloven § 99")
    assert (resolution.outcome, resolution.matches) == ("none", ())
    assert resolution.detail == (
        "Husleieloven (lov/1999-03-26-17) finnes, men har ingen bestemmelse «§ 99». Nærmest er § 2A-1, § 3-5, § 3-6."
    )


async def test_two_acts_in_force_of_one_name_are_several_and_the_nearest_of_each_are_named_with_it(
    serve: Any, stored: Any, husleie: Any
) -> None:
    twins = {"lov/2030-01-01-1", "lov/2030-01-01-2"}
    named = replace(husleie, title="Lov om båsleie (båsleieloven)", short_title="Båsleieloven", abbreviation="")
    await stored.store(*(replace(named, refid=refid) for refid in twins))
    async with serve(version=await stored.stamp()) as search:
        both = await search.resolve("båsleieloven § 3-5")
        near = await search.resolve("båsleieloven § 3-4")
    assert both.outcome == "several"
    assert {match.refid for match in both.matches} == twins
    assert both.detail
    (reference,) = near.references
    assert {place.refid for place in reference.nearest} == twins
    assert "Nærmest er Båsleieloven § 3-5, Båsleieloven § 3-5." in reference.detail


async def test_of_two_acts_of_one_name_the_one_in_force_is_meant(serve: Any, stored: Any, husleie: Any) -> None:
    await stored.store(replace(husleie, refid="lov/2030-01-01-1", abbreviation="", in_force="not_yet"))
    async with serve(version=await stored.stamp()) as search:
        resolution = await search.resolve("husleieloven § 3-5")
    assert [match.refid for match in resolution.matches] == [HUSLEIE]


@only_asks
async def test_an_unknown_act_is_none_and_a_near_name_is_asked_about(search: Any) -> None:
    unknown = await search.resolve("tulleloven § 1")
    misspelt = await search.resolve("husleilovn § 1")
    nothing = await search.resolve("hei på deg")
    actless = await search.resolve("§ 3-5")
    assert {unknown.outcome, misspelt.outcome, nothing.outcome, actless.outcome} == {"none"}
    assert "tulleloven" in unknown.detail
    assert "Mente du «husleieloven»?" in misspelt.detail
    assert "husleieloven § 3-5" in nothing.detail
    assert "hvilken lov" in actless.detail


@only_asks
async def test_the_place_inside_a_provision_is_told(search: Any) -> None:
    (match,) = (await search.resolve("husleieloven § 3-5 annet ledd bokstav b nr. 3 første punktum")).matches
    (last,) = (await search.resolve("husleieloven § 3-5 siste ledd")).matches
    several = await search.resolve("husleieloven § 3-5 første ledd bokstav a og b")
    assert (match.ledd, match.letter, match.number, match.sentence) == (2, "b", "3", 1)
    assert last.ledd == 3
    assert [(match.ledd, match.letter) for match in several.matches] == [(1, "a"), (1, "b")]


@only_asks
async def test_a_ledd_that_is_not_there_is_none_and_the_provision_says_how_many_it_has(search: Any) -> None:
    resolution = await search.resolve("husleieloven § 3-5 fjerde ledd")
    assert (resolution.outcome, resolution.matches) == ("none", ())
    assert "har 3 ledd" in resolution.detail


@only_asks
@pytest.mark.parametrize(
    "reference", ["husleieloven §§ 2 A-1 til 3-6", "husleieloven §§ 2A-1–3-6", "§§ 2A-1 - 3-6 i husleieloven"]
)
async def test_a_range_is_every_provision_in_it_in_reading_order(search: Any, reference: str) -> None:
    resolution = await search.resolve(reference)
    assert resolution.outcome == "several"
    assert [match.section for match in resolution.matches] == ["§2A-1", "§3-5", "§3-6"]


@only_asks
async def test_a_dash_between_two_numbers_is_a_range_only_where_there_is_no_such_number(
    search: Any, fiske: Any
) -> None:
    one = await search.resolve("husleieloven §§ 3–5")
    several = await search.resolve(f"{fiske.short_title} §§ 3–5")
    assert [match.section for match in one.matches] == ["§3-5"]
    assert [match.section for match in several.matches] == ["§3", "§4", "§5"]


@only_asks
async def test_a_chapter_is_resolved_to_its_document_and_named(search: Any) -> None:
    (match,) = (await search.resolve("husleieloven kap. 3")).matches
    missing = await search.resolve("husleieloven kapittel 14")
    assert (match.refid, match.section, match.title) == (HUSLEIE, None, "Kapittel 3. Leie")
    assert match.chapter
    assert match.url == f"/{HUSLEIE}"
    assert missing.outcome == "none"
    assert "kapittel «kapittel 14»" in missing.detail


@only_asks
async def test_each_reference_of_a_text_is_answered_by_itself(search: Any) -> None:
    resolution = await search.resolve("husleieloven § 3-5, husll. § 99-9 og tulleloven § 1")
    there, missing, unknown = resolution.references
    assert [(match.refid, match.section) for match in there.matches] == [(HUSLEIE, "§3-5")]
    assert (missing.text, missing.matches) == ("husll. § 99-9", ())
    assert "ingen bestemmelse" in missing.detail
    assert "tulleloven" in unknown.detail


@only_asks
async def test_the_provisions_nearest_to_one_that_does_not_exist_are_named(search: Any) -> None:
    resolution = await search.resolve(
        "husleieloven § 3-5 og tulleloven § 1, husleieloven § 3-1 og husleieloven kap. 44"
    )
    there, unknown, missing, chapter = resolution.references
    assert [(near.refid, near.section) for near in missing.nearest] == [
        (HUSLEIE, "§2A-1"),
        (HUSLEIE, "§3-5"),
        (HUSLEIE, "§3-6"),
    ]
    assert missing.nearest[1].url == f"/{HUSLEIE}#§3-5"
    assert missing.detail.endswith("Nærmest er § 2A-1, § 3-5, § 3-6.")
    assert (there.nearest, unknown.nearest, chapter.nearest) == ((), (), ())


async def test_all_provisions_that_are_printed_under_the_same_number_are_named(
    serve: Any, stored: Any, husleie: Any
) -> None:
    fifth = next(one for one in husleie.paragraphs if one.section == "§3-5")
    twice = replace(husleie, paragraphs=(*husleie.paragraphs, replace(fifth, section="kap7/§3-5")))
    await stored.store(twice)
    async with serve(version=await stored.stamp()) as search:
        both = await search.resolve("husleieloven § 3-5")
        ledd = await search.resolve("Lov om husleieavtaler (husleieloven) § 3-5 annet ledd")
        one = await search.resolve(f"{HUSLEIE}/§3-5")
        other = await search.resolve(f"{HUSLEIE}/kap7/§3-5")
    assert (both.outcome, [match.section for match in both.matches]) == ("several", ["§3-5", "kap7/§3-5"])
    assert [(match.section, match.ledd) for match in ledd.matches] == [("§3-5", 2), ("kap7/§3-5", 2)]
    assert (one.outcome, one.matches[0].section) == ("one", "§3-5")
    assert (other.outcome, other.matches[0].section) == ("one", "kap7/§3-5")


@only_asks
async def test_a_section_whose_letter_may_be_an_article_is_the_one_that_exists(search: Any) -> None:
    (match,) = (await search.resolve("husleieloven § 3-5 a real citation")).matches
    assert match.section == "§3-5"
