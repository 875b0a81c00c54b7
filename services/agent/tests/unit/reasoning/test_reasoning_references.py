"""Which sections, acts, decisions and preparatory works that an answer names there are."""

import pytest

from lovsvar_agent.adapters.memory_search import MemorySearch
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.phrases import WORDINGS
from lovsvar_agent.core.reasoning.reference_check import vet_references
from lovsvar_agent.core.source_kinds.law import LAW
from lovsvar_agent.core.source_kinds.practice import PRACTICE
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_legaltext.written_references import named_in

NB = WORDINGS["nb"]
MARK = NB.not_found


def names(text: str) -> list[str]:
    return [p.reference.written for p in named_in(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Etter § 3-2 eller 99-9 er det slik.", ["§ 3-2", "§ 99-9"]),
        ("Sections 3 and 4 of the Boat Act", ["§ 3", "§ 4", "Boat Act"]),
        ("paragrafane 3-2 og 99-9 i lova", ["§ 3-2", "§ 99-9"]),
        ("båtleielova § 3-2", ["båtleielova § 3-2"]),
        ("pgf. 12 og par. 13", ["§ 12", "§ 13"]),
        ("paragraf nittini", ["§ nittini"]),
        ("section ninety-nine", ["§ ninety-nine"]),
        ("§ X-1", ["§ X-1"]),
        ("§ alene", ["§ alene"]),
        ("lov 26. mars 2999 nr. 17", ["lov 26. mars 2999 nr. 17"]),
        ("Etter regelen i lov om fantasi.", ["lov om fantasi"]),
        ("under the Fantasy Act", ["Fantasy Act"]),
        ("GDPR artikkel 6 og artikkel 7", ["GDPR artikkel 6", "§ /a7"]),
        ("båtkonvensjonen artikkel 8", ["båtkonvensjonen artikkel 8"]),
    ],
)
def test_acts_and_sections_are_found_however_they_are_written(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Kongen kan gi forskrift om gebyr, og Stortinget kan gi en lov om dette.",
        "The Act applies, and this Act too.",
        "Det må skje innen 14 dager og 3 uker.",
        "I den første paragrafen står det slik.",
        "Loven og forskriften gjelder.",
    ],
)
def test_words_that_name_nothing_are_passed_over(text: str) -> None:
    assert names(text) == []


def test_units_behind_a_section_are_no_sections() -> None:
    assert names("§ 3-2 eller 14 dager") == ["§ 3-2"]
    assert names("sections 3 and 14 days") == ["§ 3"]


def test_an_english_name_with_the_norwegian_one_beside_it_is_judged_by_that() -> None:
    assert names("the Boat Rental Act (båtleieloven)") == ["båtleieloven"]
    assert names("båtleieloven (the Boat Rental Act)") == ["båtleieloven"]


async def test_what_the_corpus_holds_is_left_as_it_is(make_tools, sources) -> None:
    text = "Etter båtleieloven § 3-2 og § 4-1 i båtl. er det slik, jf. bygdefestloven."
    vetted = await vet_references(text, make_tools(sources=sources), NB)
    assert (vetted.text, vetted.unresolved, vetted.unchecked) == (text, (), ())


async def test_what_it_does_not_hold_is_marked_where_it_stands(make_tools, sources) -> None:
    vetted = await vet_references("Se båtleieloven § 99-9. Se fantasiloven, og § 88.", make_tools(sources=sources), NB)
    assert vetted.text == f"Se båtleieloven § 99-9 {MARK}. Se fantasiloven {MARK}, og § 88 {MARK}."
    assert vetted.unresolved == ("båtleieloven § 99-9", "fantasiloven", "§ 88")


async def test_a_section_alone_is_looked_for_in_the_acts_found(make_tools, sources) -> None:
    assert (await vet_references("Etter § 3-2.", make_tools(sources=sources), NB)).unresolved == ()
    assert (await vet_references("Etter § 3-2.", make_tools(), NB)).unresolved == ("§ 3-2",)


async def test_what_is_quoted_of_the_law_is_not_looked_up(make_tools, make_provision) -> None:
    found = EvidenceRegistry()
    found.add(LAW, [make_provision("Båten leies ut, jf. § 77-7.")])
    text = "Loven sier «leies ut, jf. § 77-7» her."
    assert (await vet_references(text, make_tools(sources=found), NB)).text == text


