"""Reading provisions, outlines, documents and lists over NATS."""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
import pytest_asyncio

from lovsvar_contracts.law import Block, BlockKind, InForce, LawType, Provision, ProvisionKind
from lovsvar_contracts.problems import ProblemType

HUSLEIE, FISKE, MANY = "lov/1999-03-26-17", "forskrift/2012-12-05-1140", "forskrift/2001-01-01-50"
LONG_SECTIONS = [f"§{n}" for n in range(40)]

only_asks = pytest.mark.asyncio(loop_scope="module")
"""A test that asks the service of the whole module, and changes nothing."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def search_long(serve_apart: Any, fiske: Any) -> AsyncIterator[Any]:
    """A search service on a regulation that is too long for one reply, and on another of fifty short provisions."""

    async def store(corpus: Any) -> None:
        one = fiske.paragraphs[0]
        long = tuple(replace(one, section=section, ledd=("lakselus " * 4_000,)) for section in LONG_SECTIONS)
        short = tuple(replace(one, section=f"§{n}") for n in range(50))
        await corpus.store(replace(fiske, paragraphs=long), replace(fiske, refid=MANY, paragraphs=short))

    async with serve_apart(store) as search:
        yield search


@only_asks
async def test_provisions_are_read_whole_in_the_order_asked(search: Any) -> None:
    read = await search.read((HUSLEIE, "§ 3-5"), (HUSLEIE, "§404"), (HUSLEIE, "§ 2 a-1"))
    assert [provision.section for provision in read.provisions] == ["§3-5", "§2A-1"]
    assert [ref.section for ref in read.missing] == ["§404"]
    depositum = read.provisions[0]
    assert [block.ledd for block in depositum.blocks] == [1, 2, 3]
    assert depositum.text.splitlines() == [block.text for block in depositum.blocks]
    assert (depositum.act, depositum.law_type, depositum.path) == ("Husleieloven", LawType.LOV, ("Kapittel 3. Leie",))


async def test_a_provision_is_read_with_all_that_is_stored_of_it(serve: Any, stored: Any) -> None:
    item = {"kind": "list_item", "label": "a.", "text": 'å «si» "opp"'}
    await stored.connection.execute(
        "UPDATE sections SET blocks = $1, text = $2, notes = $3, footnotes = $4, refs = $5, in_force_from = $6, "
        "content_hash = 'abc', tokens = 7 WHERE refid = $7 AND section_key = '§3-5'",
        json.dumps([{"kind": "ledd", "ledd": 1, "label": "(1)", "text": "Leier har rett til", "children": [item]}]),
        'Leier har rett til\nå «si» "opp"',
        ["Endret ved lov 1. januar 2025."],
        ["Fotnote 😀"],
        ["lov/2005-06-17-62/§15-3"],
        date(2000, 1, 1),
        HUSLEIE,
    )
    async with serve() as search:
        read = (await search.read((HUSLEIE, "§3-5"))).provisions[0]
        page = await search.document(HUSLEIE)
    told = Block(kind=BlockKind.LIST_ITEM, label="a.", text='å «si» "opp"')
    assert read == Provision(
        refid=HUSLEIE,
        section="§3-5",
        value="§ 3-5",
        title="Depositum",
        act="Husleieloven",
        document_title="Lov om husleieavtaler (husleieloven)",
        law_type=LawType.LOV,
        kind=ProvisionKind.PROVISION,
        path=("Kapittel 3. Leie",),
        position=2,
        text='Leier har rett til\nå «si» "opp"',
        blocks=(Block(kind=BlockKind.LEDD, ledd=1, label="(1)", text="Leier har rett til", children=(told,)),),
        notes=("Endret ved lov 1. januar 2025.",),
        footnotes=("Fotnote 😀",),
        refs=("lov/2005-06-17-62/§15-3",),
        in_force=InForce.YES,
        in_force_from=date(2000, 1, 1),
        content_hash="abc",
        tokens=7,
        url="/lov/1999-03-26-17#§3-5",
        lovdata_url="https://lovdata.no/lov/1999-03-26-17/%C2%A73-5",
        dataset="gjeldende-lover",
    )
    assert read.model_fields_set == Provision.model_fields.keys()
    assert page.provisions[2] == read


@only_asks
async def test_fifty_provisions_can_be_read_at_once(search_long: Any) -> None:
    read = await search_long.read(*((MANY, f"§{n}") for n in range(50)))
    assert [provision.position for provision in read.provisions] == list(range(50))


@only_asks
async def test_provisions_too_long_for_one_reply_are_refused_with_advice(search_long: Any) -> None:
    problem = await search_long.problem(search_long.read(*((FISKE, section) for section in LONG_SECTIONS[:20])))
    assert len((await search_long.read(*((FISKE, section) for section in LONG_SECTIONS[:5]))).provisions) == 5
    assert problem.type is ProblemType.TOO_LARGE
    assert "færre" in problem.detail


@only_asks
async def test_a_missing_section_is_told_from_a_missing_document(search: Any) -> None:
    section = await search.problem(search.read((HUSLEIE, "§404")))
    document = await search.problem(search.read(("lov/1900-01-01-1", "§1")))
    nul = await search.problem(search.read(("lov/\x00", "§1")))
    assert {section.type, document.type, nul.type} == {ProblemType.NOT_FOUND}
    assert section.detail == "Husleieloven (lov/1999-03-26-17) finnes, men har ingen bestemmelse §404."
    assert document.detail == "Dokumentet lov/1900-01-01-1 finnes ikke i samlingen."


@only_asks
async def test_an_outline_holds_chapters_sections_and_tokens(search: Any) -> None:
    outline = await search.outline(HUSLEIE)
    problem = await search.problem(search.outline("lov/1900-01-01-1"))
    assert [node.title for node in outline.children] == ["Kapittel 1. Innledning", "Kapittel 3. Leie"]
    assert [entry.section for entry in outline.children[1].provisions] == ["§3-5", "§3-6"]
    assert outline.tokens == sum(node.tokens for node in outline.children) > 0
    assert (outline.document.provisions, outline.document.abbreviation) == (4, "husll")
    assert problem.type is ProblemType.NOT_FOUND


@only_asks
async def test_a_document_is_read_in_reading_order(search: Any) -> None:
    document = await search.document(HUSLEIE)
    assert [provision.section for provision in document.provisions] == ["§1-1", "§2A-1", "§3-5", "§3-6"]
    assert document.next_after is None


@only_asks
async def test_a_long_document_is_read_page_by_page_without_gap_or_repetition(search_long: Any) -> None:
    read, pages, after = [], 0, None
    while True:
        page = await search_long.document(FISKE, after)
        read += [provision.section for provision in page.provisions]
        pages += 1
        if (after := page.next_after) is None:
            break
    assert read == LONG_SECTIONS
    assert pages > 1


@only_asks
async def test_documents_are_listed_by_refid_with_demands_and_pages(search: Any) -> None:
    everything = await search.documents()
    laws = await search.documents(law_type=LawType.LOV, page_size=1, page=2)
    beyond = await search.documents(page=9)
    by_ministry = await search.documents(ministry="BOLIG", title="husleieavtaler", year=1999)
    refids = [document.refid for document in everything.documents]
    assert refids == sorted(refids)
    assert everything.total == 3
    assert ([document.refid for document in laws.documents], laws.total) == (["lov/1999-03-26-17"], 2)
    assert (beyond.documents, beyond.total) == ((), 3)
    assert [document.refid for document in by_ministry.documents] == ["lov/1999-03-26-17"]


async def test_documents_are_listed_by_title_letter_series_and_legal_area(serve: Any, stored: Any, fiske: Any) -> None:
    def named(refid: str, title: str, *areas: str) -> Any:
        return replace(fiske, refid=refid, title=title, short_title="", legal_areas=areas)

    await stored.store(
        named("forskrift/2001-01-01-1", "Ålforskriften", "Fiske > Ål"),
        named("forskrift/2001-01-01-2", "Ørretforskriften", "Fiske"),
        named("forskrift/2001-01-01-3", "«Zander»", "Fisker"),
        named("forskrift/2001-01-01-4", "1990-forskriften"),
    )
    async with serve(version=await stored.stamp()) as search:
        everything = await search.documents(series="forskrift", by_title=True)
        of_letter = await search.documents(letter="å")
        others = await search.documents(letter="#")
        of_area = await search.documents(legal_area="Fiske", by_title=True)
        acts = await search.documents(series="lov")
        subjects = await search.subjects("forskrift")
    titles = [one.short_title or one.title for one in everything.documents]
    assert titles == ["1990-forskriften", "Forskrift om lakselus", "«Zander»", "Ørretforskriften", "Ålforskriften"]
    assert [one.title for one in of_letter.documents] == ["Ålforskriften"]
    assert [one.title for one in others.documents] == ["1990-forskriften"]
    assert [one.title for one in of_area.documents][1:] == ["Ørretforskriften", "Ålforskriften"]
    assert acts.total == 2
    assert [(one.name, one.documents) for one in subjects.letters] == [(n, 1) for n in ("#", "F", "Z", "Ø", "Å")]
    areas = [(one.name, one.documents) for one in subjects.legal_areas]
    assert areas == [("Fiske", 3), ("Fiske > Ål", 1), ("Fisker", 1)]
    assert [one.name for one in subjects.ministries] == ["Fiskeridepartementet"]


async def test_what_amends_a_document_is_listed_newest_first(serve: Any, stored: Any) -> None:
    for refid in ("lti/lov/2025-02-07-1", "lti/forskrift/2025-06-20-99"):
        await stored.connection.execute(
            "INSERT INTO documents (refid, legacy_id, dokid, dataset, source_file, law_type, title, short_title, "
            "abbreviation, year, ministries, legal_areas, changes_to, in_force, in_force_note, content_hash, "
            "corpus_version, last_changed_by, eea_references) VALUES ($1, '', '', 'lovtidend-avd1-2025', '', 'lov', "
            "'Endringslov', '', '', 2025, '{}', '{}', '{lov/1999-03-26-17}', 'in_force', '', '', 1, "
            "'{lov/2024-06-25-53}', '{direktiv 2007/2/EF}')",
            refid,
        )
    async with serve() as search:
        amending = await search.documents(changes="lov/1999-03-26-17")
        nothing = await search.documents(changes="lov/1700-01-01-1")
    assert [one.refid for one in amending.documents] == ["lti/forskrift/2025-06-20-99", "lti/lov/2025-02-07-1"]
    assert amending.documents[0].last_changed_by == ("lov/2024-06-25-53",)
    assert amending.documents[0].eea_references == ("direktiv 2007/2/EF",)
    assert (nothing.documents, nothing.total) == ((), 0)


@only_asks
async def test_the_state_tells_what_is_stored_and_what_is_served(search: Any) -> None:
    status = await search.status()
    assert (status.documents, status.provisions, status.indexed_provisions) == (3, 12, 12)
    assert (status.corpus_version, status.stored_version, status.ready) == (1, 1, True)
    assert status.by_law_type == {LawType.LOV: 2, LawType.FORSKRIFT: 1}
    assert status.by_dataset == {"gjeldende-lover": 2, "gjeldende-sentrale-forskrifter": 1}
    assert status.services == {}, "health is asked by the gateway alone"
    assert not status.sample


@only_asks
async def test_a_provision_of_a_repealed_act_is_not_in_force(search: Any, repealed: Any) -> None:
    assert (await search.read((repealed.refid, "§9"))).provisions[0].in_force is InForce.REPEALED
