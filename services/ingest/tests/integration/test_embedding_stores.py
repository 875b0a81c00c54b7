"""What the store of embeddings promises, held by PostgreSQL and by its stand-in."""

import json
from collections.abc import AsyncIterator
from typing import Any, Protocol

import pytest

from lovsvar_chassis.database import Database
from lovsvar_contracts.law import LawType
from lovsvar_ingest.adapters.in_memory_embeddings import MemoryDocument, MemoryEmbeddings
from lovsvar_ingest.adapters.postgres_embeddings import PostgresEmbeddings
from lovsvar_ingest.adapters.postgres_everyday import StoredEveryday
from lovsvar_ingest.core.catalogues.products import passage_hash
from lovsvar_ingest.core.embedding_ports import Answer, CutDocument, EmbeddingStore, Missing
from lovsvar_ingest.core.everyday import EverydayQuestion
from lovsvar_ingest.core.passages import CHUNKER_VERSION, Passage, SectionText, cut_section

MODEL = "modell"


class Stage(Protocol):
    """A store, and documents in it."""

    store: Any

    async def put(self, refid: str, *texts: str, law_type: LawType = ..., day: int = ...) -> None: ...

    async def remove(self, refid: str) -> None: ...

    async def ask(self, *questions: EverydayQuestion) -> None: ...

    async def offer(self, *texts: str) -> None: ...


class MemoryStage:
    """The stand-in."""

    def __init__(self) -> None:
        self.store = MemoryEmbeddings()

    async def put(self, refid: str, *texts: str, law_type: LawType = LawType.LOV, day: int = 0) -> None:
        sections = [SectionText(refid, f"§{n}", "Loven", f"§ {n}", "", blocks(text)) for n, text in enumerate(texts, 1)]
        self.store.documents[refid] = MemoryDocument(repr(texts), sections, law_type, day)

    async def remove(self, refid: str) -> None:
        del self.store.documents[refid]

    async def ask(self, *questions: EverydayQuestion) -> None:
        self.store.questions = list(questions)

    async def offer(self, *texts: str) -> None:
        self.store.products = {passage_hash(text): text for text in texts}
        self.store.problems = set(map(passage_hash, texts[1:]))


class PostgresStage:
    """PostgreSQL."""

    def __init__(self, database: Database) -> None:
        self.store = PostgresEmbeddings(database)
        self._database = database
        self._pool = database.pool

    async def put(self, refid: str, *texts: str, law_type: LawType = LawType.LOV, day: int = 0) -> None:
        await self._pool.execute(
            "INSERT INTO documents (refid, legacy_id, dokid, dataset, source_file, law_type, title, short_title,"
            " abbreviation, year, ministries, legal_areas, in_force, in_force_note, content_hash, corpus_version,"
            " stored_at) VALUES ($1, '', '', 'd', 'f', $2, 'Lov om noe', 'Loven', '', 2999, '{}', '{}', 'in_force',"
            " '', $3, 1, timestamptz '2026-01-01' + make_interval(days => $4)) ON CONFLICT (refid) DO UPDATE SET"
            " content_hash = excluded.content_hash",
            *(refid, law_type.value, repr(texts), day),
        )
        await self._pool.execute("DELETE FROM sections WHERE refid = $1", refid)
        for n, text in enumerate(texts, 1):
            await self._pool.execute(
                "INSERT INTO sections (refid, section_key, section, position, kind, value, title, path, text, blocks,"
                " notes, footnotes, in_force, content_hash, tokens) VALUES ($1, $2, $2, $3, 'provision', $4, '', '{}',"
                " $5, $6, '{}', '{}', 'in_force', $5, 1)",
                *(refid, f"§{n}", n, f"§ {n}", text, blocks(text)),
            )

    async def remove(self, refid: str) -> None:
        await self._pool.execute("UPDATE documents SET removed_at = now() WHERE refid = $1", refid)

    async def ask(self, *questions: EverydayQuestion) -> None:
        await StoredEveryday(self._database, lambda: questions).start()

    async def offer(self, *texts: str) -> None:
        """Store one product with these texts, and no other."""
        await self._pool.execute("DELETE FROM catalogues")
        await self._pool.execute(
            "INSERT INTO catalogues (catalogue, name, language, definition, source) VALUES ('k', 'K', 'nb', '{}', '')"
        )
        await self._pool.execute(
            "INSERT INTO products (catalogue, product_id, name, description, price, url, category, problems,"
            " attributes, content_hash, version) VALUES ('k', 't', '', '', '', '', '', '{}', '{}', '', 1)"
        )
        await self._pool.executemany(
            "INSERT INTO product_passages VALUES ('k', 't', $1, $2, $3)",
            [(number, passage_hash(text), text) for number, text in enumerate(texts)],
        )


