"""Keys and what they may use."""

import os

import pytest
from pydantic import ValidationError

from lovsvar_gateway.adapters import key_file
from lovsvar_gateway.adapters.key_file import KeyFile, read_keys, write_keys
from lovsvar_gateway.core.access import PREFIX, Allowance, Caller, KeyRing, Limits, Scope, is_loopback, new_key
from lovsvar_gateway.core.errors import KeysUnusable


def test_a_key_is_found_by_its_secret_alone_and_the_secret_is_not_stored() -> None:
    made = [new_key(name, [Scope.READ], Limits()) for name in ("a", "b", "c")]
    ring = KeyRing(keys=tuple(key for _, key in made))
    for secret, key in made:
        assert secret.startswith(PREFIX)
        assert ring.find(secret) == key
        assert secret not in ring.model_dump_json()
        assert ring.find(key.sha256) is None
    assert ring.find("") is None
    assert ring.find("\ud800") is None


def test_two_keys_cannot_have_one_name() -> None:
    keys = tuple(new_key("a", [Scope.READ], Limits())[1] for _ in range(2))
    with pytest.raises(ValidationError):
        KeyRing(keys=keys)


def test_a_run_is_seen_by_the_key_that_asked_and_without_keys_by_everybody() -> None:
    assert Caller(name="a").may_see("a")
    assert not Caller(name="a").may_see("b")
    assert not Caller(name="a").may_see(None)
    assert Caller().may_see("a")


def test_syncs_of_a_catalogue_are_for_those_who_may_see_it_and_of_law_for_all() -> None:
    few = Caller(catalogues=frozenset({"hjelpetilbud"}))
    assert few.may_sync("katalog-hjelpetilbud") and few.may_sync("gjeldende-lover")
    assert not few.may_sync("katalog-intern")
    assert Caller().may_sync("katalog-intern")


def test_a_key_whose_catalogues_have_changed_is_another() -> None:
    _, key = new_key("a", [Scope.READ], Limits(), ["hjelpetilbud"])
    assert KeyRing(keys=(key,)).holds(key)
    assert not KeyRing(keys=(key.model_copy(update={"catalogues": None}),)).holds(key)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "[::1]", "localhost", "lovsvar.localhost"])
def test_names_of_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "localhost.evil.example", "", "127.0.0.1.example"])
def test_names_that_others_may_reach(host: str) -> None:
    assert not is_loopback(host)


def test_the_whole_allowance_may_be_used_at_once_and_comes_back_bit_by_bit() -> None:
    limits, used = Limits(per_minute=6), Allowance()
    standings = [used.take(limits, 1000.0) for _ in range(6)]
    assert [s.remaining for s in standings] == [5, 4, 3, 2, 1, 0]
    refused = used.take(limits, 1000.0)
    assert (refused.wait, refused.remaining) == (10, 0)
    assert used.take(limits, 1009.0).wait == 1
    assert used.take(limits, 1010.0).wait == 0
    assert used.take(limits, 1010.0).wait == 10
    assert used.take(limits, 1200.0).remaining == 5


def test_questions_are_counted_beside_requests_where_they_have_a_limit() -> None:
    limits, used = Limits(per_minute=6, questions_per_minute=2), Allowance()
    used.take(limits, 1000.0)
    first, second, third = (used.take_question(limits, 1000.0) for _ in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert [first.remaining, second.remaining, third.remaining] == [1, 0, 0]
    assert [first.wait, second.wait, third.wait] == [0, 0, 30]
    assert used.look_at_questions(limits, 1030.0) == first
    assert used.take(limits, 1000.0).remaining == 4
    assert used.take_question(Limits(), 1000.0) is None
    assert used.look_at_questions(Limits(), 1000.0) is None


def test_a_ring_holds_a_key_that_may_do_what_it_could_and_no_other_of_its_name() -> None:
    _, key = new_key("a", [Scope.READ], Limits())
    narrower = key.model_copy(update={"scopes": frozenset({Scope.ASK})})
    wider = key.model_copy(update={"scopes": frozenset(Scope), "limits": Limits(per_minute=7)})
    assert KeyRing(keys=(key,)).holds(key)
    assert KeyRing(keys=(wider,)).holds(key)
    for others in ((), (narrower,), (new_key("a", [Scope.READ], Limits())[1],)):
        assert not KeyRing(keys=others).holds(key)


def test_no_more_than_the_allowance_and_a_window_of_it_passes_in_any_minute() -> None:
    limits, used = Limits(per_minute=60), Allowance()
    allowed = sum(used.take(limits, tenth / 10).wait == 0 for tenth in range(6000))
    assert allowed == 60 + 599


def test_the_file_is_readable_by_its_owner_alone_and_is_read_as_it_was_written(tmp_path) -> None:
    path = tmp_path / "keys" / "keys.json"
    ring = KeyRing(keys=(new_key("a", Scope, Limits(per_minute=7))[1],))
    write_keys(path, ring)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_keys(path) == ring
    assert [p.name for p in path.parent.iterdir()] == ["keys.json"]
    path.chmod(0o644)
    write_keys(path, ring)
    assert path.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("content", ["", "[]", '{"keys": [{"name": "hemmelig verdi"}]}'])
def test_a_file_of_something_else_is_told_without_its_content(tmp_path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content)
    with pytest.raises(KeysUnusable, match=r"keys\.json") as caught:
        read_keys(path)
    assert "hemmelig" not in str(caught.value)


def test_a_changed_file_counts_at_once_and_one_that_is_gone_lets_nobody_in(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(key_file, "LOOK_SECONDS", 0.0)
    path = tmp_path / "keys.json"
    (one, first), (two, second) = (new_key(name, [Scope.READ], Limits()) for name in ("a", "b"))
    write_keys(path, KeyRing(keys=(first,)))
    file = KeyFile(path)
    assert file.ring.find(one) == first
    write_keys(path, KeyRing(keys=(second,)))
    assert (file.ring.find(one), file.ring.find(two)) == (None, second)
    path.unlink()
    assert file.ring.find(two) is None
    write_keys(path, KeyRing(keys=(second,)))
    assert file.ring.find(two) == second


def test_keys_that_could_not_be_read_once_are_read_again_though_the_file_looks_the_same(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(key_file, "LOOK_SECONDS", 0.0)
    path = tmp_path / "keys.json"
    secret, key = new_key("a", [Scope.READ], Limits())
    write_keys(path, KeyRing(keys=(key,)))
    file, content = KeyFile(path), path.read_bytes()

    def put(content: bytes) -> None:
        path.write_bytes(content)
        os.utime(path, ns=(1, 1))

    put(b"x" * len(content))
    assert file.ring.find(secret) is None
    put(content)
    assert file.ring.find(secret) == key
