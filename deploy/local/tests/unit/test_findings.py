"""Judging what services say of themselves."""

from typing import Any

from lovsvar_contracts.health import ServiceHealth
from lovsvar_local.findings import Level, error, fine, judge_services, report, warning


def health(service: str, **fields: Any) -> ServiceHealth:
    told = {"version": "1.0.0", "instance": "a", "ready": True, **fields}
    return ServiceHealth(service=service, **told)


def test_a_service_that_does_not_answer_and_one_that_is_not_ready_are_errors_in_its_own_words() -> None:
    found = judge_services({"agent": [], "search": [health("search", ready=False, detail="Søkeindeksen bygges.")]})
    assert [(finding.area, finding.level) for finding in found[:2]] == [("agent", Level.ERROR), ("search", Level.ERROR)]
    assert "Søkeindeksen bygges." in found[1].text
    assert all(finding.remedy for finding in found[:2])


def test_versions_that_differ_are_an_error_also_between_replicas() -> None:
    replicas = [health("search"), health("search", version="1.1.0", instance="b")]
    (found,) = [finding for finding in judge_services({"search": replicas}) if finding.area == "versjoner"]
    assert found.level is Level.ERROR
    assert found.text == "Tjenestene har ulike versjoner: search 1.0.0, search 1.1.0."


def test_what_is_not_set_up_is_a_warning_and_so_when_one_replica_alone_is_not() -> None:
    replicas = [health("agent", configured={"model": True}), health("agent", configured={"model": False})]
    areas = {finding.area: finding.level for finding in judge_services({"agent": replicas})}
    assert areas["språkmodell"] is Level.WARNING
    assert "rettspraksis" not in areas


def test_an_error_makes_a_report_bad_and_a_warning_does_not() -> None:
    assert report([fine("a", "b"), warning("a", "b", "c")]).ok
    assert not report([fine("a", "b"), error("a", "b", "c")]).ok