async def test_what_is_quoted_of_an_excerpt_is_looked_up_all_the_same(make_tools, sources, decisions) -> None:
    sources.add(PRACTICE, [d.model_copy(update={"snippet": "Etter § 77-7 er leien fri."}) for d in decisions])
    vetted = await vet_references("Loven sier «Etter § 77-7 er leien fri».", make_tools(sources=sources), NB)
    assert vetted.unresolved == ("§ 77-7",)


async def test_what_could_not_be_looked_up_is_said_to_be_unchecked(make_tools, sources, corpus) -> None:
    class Gone(MemorySearch):
        async def resolve(self, request):
            raise ProblemError(Problem(type=ProblemType.UNAVAILABLE, title="x", detail="Borte."))

    vetted = await vet_references("Etter båtleieloven § 3-2.", make_tools(Gone(corpus), sources=sources), NB)
    assert NB.not_checked in vetted.text
    assert (vetted.unresolved, vetted.unchecked) == ((), ("båtleieloven § 3-2",))


async def test_more_references_than_are_looked_up_count_as_not_found(make_tools, sources) -> None:
    text = " ".join(f"§ {n}." for n in range(100, 160))
    vetted = await vet_references(text, make_tools(sources=sources), NB)
    assert len(vetted.unresolved) == 60


async def test_a_section_name_beyond_all_bounds_is_not_found(make_tools, sources) -> None:
    vetted = await vet_references("Etter § " + "9" * 400 + ".", make_tools(sources=sources), NB)
    assert MARK in vetted.text


NOT_IN_SOURCES = NB.not_in_sources


@pytest.mark.parametrize(
    "named",
    [
        "Rt. 2999 s. 1234",
        "HR-2999-1234-A",
        "LB-2999-123",
        "TOSLO-2999-12",
        "Ot.prp. nr. 82 (2997-2998)",
        "Prop. 12 L (2999–3000)",
        "NOU 2999: 3",
        "Innst. O. nr. 5 (2998-99)",
        "Meld. St. 12 (2999-3000)",
        "rundskriv H-12/99",
        "forordning (EU) 2999/679",
        "direktiv 2994/38/EF",
        "C-311/18",
        "Båtsen mot Norge",
        "no. 1234/05",
        "PVN-2999-05",
    ],
)
async def test_an_authority_from_memory_is_marked_and_listed(make_tools, sources, named: str) -> None:
    vetted = await vet_references(f"Det følger av {named} at leien er fri.", make_tools(sources=sources), NB)
    assert vetted.text == f"Det følger av {named} {NOT_IN_SOURCES} at leien er fri."
    assert vetted.unsourced == (named,)
    assert vetted.has_faults and vetted.unresolved == ()


@pytest.mark.parametrize("locale", ["nb", "nn", "en"])
async def test_the_mark_is_in_the_language_of_the_answer(make_tools, sources, locale) -> None:
    wording = WORDINGS[locale]
    vetted = await vet_references("Rt. 2999 s. 12.", make_tools(sources=sources), wording)
    assert vetted.text == f"Rt. 2999 s. 12 {wording.not_in_sources}."


async def test_an_authority_that_an_excerpt_names_stays(make_tools, sources, decisions) -> None:
    (decision,) = decisions
    titled = {"title": "HR-2999-12-A – pant", "snippet": "Høyesterett viste til Rt-2999-1234 om slep."}
    sources.add(PRACTICE, [decision.model_copy(update=titled)])
    text = "Høyesterett har slått fast dette i HR-2999-12-A, jf. Rt. 2999 s. 1234."
    vetted = await vet_references(text, make_tools(sources=sources), NB)
    assert (vetted.text, vetted.unsourced) == (text, ())


async def test_an_authority_that_the_law_names_stays(make_tools, make_provision) -> None:
    found = EvidenceRegistry()
    found.add(LAW, [make_provision("Loven gjennomfører direktiv 2994/38/EF artikkel 7 om båter.")])
    text = "Det bygger på Directive 2994/38/EC, og på direktiv 2994/38/EF artikkel 7."
    assert (await vet_references(text, make_tools(sources=found), NB)).text == text


