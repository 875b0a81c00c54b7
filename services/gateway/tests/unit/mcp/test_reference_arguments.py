"""What a model's arguments mean, with a resolver that knows what it is told."""

from collections.abc import Mapping
from typing import Any, cast

import pytest

from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.search import FoundReference, ProvisionRef, Provisions, Resolution, ResolvedReference
from lovsvar_gateway.mcp import arguments
from lovsvar_gateway.mcp.calls import Unanswerable
from lovsvar_gateway.mcp.law import CachedLaw

NOTHING = Resolution(reference="x", outcome="none", corpus_version=1)


class Known:
    """A law of which `references` are resolved and the sections of `provisions` are read."""

    def __init__(
        self, references: Mapping[str, tuple[ResolvedReference, ...]], *provisions: Any, outline: Any = None
    ) -> None:
        self.references = references
        self.contents = outline
        self.provisions = {one.section.casefold(): one for one in provisions}
        self.asked: list[str] = []

    async def resolve(self, reference: str) -> Resolution:
        self.asked.append(reference)
        matches = self.references.get(reference, ())
        detail = "" if matches else f"Fant ikke {reference}."
        found = FoundReference(text=reference, matches=matches, detail=detail)
        outcome = "none" if not matches else "one" if len(matches) == 1 else "several"
        return Resolution(
            reference=reference, outcome=outcome, matches=matches, detail=detail, references=(found,), corpus_version=1
        )

    async def read(self, refs: tuple[ProvisionRef, ...]) -> Provisions:
        found = tuple(self.provisions[key] for ref in refs if (key := ref.section.casefold()) in self.provisions)
        if not found:
            raise ProblemError(Problem(type=ProblemType.NOT_FOUND, title="Finnes ikke", detail="Finnes ikke."))
        return Provisions(provisions=found, corpus_version=1)

    async def outline(self, refid: str) -> Any:
        return self.contents


def law(references: Mapping[str, tuple[ResolvedReference, ...]], *provisions: Any, outline: Any = None) -> CachedLaw:
    return cast(CachedLaw, Known(references, *provisions, outline=outline))


@pytest.mark.parametrize(
    ("name", "section", "asked"),
    [
        ("aml", "15-6", "aml § 15-6"),
        ("aml", "§ 15-6", "aml § 15-6"),
        ("aml", "15-6, 15-7 og 15-9", "aml §§ 15-6, 15-7 og 15-9"),
        ("aml", "15-6; 15-7", "aml §§ 15-6, 15-7"),
        ("fvl", "§ 13, 14 og 15", "fvl §§ 13, 14 og 15"),
        ("fvl", "§§ 13 til 15", "fvl §§ 13 til 15"),
        ("fvl", "13 første ledd og 14 annet ledd", "fvl §§ 13 første ledd og 14 annet ledd"),
        ("fvl", "13 første og 2. ledd", "fvl § 13 første og 2. ledd"),
        ("GDPR", "5", "GDPR art. 5"),
        ("GDPR", "5, 6", "GDPR artiklene 5, 6"),
        ("GDPR", "Artikkel 5 og 6", "GDPR artiklene 5 og 6"),
        ("aml", "kapittel 15", "aml kapittel 15"),
    ],
)
async def test_a_section_is_asked_for_in_the_form_that_names_all_of_it(
    reference: Any, name: str, section: str, asked: str
) -> None:
    known = law({asked: (reference(),)})
    assert (await arguments.provision(known, name, section)).matches == (reference(),)


async def test_a_section_beside_a_name_that_has_one_is_what_is_asked_for(reference: Any) -> None:
    known = law(
        {
            "husleieloven § 3-5": (reference(),),
            "lov/1999-03-26-17 § 3-6": (reference("§3-6"),),
            "husleieloven § 3-5 annet ledd": (reference(ledd=2),),
            "forskrift om unntak fra husleieloven § 3-5": (reference(None, refid="forskrift/2009-06-02-628"),),
            "forskrift om unntak fra husleieloven § 3-5 § 1": (reference("§1", refid="forskrift/2009-06-02-628"),),
        }
    )
    assert (await arguments.provision(known, "husleieloven § 3-5", "3-6")).matches == (reference("§3-6"),)
    assert (await arguments.provision(known, "husleieloven § 3-5", "annet ledd")).matches == (reference(ledd=2),)
    titled = await arguments.provision(known, "forskrift om unntak fra husleieloven § 3-5", "1")
    assert titled.matches[0].refid == "forskrift/2009-06-02-628"


async def test_text_outside_the_paragraphs_is_found_by_the_name_that_contents_give_it(
    reference: Any, provision: Any, outline: Any
) -> None:
    known = law({"aml": (reference(None),)}, provision(section="kap2A"), outline=outline())
    assert [match.section for match in (await arguments.provision(known, "aml", "kap2a")).matches] == ["kap2A"]
    assert (await arguments.provision(known, "aml", "kap9")).matches == ()
    (division,) = (await arguments.provision(known, "aml", "KAP 2")).matches
    assert (division.section, division.chapter) == (None, "kap2")


async def test_a_place_in_an_article_that_is_called_by_its_own_name_is_read(reference: Any) -> None:
    known = law(
        {
            "EMK": (reference(None),),
            "lov/1999-03-26-17 art. 6 nr. 3 bokstav c": (reference("a6", number="3", letter="c"),),
        }
    )
    (match,) = (await arguments.provision(known, "EMK", "emkn/a6 nr. 3 bokstav c")).matches
    assert (match.section, match.number, match.letter) == ("emkn/a6", "3", "c")
    (whole,) = (await arguments.provision(known, "EMK", "emkn/a6")).matches
    assert (whole.section, whole.number) == ("emkn/a6", None)


def test_one_thing_is_asked_for_where_a_tool_tells_of_one(reference: Any) -> None:
    def meant(*matches: ResolvedReference) -> arguments.Meant:
        return arguments.Meant(matches, several=False, detail="", resolution=NOTHING)

    assert arguments.must_be_one(meant(reference(ledd=1), reference(ledd=2))) == reference(ledd=1)
    with pytest.raises(Unanswerable, match="én bestemmelse om gangen: §3-5, §3-6"):
        arguments.must_be_one(meant(reference(), reference("§3-6")))


def test_what_is_not_stored_may_have_been_repealed() -> None:
    nothing = arguments.Meant(
        (), several=False, detail="Fant ingen lov eller forskrift som heter «x».", resolution=NOTHING, unknown=True
    )
    with pytest.raises(Unanswerable, match="Opphevede lover er ikke i samlingen"):
        arguments.must_be_one(nothing)
