"""Cases over NATS, on a real PostgreSQL."""

import asyncio
from typing import TYPE_CHECKING

import asyncpg
import nats
import pytest

from lovsvar_cases.adapters.postgres_cases import SQL
from lovsvar_cases.settings import Settings
from lovsvar_contracts import subjects
from lovsvar_contracts.case_accesses import Accesses, ReadAccesses
from lovsvar_contracts.case_details import Phase
from lovsvar_contracts.cases import (
    Actor,
    Case,
    CaseAction,
    Cases,
    EraseCase,
    History,
    ListCases,
    MoveCase,
    Parties,
    ReadCase,
    ReadHistory,
    ReadParties,
    RemoveParty,
    SetParty,
    Tombstone,
    UpdateCase,
)
from lovsvar_contracts.problems import ProblemError, ProblemType

if TYPE_CHECKING:
    from conftest import Asking

KARI = Actor(name="kari", organisation="huset")
OLA = Actor(name="ola", organisation="huset")
EVA = Actor(name="eva", organisation="andre", operator=True)


def update(case: Case, **fields: object) -> UpdateCase:
    given = {"actor": KARI, "case_id": case.case_id, **fields}
    return UpdateCase.model_validate(given)


async def test_a_described_case_waits_for_its_tier_and_holds_what_was_said(ask: "Asking") -> None:
    case = await ask.open(KARI, title="Depositum", description="Utleier holder depositumet tilbake.")
    assert (case.version, case.state.phase) == (1, Phase.TIER)
    assert case.state.details.summary.current == "Utleier holder depositumet tilbake."
    empty = await ask.open(KARI)
    assert empty.state.phase is Phase.DESCRIBING
    told = await ask(subjects.CASES_UPDATE, update(empty, updates={"facts": [{"fact": "Jeg flyttet ut."}]}), Case)
    assert told.state.phase is Phase.TIER


async def test_the_same_request_opens_one_case_and_makes_one_change(ask: "Asking") -> None:
    first, second = [await ask.open(KARI, request_id="r1", title="En") for _ in range(2)]
    assert first.case_id == second.case_id
    again = update(first, request_id="u1", updates={"facts": [{"fact": "Én gang."}]})
    cases = [await ask(subjects.CASES_UPDATE, again, Case) for _ in range(3)]
    assert [case.version for case in cases] == [2, 2, 2]
    assert len(cases[-1].state.details.facts) == 1


async def test_a_stale_version_is_a_conflict_that_says_what_to_do_and_nothing_is_lost(ask: "Asking") -> None:
    case = await ask.open(KARI, description="Først.")
    await ask(subjects.CASES_UPDATE, update(case, expected_version=1, updates={"summary.current": "Min."}), Case)
    with pytest.raises(ProblemError) as caught:
        late = update(case, expected_version=1, updates={"summary.current": "Din."})
        await ask(subjects.CASES_UPDATE, late, Case)
    assert caught.value.problem.type is ProblemType.CONFLICT
    assert "versjon 1" in caught.value.problem.detail
    assert "versjon 2" in caught.value.problem.detail
    now = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)
    assert now.state.details.summary.current == "Min."


async def test_what_replaces_must_say_what_it_has_read(ask: "Asking") -> None:
    case = await ask.open(KARI, description="Først.")
    with pytest.raises(ProblemError, match="expected_version"):
        await ask(subjects.CASES_UPDATE, update(case, updates={"summary.current": "Ny."}), Case)


async def test_a_hundred_writers_at_once_lose_no_word(ask: "Asking") -> None:
    case = await ask.open(KARI)

    async def tell(number: int) -> None:
        await ask(subjects.CASES_UPDATE, update(case, updates={"facts": [{"fact": f"Faktum {number}"}]}), Case)

    for batch in range(10):
        await asyncio.gather(*(tell(number) for number in range(batch * 10, batch * 10 + 10)))
    now = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)
    assert {fact.fact for fact in now.state.details.facts} == {f"Faktum {number}" for number in range(100)}
    assert now.version == 101