def blocks(text: str) -> str:
    return json.dumps([{"kind": "ledd", "text": text, "ledd": 1}])


@pytest.fixture(params=["memory", "postgres"])
async def stage(request: pytest.FixtureRequest, database_url: str) -> AsyncIterator[Stage]:
    if request.param == "memory":
        yield MemoryStage()
        return
    pool = Database(database_url, size=4)
    await pool.start()
    yield PostgresStage(pool)
    await pool.stop()


async def cut(store: EmbeddingStore) -> None:
    """Cut what changed, as planning does."""
    async with store.planning() as plans:
        assert plans is not None
        await plans.begin(MODEL)
        await plans.drop_removed()
        documents = await plans.uncut(CHUNKER_VERSION, 100)
        cuts = [
            CutDocument(d.refid, d.content_hash, {s.section_key: cut_section(s) for s in d.sections}) for d in documents
        ]
        await plans.store_cuts(cuts, CHUNKER_VERSION)
        assert await plans.uncut(CHUNKER_VERSION, 100) == []


async def missing(store: EmbeddingStore, limit: int = 100) -> list[str]:
    async with store.planning() as plans:
        assert plans is not None
        return list((await plans.missing(MODEL, limit)).law)


def hash_of(text: str, n: int = 1) -> str:
    return Passage(0, None, f"Loven § {n}\n{text}").content_hash


async def test_what_changed_is_cut_again_and_other_rules_cut_everything_again(stage: Stage) -> None:
    await stage.put("lov/1", "En.")
    await stage.put("lov/2", "To.")
    await cut(stage.store)
    await stage.put("lov/2", "To, endret.")
    async with stage.store.planning() as plans:
        [document] = await plans.uncut(CHUNKER_VERSION, 100)
        assert (document.refid, [json.loads(s.blocks)[0]["text"] for s in document.sections]) == (
            "lov/2",
            ["To, endret."],
        )
        assert document.sections[0].act == "Loven"
        assert len(await plans.uncut(CHUNKER_VERSION + 1, 100)) == 2
        assert len(await plans.uncut(CHUNKER_VERSION + 1, 1)) == 1
    await cut(stage.store)
    assert set(await missing(stage.store)) == {hash_of("En."), hash_of("To, endret.")}


async def test_missing_texts_come_in_order_of_urgency_each_once(stage: Stage) -> None:
    await stage.put("forskrift/1", "Kort.", law_type=LawType.FORSKRIFT)
    await stage.put("vedtak/1", "K.", law_type=LawType.VEDTAK)
    await stage.put("lov/1", "Lang regel.", "Kort.", "K.")
    await stage.put("forskrift/2", "Ny forskrift.", law_type=LawType.FORSKRIFT, day=1)
    await stage.put("lov/2", "Lang regel.")
    await cut(stage.store)
    expected = [
        hash_of("Ny forskrift."),
        *(hash_of("K.", 3), hash_of("Kort.", 2), hash_of("Lang regel.")),
        *(hash_of("Kort."), hash_of("K.")),
    ]
    assert await missing(stage.store) == expected
    assert await missing(stage.store, 2) == expected[:2]


async def test_what_most_questions_ask_about_is_embedded_first_and_the_first_passage_before_others(
    stage: Stage,
) -> None:
    lines = "\n".join(f"{n}. {'Ord ' * 40}" for n in range(30))
    await stage.put("lov/1", "Kort.", "Ofte spurt om.")
    await stage.put("forskrift/1", lines, law_type=LawType.FORSKRIFT)
    await stage.put("forskrift/2", "Mest spurt om.", law_type=LawType.FORSKRIFT)
    asked = (("lov/1", "§2"), ("forskrift/2", "§1")), (("forskrift/2", "§1"),)
    questions = [EverydayQuestion("nb", f"Hva med dette {n}?", targets) for n, targets in enumerate(asked)]
    await stage.ask(*questions)
    await cut(stage.store)
    of_questions = {question.content_hash for question in questions}
    found = [one for one in await missing(stage.store) if one not in of_questions]
    long = [passage.content_hash for passage in cut_section(SectionText("", "", "Loven", "§ 1", "", blocks(lines)))]
    expected = [hash_of("Mest spurt om."), hash_of("Ofte spurt om.", 2), hash_of("Kort."), long[0]]
    assert found[:4] == expected
    assert sorted(found[4:]) == sorted(long[1:])