async def test_what_a_court_is_said_to_hold_needs_an_excerpt_not_law(make_tools, make_provision, decisions) -> None:
    found = EvidenceRegistry(kinds=(LAW, PRACTICE))
    found.add(LAW, [make_provision("Anke til Høyesterett skjer innen to uker.")])
    text = "Høyesterett har slått fast at leien er fri, og det følger av rettspraksis."
    vetted = await vet_references(text, make_tools(sources=found), NB)
    assert vetted.unsourced == ("Høyesterett", "rettspraksis")
    found.add(PRACTICE, [d.model_copy(update={"title": "HR-2999-12-A"}) for d in decisions])
    assert (await vet_references(text, make_tools(sources=found), NB)).text == text


async def test_an_eu_act_that_an_act_takes_in_is_looked_up_with_its_article(make_tools, make_provision) -> None:
    act = make_provision("Båtdata vernes.", act="Forordning (EU) 2016/679", section="§ artikkel")
    law = make_tools(MemorySearch([act]))
    assert (await vet_references("Etter Regulation (EU) 2016/679 er det slik.", law, NB)).unsourced == ()
    vetted = await vet_references("Etter forordning (EU) 2016/680 artikkel 4 er det slik.", law, NB)
    assert vetted.text == f"Etter forordning (EU) 2016/680 artikkel 4 {NOT_IN_SOURCES} er det slik."


@pytest.mark.parametrize(
    ("written", "end"),
    [
        ("båtleieloven § 3-2 tjuende ledd", "ledd"),
        ("båtleieloven § 3-2 tjuende ledd bokstav z", "z"),
        ("båtleieloven § 3-2 fjerde ledd", "ledd"),
        ("§ 3-2 (4)", "(4)"),
        ("§ 3-2 tredje ledd bokstav d", "d"),
        ("§ 3-2 første ledd bokstav a", "a"),
        ("§ 4-1 nr. 3", "3"),
        ("§ 4-1 tjueførste punktum", "punktum"),
        ("section 3-2 twelfth paragraph", "paragraph"),
    ],
)
async def test_a_place_that_a_provision_does_not_have_is_marked(make_tools, sources, written: str, end: str) -> None:
    vetted = await vet_references(f"Etter {written} er leien fri.", make_tools(sources=sources), NB)
    assert vetted.text == f"Etter {written} {MARK} er leien fri."
    assert vetted.unresolved == (written,)


@pytest.mark.parametrize(
    "written",
    [
        "båtleieloven § 3-2 første ledd",
        "§ 3-2 annet ledd",
        "§ 3-2 tredje ledd bokstav c",
        "§ 3-2 (3) b",
        "§ 3-2 siste ledd",
        "§ 3-2 første ledd annet punktum",
        "section 3-2 second paragraph",
        "§§ 3-2 og 4-1 første ledd",
    ],
)
async def test_a_place_that_a_provision_has_stays(make_tools, sources, written: str) -> None:
    text = f"Etter {written} kan det kreves pant."
    vetted = await vet_references(text, make_tools(sources=sources), NB)
    assert (vetted.text, vetted.unresolved) == (text, ())


@pytest.mark.parametrize("written", ["kapittel 99", "kap. 99", "båtleieloven kapittel 99", "Chapter 99"])
async def test_a_chapter_that_does_not_exist_is_marked(make_tools, sources, written: str) -> None:
    vetted = await vet_references(f"Etter {written} er leien fri.", make_tools(sources=sources), NB)
    assert f"99 {MARK} er" in vetted.text
    assert [one.endswith("kapittel 99") for one in vetted.unresolved] == [True]


@pytest.mark.parametrize("text", ["Se kapittel 3.", "Se kapittel 3 i båtleieloven.", "Se båtleieloven kapittel 4."])
async def test_a_chapter_that_exists_stays(make_tools, sources, text: str) -> None:
    assert (await vet_references(text, make_tools(sources=sources), NB)).text == text


@pytest.mark.parametrize(
    "text",
    [
        "Etter § 3-2 og 1. april 2021 gjelder dette.",
        "Etter § 3-2, 1. april 2021, gjelder dette.",
        "Etter §§ 3-2 og 4-1 fra 1. april 2021.",
        "Sections 3-2 and 4-1, 1 April 2021.",
        "Etter § 3-2, 1.4.2021, gjelder dette.",
        "Loven trådte i kraft 1. april 2021, og § 3-2 den 2. mai.",
    ],
)
async def test_a_date_is_no_section_and_has_no_mark_in_it(make_tools, sources, text: str) -> None:
    assert (await vet_references(text, make_tools(sources=sources), NB)).text == text