async def test_the_whole_history_is_read_and_any_version_is_shown(ask: "Asking") -> None:
    case = await ask.open(KARI, description="En.")
    for number, words in enumerate(("To.", "Tre."), 1):
        await ask(
            subjects.CASES_UPDATE, update(case, expected_version=number, updates={"summary.current": words}), Case
        )
    history = await ask(
        subjects.CASES_HISTORY,
        ReadHistory(actor=OLA.model_copy(update={"name": "kari"}), case_id=case.case_id),
        History,
    )
    assert [change.version for change in history.changes] == [1, 2, 3]
    assert [change.action for change in history.changes] == [
        CaseAction.CASE_OPENED,
        CaseAction.DETAILS_UPDATED,
        CaseAction.DETAILS_UPDATED,
    ]
    assert history.changes[1].updates == {"summary.current": "To."}
    assert {change.by for change in history.changes} == {"kari"}
    shown = [
        (await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id, version=n), Case)) for n in (1, 2, 3)
    ]
    assert [one.state.details.summary.current for one in shown] == ["En.", "To.", "Tre."]
    assert [one.version for one in shown] == [1, 2, 3]
    with pytest.raises(ProblemError) as caught:
        await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id, version=4), Case)
    assert caught.value.problem.type is ProblemType.NOT_FOUND


async def test_an_organisations_case_is_seen_by_its_keys_and_a_persons_by_that_person_alone(ask: "Asking") -> None:
    own = await ask.open(KARI, title="Min")
    shared = await ask.open(KARI, title="Vår", for_organisation=True)
    read = {
        name: (await ask(subjects.CASES_LIST, ListCases(actor=actor), Cases)).cases
        for name, actor in (("kari", KARI), ("ola", OLA), ("eva", EVA))
    }
    assert [case.title for case in read["kari"]] == ["Vår", "Min"]
    assert [case.case_id for case in read["ola"]] == [shared.case_id]
    assert read["eva"] == ()
    assert (await ask(subjects.CASES_READ, ReadCase(actor=OLA, case_id=shared.case_id), Case)).state.title == "Vår"
    for subject, request in refused(own):
        with pytest.raises(ProblemError) as caught:
            await ask(subject, request, Case)
        assert caught.value.problem.type is ProblemType.NOT_FOUND
        assert "Min" not in caught.value.problem.detail
    accesses = await ask(subjects.CASES_ACCESSES, ReadAccesses(actor=KARI, case_id=own.case_id), Accesses)
    assert [(one.by, one.action) for one in accesses.accesses] == [("eva", "refused")] * len(refused(own))


def refused(case: Case) -> list[tuple[str, object]]:
    about = {"actor": EVA, "case_id": case.case_id}
    return [
        (subjects.CASES_READ, ReadCase(**about)),
        (subjects.CASES_HISTORY, ReadHistory(**about)),
        (subjects.CASES_UPDATE, UpdateCase(**about, updates={"facts": []})),
        (subjects.CASES_MOVE, MoveCase(**about, step="close")),
        (subjects.CASES_PARTIES, ReadParties(**about)),
        (subjects.CASES_SET_PARTY, SetParty(**about)),
        (subjects.CASES_REMOVE_PARTY, RemoveParty(**about, party_id="party0")),
        (subjects.CASES_ACCESSES, ReadAccesses(**about)),
        (subjects.CASES_ERASE, EraseCase(**about)),
    ]


async def test_lists_come_in_pages(ask: "Asking") -> None:
    opened = [(await ask.open(KARI, title=str(number))).case_id for number in range(60)]
    first = await ask(subjects.CASES_LIST, ListCases(actor=KARI), Cases)
    second = await ask(subjects.CASES_LIST, ListCases(actor=KARI, after=first.next), Cases)
    assert [case.case_id for case in (*first.cases, *second.cases)] == opened[::-1]
    assert second.next is None


async def test_parties_stand_in_the_vault_and_not_in_the_case(ask: "Asking", settings: Settings) -> None:
    case = await ask.open(KARI)
    about = {"actor": KARI, "case_id": case.case_id}
    fields = {"firstName": "Kari", "lastName": "Nordmann", "birthNumber": "151086 95088", "email": "k@example.no"}
    await ask(subjects.CASES_SET_PARTY, SetParty(**about, role="leier", fields=fields), Parties)
    company = SetParty(**about, party_kind="organisation", role="utleier", fields={"orgName": "Bolig AS"})
    parties = await ask(subjects.CASES_SET_PARTY, company, Parties)
    assert [(one.party_id, one.role) for one in parties.parties] == [("party0", "leier"), ("party1", "utleier")]
    assert parties.parties[0].fields["birthNumber"] == "15108695088"
    now = await ask(subjects.CASES_READ, ReadCase(**about), Case)
    assert "Nordmann" not in now.model_dump_json()
    assert now.state.details.parties_involved_context[0].fields == ("firstName", "lastName", "birthNumber", "email")
    left = await ask(subjects.CASES_REMOVE_PARTY, RemoveParty(**about, party_id="party0"), Parties)
    assert [one.party_id for one in left.parties] == ["party1"]
    added = await ask(subjects.CASES_SET_PARTY, SetParty(**about, fields={"firstName": "Ola"}), Parties)
    assert [one.party_id for one in added.parties] == ["party1", "party2"]


