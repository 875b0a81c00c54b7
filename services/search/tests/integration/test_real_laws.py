"""The laws of Norway as Lovdata publishes them."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lovsvar_chassis.database import Database
from lovsvar_contracts.search import SearchMode
from lovsvar_legaltext.act_names import fold
from lovsvar_legaltext.pinpoints import Pinpoint
from lovsvar_legaltext.references import find_references
from lovsvar_search.adapters.database import SESSION
from lovsvar_search.adapters.law.postgres_corpus import PostgresCorpus
from lovsvar_search.app import load_aliases
from lovsvar_testkit.real_law import RealLaw

HUSLEIE, STRAFFE, ARBEID = "lov/1999-03-26-17", "lov/2005-05-20-28", "lov/2005-06-17-62"
PERSON, FORVALTNING, PLAN = "lov/2018-06-15-38", "lov/1967-02-10", "lov/2008-06-27-71"
MENNESKE = "lov/1999-05-21-30"

REFERENCES = {
    "husleieloven § 3-5": (HUSLEIE, "§3-5"),
    "husll. § 3-5": (HUSLEIE, "§3-5"),
    "husll § 3-5 annet ledd": (HUSLEIE, "§3-5"),
    "husleielova §3-5": (HUSLEIE, "§3-5"),
    "lov/1999-03-26-17/§3-5": (HUSLEIE, "§3-5"),
    "LOV-1999-03-26-17 § 3-5": (HUSLEIE, "§3-5"),
    "LOV-1999-03-26-17-§3-5": (HUSLEIE, "§3-5"),
    "NL/lov/1999-03-26-17/§3-5": (HUSLEIE, "§3-5"),
    "lov 26. mars 1999 nr. 17 § 3-5": (HUSLEIE, "§3-5"),
    "hva sier husleieloven § 3-5?": (HUSLEIE, "§3-5"),
    "§ 9-5 i husleieloven": (HUSLEIE, "§9-5"),
    "aml. §15-3": (ARBEID, "§15-3"),
    "arbeidsmiljøloven § 14-9 (2)": (ARBEID, "§14-9"),
    "straffeloven": (STRAFFE, None),
    "strl. § 267a": (STRAFFE, "§267a"),
    "straffeloven § 5": (STRAFFE, "§5"),
    "personvernforordningen art 5": (PERSON, "gdpr/a5"),
    "gdpr art. 17": (PERSON, "gdpr/a17"),
    "personopplysningsloven § 5": (PERSON, "§5"),
    "fvl. § 11 a": (FORVALTNING, "§11a"),
    "forvaltningsloven § 6": (FORVALTNING, "§6"),
    "LOV-1967-02-10 § 17": (FORVALTNING, "§17"),
    "pbl § 19-2": (PLAN, "§19-2"),
    "plan- og bygningsloven § 29-4": (PLAN, "§29-4"),
    "burettslagslova § 5-4": ("lov/2003-06-06-39", "§5-4"),
    "borettslagsloven § 5-4": ("lov/2003-06-06-39", "§5-4"),
    "avhl. § 3-10": ("lov/1992-07-03-93", "§3-10"),
    "barnelova § 36": ("lov/1981-04-08-7", "§36"),
    "grunnloven § 100": ("lov/1814-05-17", "§100"),
    "folketrygdloven § 22-15": ("lov/1997-02-28-19", "§22-15"),
    "Lov om dyrevelferd § 4": ("lov/2009-06-19-97", "§4"),
}


PLACES: dict[str, tuple[str, str | None, Pinpoint]] = {
    "aml. § 14-9 annet ledd bokstav b": (ARBEID, "§14-9", Pinpoint(ledd=2, letter="b")),
    "arbeidsmiljøloven § 14-9 (2) bokstav a": (ARBEID, "§14-9", Pinpoint(ledd=2, letter="a")),
    "§ 14-9 annet ledd bokstav b i arbeidsmiljøloven": (ARBEID, "§14-9", Pinpoint(ledd=2, letter="b")),
    "aml § 15-7 første ledd": (ARBEID, "§15-7", Pinpoint(ledd=1)),
    "aml § 15-7, 1. ledd": (ARBEID, "§15-7", Pinpoint(ledd=1)),
    "arbeidsmiljølova § 15-7 fyrste ledd": (ARBEID, "§15-7", Pinpoint(ledd=1)),
    "arbeidsmiljøloven § 2 A-1": (ARBEID, "§2a-1", Pinpoint()),
    "arbeidsmiljøloven §2a-1": (ARBEID, "§2a-1", Pinpoint()),
    "aml. § 2 A - 1 tredje ledd": (ARBEID, "§2a-1", Pinpoint(ledd=3)),
    "arbeidsmiljøloven 10-4 første ledd": (ARBEID, "§10-4", Pinpoint(ledd=1)),
    "husleieloven 9-5 annet ledd": (HUSLEIE, "§9-5", Pinpoint(ledd=2)),
    "husleieloven 9-5 andre ledd": (HUSLEIE, "§9-5", Pinpoint(ledd=2)),
    "husll. § 9-5 (2) bokstav c": (HUSLEIE, "§9-5", Pinpoint(ledd=2, letter="c")),
    "husleieloven § 9-5 annet ledd litra c": (HUSLEIE, "§9-5", Pinpoint(ledd=2, letter="c")),
    "husleieloven § 3-5 første ledd annet punktum": (HUSLEIE, "§3-5", Pinpoint(ledd=1, sentence=2)),
    "husleieloven § 3-5 første ledd, 2. pkt.": (HUSLEIE, "§3-5", Pinpoint(ledd=1, sentence=2)),
    "husleielova § 3-5 første ledd andre punktum": (HUSLEIE, "§3-5", Pinpoint(ledd=1, sentence=2)),
    "fvl. § 11 a første ledd": (FORVALTNING, "§11a", Pinpoint(ledd=1)),
    "forvaltningsloven 11 a": (FORVALTNING, "§11a", Pinpoint()),
    "forvaltningsloven § 6 annet ledd": (FORVALTNING, "§6", Pinpoint(ledd=2)),
    "forvaltningslova § 6 første ledd bokstav e nr. 1": (
        FORVALTNING,
        "§6",
        Pinpoint(ledd=1, letter="e", number="1"),
    ),
    "GDPR art. 6 nr. 1 bokstav f": (PERSON, "gdpr/a6", Pinpoint(letter="f", number="1")),
    "GDPR artikkel 6 (1) (f)": (PERSON, "gdpr/a6", Pinpoint(letter="f", number="1")),
    "personvernforordningen artikkel 5": (PERSON, "gdpr/a5", Pinpoint()),
    "art. 5 nr. 1 i personvernforordningen": (PERSON, "gdpr/a5", Pinpoint(number="1")),
    "EMK art. 8": (MENNESKE, "emkn/a8", Pinpoint()),
    "EMK P1 art. 1": (MENNESKE, "emkn/p1/a1", Pinpoint()),
    "EMK tilleggsprotokoll 1 artikkel 1": (MENNESKE, "emkn/p1/a1", Pinpoint()),
    "pbl. § 29-4 første ledd": (PLAN, "§29-4", Pinpoint(ledd=1)),
    "plan- og bygningslova § 19-2 andre ledd": (PLAN, "§19-2", Pinpoint(ledd=2)),
    "straffeloven § 267 a": (STRAFFE, "§267a", Pinpoint()),
    "strl § 5 første ledd nr. 3": (STRAFFE, "§5", Pinpoint(ledd=1, number="3")),
    "naboloven § 2": ("lov/1961-06-16-15", "§2", Pinpoint()),
    "avhendingslova § 3-9": ("lov/1992-07-03-93", "§3-9", Pinpoint()),
    "husleieloven kapittel 3": (HUSLEIE, "kap3", Pinpoint()),
    "husleieloven kap. 9": (HUSLEIE, "kap9", Pinpoint()),
    "kapittel 14 i arbeidsmiljøloven": (ARBEID, "kap14", Pinpoint()),
    "arbeidsmiljøloven kapittel 2 A": (ARBEID, "kap2A", Pinpoint()),
    "aml. kap. 15": (ARBEID, "kap15", Pinpoint()),
    "husleieloven § 9-5 siste ledd": (HUSLEIE, "§9-5", Pinpoint(ledd=3)),
}

RANGES = {
    "husleieloven §§ 9-2 til 9-4": ["§9-2", "§9-3", "§9-3a", "§9-4"],
    "§§ 3-1–3-5 i husleieloven": ["§3-1", "§3-2", "§3-3", "§3-4", "§3-5"],
    "husleieloven §§ 9-5, 9-6 og 9-7": ["§9-5", "§9-6", "§9-7"],
}


QUESTIONS = {
    "depositum husleie": [(HUSLEIE, "§3-5")],
    "aml prøvetid oppsigelse": [(ARBEID, "§15-6")],
    "husll depositum": [(HUSLEIE, "§3-5")],
    "husleieloven § 9-6 oppsigelsesfrist": [(HUSLEIE, "§9-6")],
    "oppsigelsesfrist ansettelsesforhold": [(ARBEID, "§15-3")],
    "helsepersonelloven taushetsplikt": [("lov/1999-07-02-64", "§21")],
    "fvl taushetsplikt": [(FORVALTNING, "§13")],
    "midlertidig ansettelse fast ansatt": [(ARBEID, "§14-9")],
    "ytringsfrihet grunnloven": [("lov/1814-05-17", "§100")],
    "angrerett fjernsalg fjorten dager": [("lov/2014-06-20-27", "§21"), ("lov/2014-06-20-27", "§20")],
    "nødverge": [(STRAFFE, "§18")],
    "alminnelig foreldelsesfrist": [("lov/1979-05-18-18", "§2")],
    "grunnvilkår for uskifte med barn": [("lov/2019-06-14-21", "§15"), ("lov/2019-06-14-21", "§14")],
    "tinglysning av ektepakt": [("lov/1991-07-04-47", "§55"), ("lov/1991-07-04-47", "§54")],
    "avhendingslova mangel": [
        ("lov/1992-07-03-93", "§3-2"),
        ("lov/1992-07-03-93", "§3-9"),
        ("lov/1992-07-03-93", "§3-1"),
    ],
    "samvær barn foreldre rett": [("lov/1981-04-08-7", "§42"), ("lov/1981-04-08-7", "§43")],
    "utleigar oppseiing husleige": [(HUSLEIE, "§9-5"), (HUSLEIE, "§9-7"), (HUSLEIE, "§9-4")],
    "promillegrense motorvogn": [("lov/1965-06-18-4", "§22")],
    "depostium husleie": [(HUSLEIE, "§3-5")],
    "forbrukerkjøp reklamasjon frist": [("lov/2002-06-21-34", "§27")],
    "retting av personopplysningar personvernforordningen": [(PERSON, "gdpr/a16")],
}
"""What is asked, by words alone, and the provisions of which one must be among the first `WITHIN`."""

WITHIN = 5
WITHIN_MORE = {"grunnvilkår for uskifte med barn": 10}
"""Of this question one word alone is in the provisions that answer, and many others hold it too."""


@pytest.fixture
def database_url(real_law: RealLaw) -> str:
    return real_law.laws


@pytest.fixture(scope="module")
def index_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where the index of the laws is kept: the first service builds it, the others open it."""
    return tmp_path_factory.mktemp("index")


