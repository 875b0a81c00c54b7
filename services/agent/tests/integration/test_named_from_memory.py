"""What a model names from memory, through a whole answer: marked in the prose, and listed."""

import pytest

SEARCH = {"calls": [{"search_lovdata_legal_documents": {"query": "pant båteieren"}}]}
HOLDS = ["lovdata-1", "Pantet kan være på høyst fire ukers båtleie"]
BOUND = "Pantet kan være på høyst fire ukers båtleie [lovdata-1]."


@pytest.fixture
def answered(reason):
    async def run(says: str, script=(SEARCH,)):
        final = {"final": {"answer": f"{BOUND} {says}", "citations": [HOLDS]}, "repeat": True}
        return (await reason([*script, final], "Hvor mye kan båteieren kreve i pant?")).answer

    return run


@pytest.mark.parametrize(
    "named",
    [
        "Rt. 2005 s. 1234",
        "HR-2020-1234-A",
        "LB-2019-12345",
        "Ot.prp. nr. 82 (1997-1998)",
        "Prop. 12 L (2019-2020)",
        "NOU 2010: 3",
        "rundskriv H-12/99",
        "forordning (EU) 2016/679",
        "direktiv 2004/38/EF",
        "C-311/18",
        "Hansen mot Norge",
        "søknad nr. 1234/05",
        "FKU-2019-123",
    ],
)
async def test_an_authority_that_no_source_names_is_marked_and_listed(answered, named: str) -> None:
    answer = await answered(f"Dette er omtalt i {named} fra før.")
    assert f"{named} (ikke i kildene)" in answer.answer_text
    assert named in answer.unresolved
    assert named in [lost.quote for lost in answer.rejected]


@pytest.mark.parametrize("place", ["§ 3-2 tjuende ledd bokstav z", "kapittel 99", "båtleieloven § 3-2 niende ledd"])
async def test_a_place_that_does_not_exist_is_marked_and_listed(answered, place: str) -> None:
    answer = await answered(f"Slik er også {place} bygget opp.")
    assert f"{place} (ikke funnet)" in answer.answer_text
    assert place in answer.unresolved


async def test_no_mark_is_set_inside_a_date(answered) -> None:
    answer = await answered("Slik var det også før § 3-2, 1. april 2021 og 1.4.2021.")
    assert "1. april 2021 og 1.4.2021" in answer.answer_text
    assert answer.unresolved == ()
