"""What a question is narrowed to holds, whoever asks for what."""

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.core.question_filters import NO_FILTERS, in_words, narrowed, within
from lovsvar_contracts.law import LawType
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import QuestionFilters
from lovsvar_contracts.search import FindProvisions, ProvisionRef, ReadOutline, ReadProvisions, ResolveReference

BOATS, FEASTS, PAYMENT = "lov/2999-01-01-1", "lov/2999-02-02-2", "forskrift/2998-05-05-5"
REGULATIONS = QuestionFilters(law_type=LawType.FORSKRIFT)


class Recording(MemorySearch):
    """Remembers what it was asked."""

    def __init__(self, *given, **more) -> None:
        super().__init__(*given, **more)
        self.asked: list = []

    async def find(self, request):
        self.asked.append(request)
        return await super().find(request)


@pytest.fixture
def law(corpus, make_provision) -> Recording:
    regulation = make_provision("Pantet skal være betalt før båten hentes.", refid=PAYMENT, section="§2", act="Pantf.")
    regulation = regulation.model_copy(update={"law_type": LawType.FORSKRIFT})
    return Recording((*corpus, regulation), ministries={PAYMENT: "Båt- og bryggedepartementet"})


@pytest.mark.parametrize(
    ("own", "wished", "held"),
    [
        ({}, {"law_type": LawType.LOV, "year": 1999}, {"law_type": LawType.LOV, "year": 1999}),
        ({"law_type": LawType.FORSKRIFT}, {"law_type": LawType.LOV}, {"law_type": LawType.FORSKRIFT}),
        ({"law_type": LawType.FORSKRIFT}, {"year": 1999}, {"law_type": LawType.FORSKRIFT, "year": 1999}),
        ({"year": 2020}, {"year": 1999}, {"year": 2020}),
        ({"ministry": "Justis"}, {"ministry": "justis- og beredskap"}, {"ministry": "justis- og beredskap"}),
        ({"ministry": "Justis"}, {"ministry": "Just"}, {"ministry": "Justis"}),
        ({"ministry": "Justis"}, {"ministry": "Klima"}, {"ministry": "Justis"}),
        ({"ministry": "Justis"}, {}, {"ministry": "Justis"}),
        ({"ministry": ""}, {"ministry": ""}, {}),
    ],
)
def test_a_search_may_be_narrowed_further_and_never_leaves_the_questions_filters(own, wished, held) -> None:
    assert within(QuestionFilters(**own), QuestionFilters(**wished)) == QuestionFilters(**held)


def test_filters_are_told_in_norwegian_and_none_are_nothing() -> None:
    every = QuestionFilters(law_type=LawType.FORSKRIFT, year=2020, ministry="Justis")
    assert in_words(every) == "forskrifter, år 2020, departement «Justis»"
    assert in_words(NO_FILTERS) == in_words(QuestionFilters(ministry="")) == ""


def test_a_question_without_filters_searches_as_it_is(law) -> None:
    assert narrowed(law, None) is law
    assert narrowed(law, NO_FILTERS) is law


async def test_every_search_is_asked_with_the_filters(law) -> None:
    found = await narrowed(law, REGULATIONS).find(FindProvisions(query="pant", law_type=LawType.LOV, page_size=3))
    assert {hit.refid for hit in found.hits} == {PAYMENT}
    assert (law.asked[-1].law_type, law.asked[-1].page_size) == (LawType.FORSKRIFT, 3)


@pytest.mark.parametrize(
    ("filters", "read"),
    [
        (REGULATIONS, [PAYMENT]),
        (QuestionFilters(year=2998), [PAYMENT]),
        (QuestionFilters(ministry="båt-"), [PAYMENT]),
        (QuestionFilters(law_type=LawType.LOV), [BOATS]),
        (QuestionFilters(law_type=LawType.VEDTAK), []),
    ],
)
async def test_a_document_outside_the_filters_is_not_read(law, filters, read: list[str]) -> None:
    search = narrowed(law, filters)
    refs = (ProvisionRef(refid=BOATS, section="§3-2"), ProvisionRef(refid=PAYMENT, section="§2"))
    found = await search.read(ReadProvisions(refs=refs))
    assert [p.refid for p in found.provisions] == read
    assert {r.refid for r in found.missing} == {BOATS, PAYMENT} - set(read)
    for refid in (BOATS, PAYMENT):
        if refid in read:
            assert (await search.outline(ReadOutline(refid=refid))).document.refid == refid
        else:
            with pytest.raises(ProblemError, match="avgrenset"):
                await search.outline(ReadOutline(refid=refid))


async def test_a_document_that_does_not_exist_is_merely_missing(law) -> None:
    ref = ProvisionRef(refid="lov/2999-09-09-9", section="§1")
    assert (await narrowed(law, REGULATIONS).read(ReadProvisions(refs=(ref,)))).missing == (ref,)


async def test_whether_a_reference_exists_does_not_hang_on_the_filters(law) -> None:
    found = await narrowed(law, REGULATIONS).resolve(ResolveReference(reference="båtleieloven § 3-2"))
    assert found.outcome == "one"
