"""Who is let in, to what, and how often."""

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import structlog
from nats.js import JetStreamContext

from lovsvar_chassis.run_log import Cursor, RunLog
from lovsvar_contracts import subjects
from lovsvar_contracts.audit import AuditAction, AuditRecord
from lovsvar_contracts.law import InForce
from lovsvar_contracts.questions import Answer, Citation, Mode, QuestionAsked, RunStatus
from lovsvar_contracts.run_events import AnswerCompleted, RunAccepted, RunCompleted
from lovsvar_gateway.access import MCP, OPEN
from lovsvar_gateway.adapters.key_file import write_keys
from lovsvar_gateway.app import create_app
from lovsvar_gateway.core.access import KeyRing, Limits, Scope, new_key
from lovsvar_gateway.settings import Settings

SECRETS: dict[str, str] = {}


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of keys: one for each scope, another that asks, and one with hardly any allowance."""
    path = tmp_path_factory.mktemp("keys") / "keys.json"
    scopes = {
        "ask": [Scope.ASK],
        "other": [Scope.ASK],
        "read": [Scope.READ],
        "cases": [Scope.CASES],
        "operate": [Scope.OPERATE],
    }
    # There are more routes than a key may use in a minute by default.
    made = {name: new_key(name, given, Limits(per_minute=10_000)) for name, given in scopes.items()}
    made["small"] = new_key("small", Scope, Limits(per_minute=3, concurrent=1))
    made["narrow"] = new_key("narrow", Scope, Limits(concurrent=1))
    SECRETS.update({name: secret for name, (secret, _) in made.items()})
    write_keys(path, KeyRing(keys=tuple(key for _, key in made.values())))
    return path


@pytest_asyncio.fixture
async def guarded(nats_url: str, share_gateway: Any, visit: Any, keys: Path) -> AsyncIterator[Any]:
    """The gateway with these keys that the tests share. Each of the two narrow keys is for one test alone."""
    async with visit(share_gateway(api_keys_file=keys)) as gateway:
        yield gateway


def by(name: str, **more: str) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {SECRETS[name]}", **more}}


async def ask(gateway: Any, name: str) -> str:
    answer = await gateway.client.post("/v1/questions", json={"question": "Hva er depositum?"}, **by(name))
    assert answer.status_code == 202, answer.text
    run_id: str = answer.json()["run_id"]
    return run_id


async def records(js: JetStreamContext) -> list[AuditRecord]:
    info = await js.stream_info(subjects.STREAM_AUDIT)
    return [
        AuditRecord.model_validate_json((await js.get_msg(subjects.STREAM_AUDIT, n)).data or b"")
        for n in range(max(info.state.first_seq, 1), info.state.last_seq + 1)
    ]


@cache
def addresses() -> list[tuple[str, str]]:
    """Method and path of every route, pages too, with something in place of what varies."""
    found = []
    for included in create_app(Settings()).routes:
        router = getattr(included, "original_router", None)
        for route in router.routes if router else [included]:
            path = re.sub(r"\{[^}]+\}", "x", getattr(route, "path", ""))
            found += [(method, path) for method in sorted(getattr(route, "methods", None) or {"GET"})]
    return found


async def test_everything_but_health_needs_a_key(guarded: Any) -> None:
    found = addresses()
    assert len(found) > 25
    for method, path in found:
        answer = await guarded.client.request(method, path)
        assert (answer.status_code == 401) == (path not in OPEN), (method, path)
    for path in ("/nothing", "/static/lovsvar.css", "/openapi.json", "/", "//", "/healthz/"):
        assert (await guarded.client.get(path)).status_code == 401, path


async def test_every_route_is_for_one_scope_and_refuses_keys_of_the_others(guarded: Any, behind: Any) -> None:
    for method, path in addresses():
        if path in OPEN or path in {"/openapi.json", "/static", MCP}:  # the tools have a scope each
            continue
        refused = []
        for name in ("ask", "read", "cases", "operate"):
            # The body is not waited for: that of a case's events stays open.
            async with guarded.client.stream(method, path, **by(name)) as answer:
                refused.append(answer.status_code == 403)
        assert sorted(refused) == [False, True, True, True], (method, path)


@pytest.mark.parametrize(
    "value", ["", "Bearer", "Bearer x", "Basic !", "Basic eA==", "Bearer lovsvar_", "Digest abc", "Bearer \xe5"]
)
async def test_a_wrong_key_is_refused_as_none_and_says_how_to_send_one(guarded: Any, value: str) -> None:
    answer = await guarded.client.get("/v1/search?q=a", headers={b"Authorization": value.encode("latin-1")})
    assert (answer.status_code, answer.json()["type"]) == (401, "urn:lovsvar:problem:key-required")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer ")


async def test_a_browser_sends_the_key_as_its_password(guarded: Any, behind: Any) -> None:
    value = base64.b64encode(f"hvem:{SECRETS['read']}".encode()).decode()
    answer = await guarded.client.get("/v1/search?q=a", headers={"Authorization": f"Basic {value}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("name", "method", "path", "allowed"),
    [
        ("read", "GET", "/v1/search?q=a", True),
        ("read", "GET", "/lov/2999-01-01-1", True),
        ("read", "POST", "/v1/questions", False),
        ("read", "POST", "/v1/ingest", False),
        ("read", "GET", "/v1/audit", False),
        ("ask", "GET", "/v1/search?q=a", False),
        ("ask", "GET", "/v1/ingest", False),
        ("operate", "GET", "/v1/ingest", True),
        ("operate", "GET", "/v1/audit", True),
        ("operate", "GET", "/v1/questions/abc", False),
    ],
)
async def test_a_key_does_what_its_scopes_say(
    guarded: Any, behind: Any, name: str, method: str, path: str, allowed: bool
) -> None:
    answer = await guarded.client.request(method, path, **by(name))
    if allowed:
        assert answer.status_code == 200, answer.text
    else:
        assert (answer.status_code, answer.json()["type"]) == (403, "urn:lovsvar:problem:missing-scope")
        assert SECRETS[name] not in answer.text


async def test_a_question_follows_none_but_ones_own(guarded: Any, js: JetStreamContext, run_log: RunLog) -> None:
    run_id = await ask(guarded, "ask")
    over_nats = "run-nats"
    await run_log.append(RunAccepted(run_id=over_nats, question="Hemmelig?"), Cursor())
    for name, follows, status in (("other", run_id, 404), ("ask", over_nats, 404), ("ask", run_id, 202)):
        body = {"question": "Og da?", "follows": follows}
        answer = await guarded.client.post("/v1/questions", json=body, **by(name))
        assert answer.status_code == status, (name, follows)
        form = await guarded.client.post("/", data=body, **by(name))
        assert form.status_code == (303 if status == 202 else 404)
        assert "Hva er depositum" not in form.text and "Hemmelig" not in form.text
    assert (await js.stream_info(subjects.STREAM_QUESTIONS)).state.messages == 3


async def test_a_run_is_unknown_to_every_other_key(guarded: Any, js: JetStreamContext, run_log: RunLog) -> None:
    run_id = await ask(guarded, "ask")
    for method, path in (("GET", ""), ("GET", "/events"), ("DELETE", "")):
        refused = await guarded.client.request(method, f"/v1/questions/{run_id}{path}", **by("other"))
        unknown = await guarded.client.request(method, f"/v1/questions/never{path}", **by("other"))
        assert (refused.status_code, refused.json()["type"]) == (404, "urn:lovsvar:problem:not-found")
        assert refused.json()["detail"].replace(run_id, "never") == unknown.json()["detail"]
    own = await guarded.client.get(f"/v1/questions/{run_id}", **by("ask"))
    assert (own.status_code, own.json()["status"]) == (200, "running")
    _, end = await run_log.end(run_id)
    await run_log.append(RunCompleted(run_id=run_id), end)
    async with guarded.stream("GET", f"/v1/questions/{run_id}/events", **by("ask")) as stream:
        assert [e["event"] async for e in stream] == ["run.accepted", "run.completed"]


async def test_a_run_that_was_asked_over_nats_is_unknown_to_every_key(guarded: Any, run_log: RunLog) -> None:
    from lovsvar_chassis.run_log import Cursor

    asked = QuestionAsked(question="Hva?")
    await run_log.append(RunAccepted(run_id=asked.run_id, question="Hva?"), Cursor())
    assert (await guarded.client.get(f"/v1/questions/{asked.run_id}", **by("ask"))).status_code == 404


async def test_requests_are_counted_and_told_and_one_too_many_is_refused(guarded: Any, behind: Any) -> None:
    for remaining in (2, 1, 0):
        answer = await guarded.client.get("/v1/search?q=a", **by("small"))
        assert answer.status_code == 200
        assert answer.headers["RateLimit-Policy"] == '"requests";q=3;w=60'
        assert answer.headers["RateLimit"].startswith(f'"requests";r={remaining};t=')
    refused = await guarded.client.get("/v1/search?q=a", **by("small"))
    assert (refused.status_code, refused.json()["type"]) == (429, "urn:lovsvar:problem:too-many-requests")
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["RateLimit"].startswith('"requests";r=0;')
    assert refused.json()["retryable"]
    assert (await guarded.client.get("/v1/search?q=a", **by("read"))).status_code == 200


async def test_streams_count_as_open_until_they_are_closed(guarded: Any) -> None:
    run_id = await ask(guarded, "narrow")
    path = f"/v1/questions/{run_id}"
    async with guarded.stream("GET", f"{path}/events", **by("narrow")) as stream:
        await stream.next()
        refused = await guarded.client.get(path, **by("narrow"))
        assert (refused.status_code, refused.json()["type"]) == (429, "urn:lovsvar:problem:too-many-open")
    async with asyncio.timeout(10):
        while (await guarded.client.get(path, **by("narrow"))).status_code == 429:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def test_what_a_revoked_key_has_open_ends_with_the_reason_and_what_others_have_goes_on(
    nats_url: str, start_gateway: Any, tmp_path: Path, run_log: RunLog
) -> None:
    path = tmp_path / "keys.json"
    made = {name: new_key(name, [Scope.ASK], Limits()) for name in ("leaving", "staying")}
    write_keys(path, KeyRing(keys=tuple(key for _, key in made.values())))
    sent = {name: {"headers": {"Authorization": f"Bearer {secret}"}} for name, (secret, _) in made.items()}
    async with start_gateway(nats_url, api_keys_file=path) as gateway:
        runs = {}
        for name, key in sent.items():
            asked = await gateway.client.post("/v1/questions", json={"question": "Hva?"}, **key)
            runs[name] = asked.json()["run_id"]
        async with (
            gateway.stream("GET", f"/v1/questions/{runs['leaving']}/events", **sent["leaving"]) as leaving,
            gateway.stream("GET", f"/v1/questions/{runs['staying']}/events", **sent["staying"]) as staying,
        ):
            await leaving.next()
            await staying.next()
            write_keys(path, KeyRing(keys=(made["staying"][1],)))
            async with asyncio.timeout(5):
                last = [e async for e in leaving]
            assert [e["event"] for e in last] == ["dropped"]
            assert last[0]["data"]["reason"] == "key_revoked"
            _, end = await run_log.end(runs["staying"])
            await run_log.append(RunCompleted(run_id=runs["staying"]), end)
            assert [e["event"] async for e in staying] == ["run.completed"]
        resumed = await gateway.client.get(f"/v1/questions/{runs['leaving']}/events", **sent["leaving"])
        assert resumed.status_code == 401


async def test_a_request_that_waits_when_its_key_is_revoked_is_refused(
    nats_url: str, start_gateway: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr("lovsvar_gateway.access.RESPITE_SECONDS", 0.0)
    path = tmp_path / "keys.json"
    secret, key = new_key("leaving", [Scope.READ], Limits())
    write_keys(path, KeyRing(keys=(key,)))
    waiting = asyncio.Event()

    async def ask(*_: Any) -> None:
        waiting.set()
        await asyncio.Event().wait()

    monkeypatch.setattr("lovsvar_gateway.adapters.services.Services.ask", ask)
    async with start_gateway(nats_url, api_keys_file=path) as gateway:
        headers = {"Authorization": f"Bearer {secret}"}
        asking = asyncio.create_task(gateway.client.get("/v1/search?q=a", headers=headers))
        await waiting.wait()
        write_keys(path, KeyRing())
        async with asyncio.timeout(10):
            assert (await asking).status_code == 401


async def test_questions_have_a_limit_of_their_own_where_so_set(
    nats_url: str, start_gateway: Any, tmp_path: Path, js: JetStreamContext
) -> None:
    path = tmp_path / "keys.json"
    secret, key = new_key("a", [Scope.ASK], Limits(questions_per_minute=2))
    write_keys(path, KeyRing(keys=(key,)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with start_gateway(nats_url, api_keys_file=path) as gateway:
        asked = await gateway.client.post("/v1/questions", json={"question": "Hva?"}, headers=headers)
        assert asked.headers["RateLimit-Policy"] == '"requests";q=120;w=60, "questions";q=2;w=60'
        assert asked.headers["RateLimit"].endswith(', "questions";r=1;t=30')
        form = {"data": {"question": "Hva?"}, "headers": headers}
        assert (await gateway.client.post("/", **form)).status_code == 303
        refused = await gateway.client.post("/v1/questions", json={"question": "Hva?"}, headers=headers)
        assert (refused.status_code, refused.json()["type"]) == (429, "urn:lovsvar:problem:too-many-questions")
        assert 25 <= int(refused.headers["Retry-After"]) <= 30
        assert refused.json()["retryable"]
        assert (await gateway.client.post("/", **form)).status_code == 429
        assert [r.action for r in await records(js)] == [AuditAction.ASKED] * 2
        own = await gateway.client.get(asked.headers["Location"], headers=headers)
        assert own.status_code == 200


async def test_without_keys_a_name_that_is_not_this_machines_is_refused(gateway: Any) -> None:
    answer = await gateway.client.get("/v1/ingest", headers={"Host": "rebound.example"})
    assert (answer.status_code, answer.json()["type"]) == (403, "urn:lovsvar:problem:foreign-host")
    for host in ("localhost:8080", "[::1]:8080", "127.0.0.1"):
        assert (await gateway.client.get("/v1/ingest", headers={"Host": host})).status_code == 200


@pytest.mark.parametrize("without_keys", [False, True])
async def test_names_beside_those_of_this_machine_are_listed(
    nats_url: str, start_gateway: Any, without_keys: bool
) -> None:
    listed = "lov.example.no, [2001:db8::1]:80,other.example:8443"
    async with start_gateway(nats_url, allowed_hosts=listed, without_keys=without_keys) as gateway:
        for host in ("LOV.example.no:8080", "[2001:db8::1]", "other.example", "localhost", "127.0.0.1:1"):
            assert (await gateway.client.get("/v1/ingest", headers={"Host": host})).status_code == 200, host
        for host in ("rebound.example", "lov.example.no.evil.example", "xlov.example.no", "lov.example.no@evil", ""):
            answer = await gateway.client.get("/v1/ingest", headers={"Host": host})
            assert (answer.status_code, answer.json()["type"]) == (403, "urn:lovsvar:problem:foreign-host"), host
        assert (await gateway.client.get("/healthz", headers={"Host": "rebound.example"})).status_code == 200


async def test_with_keys_every_name_is_answered_to_until_names_are_listed(
    nats_url: str, start_gateway: Any, keys: Path
) -> None:
    async with start_gateway(nats_url, api_keys_file=keys) as gateway:
        answer = await gateway.client.get("/v1/ingest", **by("operate", Host="lov.example.no"))
        assert answer.status_code == 200
    async with start_gateway(nats_url, api_keys_file=keys, allowed_hosts="lov.example.no") as gateway:
        for host, status in (("lov.example.no", 200), ("localhost", 200), ("rebound.example", 403)):
            assert (await gateway.client.get("/v1/ingest", **by("operate", Host=host))).status_code == status, host


async def test_a_page_of_another_site_changes_nothing_and_its_origin_can_be_let_in(
    nats_url: str, start_gateway: Any
) -> None:
    origin = "https://lov.example.no"
    async with start_gateway(nats_url, cors_origins=(origin,)) as gateway:
        body = {"json": {"question": "Hva?"}}
        foreign = await gateway.client.post("/v1/questions", headers={"Origin": "https://evil.example"}, **body)
        assert (foreign.status_code, foreign.json()["type"]) == (403, "urn:lovsvar:problem:foreign-origin")
        assert "Access-Control-Allow-Origin" not in foreign.headers
        for none in ("null", "http://[", "http://[::1", ""):
            refused = await gateway.client.post("/v1/questions", headers={"Origin": none}, **body)
            assert refused.status_code == 403, none
        known = await gateway.client.post("/v1/questions", headers={"Origin": origin}, **body)
        assert (known.status_code, known.headers["Access-Control-Allow-Origin"]) == (202, origin)
        assert "Location" in known.headers["Access-Control-Expose-Headers"]
        own = await gateway.client.post("/v1/questions", headers={"Origin": gateway.url}, **body)
        assert own.status_code == 202


async def test_a_preflight_needs_no_key(nats_url: str, start_gateway: Any, keys: Path) -> None:
    origin = "https://lov.example.no"
    asking = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    async with start_gateway(nats_url, api_keys_file=keys, cors_origins=(origin,)) as gateway:
        answer = await gateway.client.options("/v1/questions", headers={"Origin": origin, **asking})
        assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, origin)
        refused = await gateway.client.options("/v1/questions", headers={"Origin": "https://evil.example", **asking})
        assert "Access-Control-Allow-Origin" not in refused.headers


async def test_a_body_that_does_not_come_is_not_waited_for(nats_url: str, start_gateway: Any) -> None:
    async with start_gateway(nats_url, request_seconds=0.3) as gateway:
        host, _, port = gateway.url.removeprefix("http://").rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        head = f"POST /v1/questions HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        writer.write(f'{head}Content-Length: 100\r\n\r\n{{"question":'.encode())
        async with asyncio.timeout(10):
            assert (await reader.readline()).startswith(b"HTTP/1.1 408 ")
        writer.close()


async def test_it_is_written_down_who_asked_what_and_which_sources_were_shown(
    guarded: Any, behind: Any, js: JetStreamContext, run_log: RunLog
) -> None:
    run_id = await ask(guarded, "ask")
    citation = Citation(
        number=1,
        evidence_id="lovdata-1",
        refid="lov/2999-01-01-1",
        section="§3-5",
        title="x",
        url="x",
        lovdata_url="x",
        quote="x",
        verified=True,
        in_force=InForce.YES,
    )
    answer = Answer(
        run_id=run_id, status=RunStatus.COMPLETED, mode=Mode.EXTRACTIVE, question="x", citations=(citation,)
    )
    _, end = await run_log.end(run_id)
    _, end = await run_log.append(AnswerCompleted(run_id=run_id, answer=answer), end)
    await run_log.append(RunCompleted(run_id=run_id), end)
    async with guarded.stream("GET", f"/v1/questions/{run_id}/events", **by("ask")) as stream:
        [e async for e in stream]
    await guarded.client.get("/v1/search?q=depositum", **by("read"))
    await guarded.client.post("/v1/ingest", json={"dataset": "eksempel"}, **by("operate"))
    asked, shown, searched, operated = await records(js)
    assert (asked.action, asked.key, asked.question, asked.run_id) == (
        AuditAction.ASKED,
        "ask",
        "Hva er depositum?",
        run_id,
    )
    assert (shown.action, shown.key, shown.sources) == (AuditAction.SHOWN, "ask", ("lov/2999-01-01-1 §3-5",))
    assert (searched.action, searched.key, searched.question) == (AuditAction.SEARCHED, "read", "depositum")
    assert (operated.action, operated.key, operated.sources) == (AuditAction.OPERATED, "operate", ("eksempel",))
    first = (await guarded.client.get("/v1/audit?count=3", **by("operate"))).json()
    assert [r["action"] for r in first["records"]] == ["asked", "shown", "searched"]
    rest = (await guarded.client.get(f"/v1/audit?after={first['next_after']}", **by("operate"))).json()
    assert ([r["action"] for r in rest["records"]], rest["next_after"]) == (["operated"], None)


async def test_questions_are_written_down_by_their_hash_where_so_set_and_kept_as_long_as_set(
    nats_url: str, start_gateway: Any, js: JetStreamContext
) -> None:
    async with start_gateway(nats_url, audit="hashed", audit_days=7, audit_secret="salt") as gateway:
        await gateway.client.post("/v1/questions", json={"question": "Hva er depositum?"})
        await gateway.client.post("/v1/questions", json={"question": "Hva er depositum?"})
        one, two = await records(js)
        assert one.question is None
        assert one.question_hash == two.question_hash
        assert len(one.question_hash or "") == 64
        assert (await js.stream_info(subjects.STREAM_AUDIT)).config.max_age == 7 * 86_400


async def test_nothing_is_written_down_where_so_set(nats_url: str, start_gateway: Any, js: JetStreamContext) -> None:
    async with start_gateway(nats_url, audit="off") as gateway:
        await gateway.client.post("/v1/questions", json={"question": "Hva?"})
        assert await records(js) == []


async def test_no_secret_is_logged(
    guarded: Any, behind: Any, capfd: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("lovsvar_gateway.adapters.services.Services.ask", broken)
    as_in_production = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    monkeypatch.setattr(structlog._config._CONFIG, "default_processors", as_in_production)
    wrong = "lovsvar_" + "w" * 43
    assert (await guarded.client.get("/v1/search?q=a", **by("read"))).status_code == 500
    await guarded.client.get("/v1/search?q=a", headers={"Authorization": f"Bearer {wrong}"})
    await guarded.client.get(f"/v1/search?q=a&key={wrong}", **by("read"))
    out, err = capfd.readouterr()
    assert "request failed" in out + err
    for secret in (*SECRETS.values(), wrong):
        assert secret not in out + err
        assert json.dumps(secret) not in out + err


async def test_who_has_the_address_reads_a_saved_answer_and_who_saved_it_alone_deletes_it(
    guarded: Any, behind: Any, run_log: RunLog, js: JetStreamContext
) -> None:
    run_id = await ask(guarded, "ask")
    answer = Answer(
        run_id=run_id, status=RunStatus.COMPLETED, mode=Mode.EXTRACTIVE, question="Hva er depositum?", answer_text="x"
    )
    _, end = await run_log.end(run_id)
    _, end = await run_log.append(AnswerCompleted(run_id=run_id, answer=answer), end)
    await run_log.append(RunCompleted(run_id=run_id), end)
    address = f"/v1/saved/{run_id}"
    assert (await guarded.client.post(f"/v1/questions/{run_id}/saved", **by("other"))).status_code == 404
    assert (await guarded.client.post(f"/v1/questions/{run_id}/saved", **by("ask"))).status_code == 201
    read = await guarded.client.get(address, **by("other"))
    assert (read.status_code, read.json()["owner"]) == (200, None)
    assert "Slett det lagrede svaret" not in (await guarded.client.get(f"/lagret/{run_id}", **by("other"))).text
    assert (await guarded.client.delete(address, **by("other"))).status_code == 404
    assert (await guarded.client.get(address, **by("read"))).status_code == 403
    assert (await guarded.client.get(address)).status_code == 401
    assert (await guarded.client.delete(address, **by("ask"))).status_code == 204
    written = [(record.action, record.key) for record in await records(js) if record.run_id == run_id]
    assert (AuditAction.SAVED, "ask") in written
    assert (AuditAction.DELETED, "ask") in written
    assert (AuditAction.SHOWN, "other") in written