async def test_what_was_asked_for_is_missing_again_once_that_is_forgotten(stage: Stage) -> None:
    await stage.put("lov/1", "En.")
    await cut(stage.store)
    async with stage.store.planning() as plans:
        await plans.note_requests(MODEL, [hash_of("En.")])
        assert await plans.missing(MODEL, 10) == Missing([], [])
        await plans.forget_requests(MODEL)
        assert (await plans.missing(MODEL, 10)).law == [hash_of("En.")]


async def test_stored_vectors_and_refused_texts_are_not_missing(stage: Stage) -> None:
    await stage.put("lov/1", "En.", "To.", "Tre.")
    await cut(stage.store)
    one, two, three = hash_of("En."), hash_of("To.", 2), hash_of("Tre.", 3)
    asked = [one, two, three]
    await stage.store.store(MODEL, asked, Answer({one: [1.0, 0.0]}, refused={two: "for lang"}))
    async with stage.store.planning() as plans:
        await plans.forget_requests(MODEL)
    assert await missing(stage.store) == [three]
    assert await stage.store.unembedded(MODEL, [three, one, two]) == [three, two]


async def test_sections_are_found_by_the_texts_cut_from_them(stage: Stage) -> None:
    await stage.put("lov/1", "En.", "To.")
    await stage.put("lov/2", "Noe annet.")
    await cut(stage.store)
    [section] = await stage.store.sections_of([hash_of("To.", 2), "0" * 64])
    assert (section.refid, section.section_key) == ("lov/1", "§2")
    assert cut_section(section)[0].content_hash == hash_of("To.", 2)


async def test_a_removed_document_has_no_passages(stage: Stage) -> None:
    await stage.put("lov/1", "En.")
    await stage.put("lov/2", "To.")
    await cut(stage.store)
    await stage.remove("lov/1")
    await cut(stage.store)
    assert await missing(stage.store) == [hash_of("To.")]


async def test_vectors_of_a_model_that_was_given_up_are_dropped(stage: Stage) -> None:
    await stage.store.store("ukjent", ["0" * 64], Answer({"0" * 64: [1.0]}))
    assert await stage.store.unembedded("ukjent", ["0" * 64]) == ["0" * 64]


async def test_a_model_is_begun_once_and_again_after_another(stage: Stage) -> None:
    begun = []
    for model in ("a", "a", "b", "b", "a", "a"):
        async with stage.store.planning() as plans:
            begun.append(await plans.begin(model))
    assert begun == [True, False, True, False, True, False]


async def test_a_complete_model_takes_the_place_of_the_one_before(stage: Stage) -> None:
    await stage.put("lov/1", "En.")
    text = hash_of("En.")
    async with stage.store.planning() as plans:
        await plans.begin("gammel")
    await stage.store.store("gammel", [text], Answer({text: [1.0, 0.0]}))
    await cut(stage.store)
    await stage.store.store(MODEL, [text], Answer({text: [1.0, 0.0, 0.0], "f" * 64: [0.0, 0.0, 0.0]}))
    assert await stage.store.unembedded("gammel", [text]) == []
    async with stage.store.planning() as plans:
        await plans.complete(MODEL)
    assert await stage.store.unembedded("gammel", [text]) == [text]
    assert await stage.store.unembedded(MODEL, [text, "f" * 64]) == ["f" * 64]


async def test_one_plans_at_a_time(stage: Stage) -> None:
    async with stage.store.planning() as first, stage.store.planning() as second:
        assert first is not None
        assert second is None
    async with stage.store.planning() as again:
        assert again is not None


LONG = EverydayQuestion("nb", "Hva gjør jeg når naboen bråker?", (("lov/1", "§1"),))
SHORT = EverydayQuestion("nb", "Naboen bråker", (("lov/9", "§9"), ("lov/1", "§2"), ("lov/1", "§1")))
ABOUT_NOTHING = EverydayQuestion("nb", "Svarer noen på dette?", (("lov/1", "§77"), ("lov/9", "§1")))


async def test_questions_about_live_provisions_are_missing_before_passages_each_once(stage: Stage) -> None:
    await stage.put("lov/1", "En.", "Nummer to.", day=1)
    await stage.ask(LONG, SHORT, ABOUT_NOTHING)
    await cut(stage.store)
    questions = [SHORT.content_hash, LONG.content_hash]
    assert await missing(stage.store) == [*questions, hash_of("En."), hash_of("Nummer to.", 2)]
    assert await missing(stage.store, 2) == questions
    assert await missing(stage.store, 1) == questions[:1]
    await stage.remove("lov/1")
    await cut(stage.store)
    assert await missing(stage.store) == []


