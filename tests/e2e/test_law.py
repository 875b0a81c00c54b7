"""Finding and reading law, by the gateway's door."""

from urllib.parse import quote

import httpx2


def test_search_finds_the_provision_and_says_which_law_types_it_looked_at(client: httpx2.Client) -> None:
    found = client.get("/v1/search", params={"q": "depositum"}).json()
    assert (found["hits"][0]["refid"], found["hits"][0]["section"]) == ("lov/2999-01-01-1", "§3-2")
    assert found["page_size"] == 10
    assert found["searched_law_types"][0] == "lov"


def test_search_keeps_to_the_law_type_it_is_given(client: httpx2.Client) -> None:
    found = client.get("/v1/search", params={"q": "depositum", "law_type": "forskrift"}).json()
    assert found["hits"]
    assert {h["law_type"] for h in found["hits"]} == {"forskrift"}
    assert found["searched_law_types"] == ["forskrift"]


def test_a_provision_is_read_by_name_and_its_act_by_refid(client: httpx2.Client) -> None:
    document = client.get("/v1/documents/lov/2999-01-01-1").json()
    assert document["document"]["short_title"] == "Eksempel-husleieloven"
    outline = client.get("/v1/documents/lov/2999-01-01-1/outline").json()
    assert outline["tokens"] > 0
    one = client.get(f"/v1/documents/lov/2999-01-01-1/provisions/{quote('§3-2')}")
    assert "fire måneders leie" in one.json()["text"]


def test_references_are_resolved_in_each_written_form(client: httpx2.Client) -> None:
    for reference in (
        "eksempel-husleieloven § 3-2",
        "eks-husll. § 3-2",
        "lov/2999-01-01-1/§3-2",
        "LOV-2999-01-01-1 § 3-2",
    ):
        resolution = client.get("/v1/resolve", params={"ref": reference}).json()
        assert resolution["outcome"] == "one", reference
        assert (resolution["matches"][0]["refid"], resolution["matches"][0]["section"]) == ("lov/2999-01-01-1", "§3-2")


def test_what_does_not_exist_is_not_found(client: httpx2.Client) -> None:
    for path in (
        "/v1/documents/lov/1700-01-01-1",
        f"/v1/documents/lov/2999-01-01-1/provisions/{quote('§99')}",
        "/v1/questions/never-asked",
        "/v1/questions/never-asked/events",
        "/lov/1700-01-01-1",
        "/v1/nothing",
    ):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert answer.json()["type"] == "urn:lovsvar:problem:not-found"
    assert client.get("/v1/resolve", params={"ref": "tulleloven § 1"}).json()["outcome"] == "none"


def test_practice_without_a_provider_says_that_it_is_not_configured(client: httpx2.Client) -> None:
    answer = client.get("/v1/practice", params={"q": "mangel ved bolig"})
    assert answer.status_code == 503
    assert answer.json()["type"] == "urn:lovsvar:problem:not-configured"


def test_status_counts_the_corpus_and_names_each_service(client: httpx2.Client) -> None:
    status = client.get("/v1/status").json()
    assert status["documents"] == 9
    assert status["provisions"] >= 100
    assert status["corpus_version"] == status["stored_version"] >= 1
    assert status["sample"]
    assert status["services"] == dict.fromkeys(("ingest", "search", "practice", "cases", "agent", "gateway"), "ready")