@pytest.fixture
def serve_laws(serve: Any, index_dir: Path) -> Callable[[], Any]:
    """Runs search on Norway's laws."""
    return partial(serve, index_dir=index_dir)


async def test_the_real_laws_are_searched_and_their_references_resolved(serve_laws: Any) -> None:
    async with serve_laws() as search:
        found = await search.find("Hvor mye kan utleier kreve i depositum?")
        resolved = {reference: await search.resolve(reference) for reference in REFERENCES}
        placed = {reference: await search.resolve(reference) for reference in PLACES}
        ranged = {reference: await search.resolve(reference) for reference in RANGES}
        outline = await search.outline(ARBEID)
        status = await search.status()
    assert (HUSLEIE, "§3-5") in [(hit.refid, hit.section) for hit in found.hits[:3]]
    for reference, place in REFERENCES.items():
        matches = [(match.refid, match.section) for match in resolved[reference].matches]
        assert matches == [place], reference
    for reference, (refid, name, place) in PLACES.items():
        found_places = [
            (m.refid, m.section or m.chapter, Pinpoint(m.ledd, m.letter, m.number, m.sentence))
            for m in placed[reference].matches
        ]
        assert found_places == [(refid, name, place)], reference
    for reference, sections in RANGES.items():
        assert [match.section for match in ranged[reference].matches] == sections, reference
    assert status.indexed_provisions == status.provisions == 28_655
    assert len(outline.children) >= 20