async def test_questions_that_are_asked_for_embedded_or_refused_are_not_missing(stage: Stage) -> None:
    other = EverydayQuestion("en", "Noise at night", (("lov/1", "§1"),))
    await stage.put("lov/1", "En.", "Nummer to.")
    await stage.ask(LONG, SHORT, other)
    await cut(stage.store)
    await stage.store.store(
        MODEL,
        [LONG.content_hash, SHORT.content_hash],
        Answer(questions={LONG.content_hash: [1.0, 0.0]}, refused={SHORT.content_hash: "for kort"}),
    )
    async with stage.store.planning() as plans:
        await plans.note_requests(MODEL, [other.content_hash])
    assert await missing(stage.store) == [hash_of("En."), hash_of("Nummer to.", 2)]
    assert await stage.store.unembedded(MODEL, [LONG.content_hash, SHORT.content_hash]) == [SHORT.content_hash]


async def test_a_question_is_found_by_its_hash(stage: Stage) -> None:
    await stage.ask(LONG, SHORT)
    assert await stage.store.questions_of([SHORT.content_hash, "0" * 64]) == {SHORT.content_hash: SHORT.question}
    assert await stage.store.sections_of([SHORT.content_hash]) == []


async def test_vectors_of_questions_go_with_the_questions_and_with_nothing_else(stage: Stage) -> None:
    await stage.put("lov/1", "En.")
    await stage.ask(LONG, SHORT)
    await cut(stage.store)
    text, asked = hash_of("En."), [LONG.content_hash, SHORT.content_hash]
    await stage.store.store(MODEL, [], Answer({text: [1.0, 0.0]}, {key: [0.0, 1.0] for key in asked}))
    await stage.remove("lov/1")
    await cut(stage.store)
    await complete(stage.store)
    assert await stage.store.unembedded(MODEL, [text, *asked]) == [text]
    await stage.ask(SHORT)
    await complete(stage.store)
    assert await stage.store.unembedded(MODEL, asked) == [LONG.content_hash]


async def complete(store: EmbeddingStore) -> None:
    async with store.planning() as plans:
        assert plans is not None
        await plans.complete(MODEL)


async def test_texts_of_products_are_missing_apart_from_the_law_until_they_have_vectors(stage: Stage) -> None:
    await stage.put("lov/1", "En.")
    await stage.offer("Megling\nHjelp til naboer.", "nabokrangel", "støy")
    await cut(stage.store)
    name, quarrel, noise = map(passage_hash, ("Megling\nHjelp til naboer.", "nabokrangel", "støy"))
    async with stage.store.planning() as plans:
        found = await plans.missing(MODEL, 10)
        assert list(found.law) == [hash_of("En.")]
        assert (found.products[0], set(found.products)) == (name, {name, quarrel, noise})
        assert len((await plans.missing(MODEL, 2)).products) == 2
        await plans.note_requests(MODEL, [noise])
    texts = [name, quarrel, hash_of("En.")]
    assert await stage.store.products_of(texts, asked=False) == {name: "Megling\nHjelp til naboer."}
    assert await stage.store.products_of(texts, asked=True) == {quarrel: "nabokrangel"}
    await stage.store.store(MODEL, [name], Answer(products={name: [1.0, 0.0]}, refused={quarrel: "for rart"}))
    async with stage.store.planning() as plans:
        assert list((await plans.missing(MODEL, 10)).products) == []
    assert await stage.store.unembedded(MODEL, [name, quarrel]) == [quarrel]


async def test_vectors_of_products_go_with_the_products_and_with_nothing_else(stage: Stage) -> None:
    await stage.put("lov/1", "En.")
    await stage.offer("Megling", "nabokrangel")
    await cut(stage.store)
    first, second = passage_hash("Megling"), passage_hash("nabokrangel")
    vectors = {first: [1.0, 0.0], second: [0.0, 1.0]}
    await stage.store.store(MODEL, [], Answer({hash_of("En."): [1.0, 0.0]}, products=vectors))
    await stage.offer("Megling")
    await complete(stage.store)
    assert await stage.store.unembedded(MODEL, [hash_of("En."), first, second]) == [second]


async def test_the_law_is_done_when_only_products_wait(stage: Stage) -> None:
    await stage.put("lov/1", "En.")
    await stage.offer("Megling")
    await cut(stage.store)
    text, product = hash_of("En."), passage_hash("Megling")
    async with stage.store.planning() as plans:
        await plans.note_requests(MODEL, [text, product])
        assert not await plans.law_is_done(MODEL)
    await stage.store.store(MODEL, [text], Answer({text: [1.0, 0.0]}))
    async with stage.store.planning() as plans:
        assert await plans.law_is_done(MODEL)
        await plans.complete(MODEL)
        assert not await plans.law_is_done(MODEL), "it is complete by then"
