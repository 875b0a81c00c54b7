"""What refers to a document and its provisions, over NATS."""

from dataclasses import replace
from typing import Any

from lovsvar_contracts.problems import ProblemType

HUSLEIE = "lov/1999-03-26-17"


def regulation(fiske: Any, refid: str, *texts: str) -> Any:
    """A regulation with these texts, one a provision."""
    paragraphs = tuple(replace(fiske.paragraphs[0], section=f"§{n}", ledd=(text,)) for n, text in enumerate(texts, 1))
    return replace(
        fiske, refid=refid, title="Forskrift om bolig", short_title="Boligforskriften", paragraphs=paragraphs
    )


def named(place: Any) -> list[tuple[str, str, bool]]:
    return [(one.refid, one.section, one.basis) for one in place.citing]


async def test_provisions_that_name_a_document_are_listed_by_the_place_that_they_refer_to(
    serve: Any, stored: Any, fiske: Any
) -> None:
    first, second = "forskrift/2001-01-01-1", "forskrift/2002-01-01-1"
    await stored.store(
        regulation(
            fiske,
            first,
            "Depositum settes på konto, jf. husleieloven § 3-5.",
            "Etter husleielova §§ 3-5 og 3-6 gjelder mer.",
            "Husleieloven gjelder ellers.",
            "Det følger av arbeidsmiljøloven § 3-5.",
        ),
        regulation(fiske, second, "Forskriften er gitt med hjemmel i husleieloven § 3-5 og § 99-9."),
    )
    async with serve(version=await stored.stamp()) as search:
        found = await search.citations(HUSLEIE)
        one = await search.citations(HUSLEIE, "§ 3-5", most=1)
        nothing = await search.citations(HUSLEIE, "§404")
        unknown = await search.problem(search.citations("lov/1900-01-01-1"))
    places = {place.section: named(place) for place in found.places}
    assert places[None] == [(first, "§3", False)]
    assert places["§3-5"] == [(second, "§1", True), (first, "§1", False), (first, "§2", False)]
    assert list(places)[:2] == [None, "§3-5"]
    assert [(one.refid, one.provisions, one.basis) for one in found.regulations] == [
        (second, 1, True),
        (first, 3, False),
    ]
    assert found.regulations_total == 2
    assert [(place.section, place.total, named(place)) for place in one.places] == [("§3-5", 3, [(second, "§1", True)])]
    assert one.regulations == ()
    assert nothing.places == ()
    assert unknown.type is ProblemType.NOT_FOUND


async def test_a_documents_own_mentions_and_the_laws_own_links_count(serve: Any, stored: Any, fiske: Any) -> None:
    await stored.store(regulation(fiske, "forskrift/2001-01-01-1", "Se § 2 og § 404.", "Leie etter avtale."))
    await stored.connection.execute(
        "UPDATE sections SET refs = $1 WHERE refid = 'forskrift/2001-01-01-1' AND section_key = '§2'",
        [f"{HUSLEIE}/§3-6/ledd/1", "lov/1999-03-26-170/§1"],
    )
    async with serve(version=await stored.stamp()) as search:
        own = await search.citations("forskrift/2001-01-01-1")
        linked = await search.citations(HUSLEIE)
    assert [(place.section, named(place)) for place in own.places] == [
        ("§2", [("forskrift/2001-01-01-1", "§1", False)])
    ]
    assert [(place.section, named(place)) for place in linked.places] == [
        ("§3-6", [("forskrift/2001-01-01-1", "§2", False)])
    ]
    assert linked.places[0].citing[0].act == "Boligforskriften"


async def test_what_was_found_is_found_again_when_the_law_changes(serve: Any, stored: Any, fiske: Any) -> None:
    async with serve() as search:
        assert (await search.citations(HUSLEIE)).places == ()
        await stored.store(regulation(fiske, "forskrift/2001-01-01-1", "Etter husleieloven § 3-5."))
        await search.reach(await stored.stamp())
        assert [place.section for place in (await search.citations(HUSLEIE)).places] == ["§3-5"]