async def test_well_known_provisions_are_found_by_words_alone(serve_laws: Any) -> None:
    missed: dict[str, list[tuple[str, str]]] = {}
    async with serve_laws() as search:
        for query, wanted in QUESTIONS.items():
            size = WITHIN_MORE.get(query, WITHIN)
            found = await search.find(query, mode=SearchMode.LEXICAL, page_size=size)
            first = [(hit.refid, hit.section) for hit in found.hits]
            if not set(wanted) & set(first):
                missed[query] = first
    assert missed == {}, "\n".join(f"{q}: {f}" for q, f in missed.items())


async def test_each_everyday_name_is_resolved_to_its_document_or_to_the_articles_printed_in_it(
    serve: Any, real_law: RealLaw
) -> None:
    wrong: list[object] = []
    async with serve(version=2, database=real_law.law) as search:
        for alias in load_aliases():
            found = [(m.refid, m.section) for m in (await search.resolve(alias.name)).matches]
            if found != [(alias.refid, None)]:
                wrong.append((alias, found))
            if alias.prefix:
                found = [(m.refid, m.section) for m in (await search.resolve(f"{alias.name} artikkel 1")).matches]
                if found != [(alias.refid, f"{alias.prefix.partition('|')[0]}1")]:
                    wrong.append((alias, found))
        without_prefix = await search.resolve("GDPR artikkel 94")
    assert wrong == []
    assert [match.section for match in without_prefix.matches] == ["a94"]