@pytest.mark.parametrize(
    "fields", [{"cnp": "1"}, {"birthNumber": "15108695077"}, {"email": "ingen"}, {"orgName": "AS"}]
)
async def test_a_field_that_a_party_cannot_have_is_refused_without_its_value(
    ask: "Asking", fields: dict[str, str]
) -> None:
    case = await ask.open(KARI)
    with pytest.raises(ProblemError) as caught:
        await ask(subjects.CASES_SET_PARTY, SetParty(actor=KARI, case_id=case.case_id, fields=fields), Parties)
    assert caught.value.problem.type is ProblemType.INVALID_REQUEST
    assert next(iter(fields)) in caught.value.problem.detail
    assert "15108695077" not in caught.value.problem.detail


async def test_nothing_of_a_case_is_readable_in_the_database_nor_on_the_wire(ask: "Asking", settings: Settings) -> None:
    tapped: list[bytes] = []
    tap = await nats.connect(settings.nats_url)

    async def note(message: nats.aio.msg.Msg) -> None:
        tapped.append(message.data)

    await tap.subscribe(">", cb=note)
    await tap.flush()
    case = await ask.open(KARI, title="Hemmelighet", description="Hemmelighet om Nordmann.")
    about = {"actor": KARI, "case_id": case.case_id}
    await ask(subjects.CASES_SET_PARTY, SetParty(**about, fields={"lastName": "Nordmann"}), Parties)
    await ask(subjects.CASES_READ, ReadCase(**about), Case)
    await tap.flush()
    await tap.close()
    assert tapped
    connection = await asyncpg.connect(settings.database_url)
    tables = [row[0] for row in await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'cases'")]
    rows = [str(await connection.fetch(f"SELECT * FROM cases.{table}")).encode() for table in tables]
    await connection.close()
    for secret in (b"Hemmelighet", b"Nordmann"):
        assert not [data for data in (*tapped, *rows) if secret in data]


async def test_an_erased_case_leaves_a_tombstone_and_nothing_else(ask: "Asking", settings: Settings) -> None:
    case = await ask.open(KARI, description="Borte.")
    about = {"actor": KARI, "case_id": case.case_id}
    await ask(subjects.CASES_SET_PARTY, SetParty(**about, fields={"lastName": "Nordmann"}), Parties)
    tombstone = await ask(subjects.CASES_ERASE, EraseCase(**about), Tombstone)
    assert tombstone.case_id == case.case_id
    with pytest.raises(ProblemError, match="Fant ikke"):
        await ask(subjects.CASES_READ, ReadCase(**about), Case)
    assert (await ask(subjects.CASES_LIST, ListCases(actor=KARI), Cases)).cases == ()
    connection = await asyncpg.connect(settings.database_url)
    left = await connection.fetch("SELECT * FROM cases.cases")
    assert [(row["wrapped_key"], row["sealed_state"], row["sealed_title"]) for row in left] == [(None, None, None)]
    for table in ("changes", "party_fields", "pseudonyms", "accesses", "tickets"):
        assert await connection.fetchval(f"SELECT count(*) FROM cases.{table}") == 0
    await connection.close()


async def test_a_closed_case_is_not_changed_until_it_is_opened_again(ask: "Asking") -> None:
    case = await ask.open(KARI, description="Ferdig.")
    about = {"actor": KARI, "case_id": case.case_id}
    closed = await ask(subjects.CASES_MOVE, MoveCase(**about, step="close", reason="Forlik"), Case)
    assert closed.state.phase is Phase.CLOSED
    with pytest.raises(ProblemError) as caught:
        await ask(subjects.CASES_UPDATE, update(case, updates={"facts": [{"fact": "Mer."}]}), Case)
    assert caught.value.problem.type is ProblemType.CONFLICT
    opened = await ask(subjects.CASES_MOVE, MoveCase(**about, step="reopen"), Case)
    assert opened.state.phase is Phase.DESCRIBING


async def test_a_reader_does_not_wait_for_who_changes_the_case(ask: "Asking", settings: Settings) -> None:
    case = await ask.open(KARI)
    connection = await asyncpg.connect(settings.database_url, server_settings={"search_path": "cases"})
    async with connection.transaction():
        assert await connection.fetchrow(SQL["lock_case"], case.case_id)
        read = ReadCase(actor=KARI, case_id=case.case_id)
        async with asyncio.timeout(1.5):
            assert (await ask(subjects.CASES_READ, read, Case)).version == 1
    await connection.close()