BEARING = 0.999
"""Least share of the titles that name their document. Two of a repealed act are also those of the act in its place."""


async def test_a_section_behind_the_full_title_of_a_document_is_one_of_it(real_law: RealLaw) -> None:
    database = Database(real_law.law, 1, SESSION)
    await database.start()
    rows = await database.pool.fetch("SELECT refid, title FROM documents WHERE removed_at IS NULL ORDER BY refid")
    async with PostgresCorpus(database, load_aliases()).changes(0) as changes:
        names = (await changes.companions()).names
    await database.stop()
    bearers: dict[tuple[str, ...], tuple[str, ...]] = {}
    for refid, title in rows:
        bearers[fold(title)] = (*bearers.get(fold(title), ()), refid)
    missed: dict[str, object] = {}
    for _, title in rows:
        refids = bearers[fold(title)]
        for text in (f"{title} § 1", f"hva sier «{title}» § 1 første ledd?", f"§ 1 i {title}"):
            found = [(set(one.refids), one.sections) for one in find_references(text, names)]
            if found not in ([(set(refids), ("§1",))], [(set(names.in_force_among(refids)), ("§1",))]):
                missed[title] = found
    assert len(rows) > 4_000
    assert len(missed) <= (1 - BEARING) * len(rows), missed


OFFERS = Path(__file__).parents[4] / "services/ingest/src/lovsvar_ingest/catalogues/hjelpetilbud/items.jsonl"


async def test_every_act_that_an_offer_works_under_resolves(serve_laws: Any) -> None:
    offers = map(json.loads, OFFERS.read_text(encoding="utf-8").splitlines())
    acts = sorted({act for offer in offers for act in offer["attributes"]["acts"]})
    async with serve_laws() as search:
        found = {act: [match.refid for match in (await search.resolve(act)).matches] for act in acts}
    assert len(acts) > 100
    assert {act: refids for act, refids in found.items() if refids != [act]} == {}
