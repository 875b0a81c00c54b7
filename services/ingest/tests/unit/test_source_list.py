"""Which sources law may be fetched from, and which addresses are public."""

from pathlib import Path

import pytest

from lovsvar_ingest.adapters.downloads import TIMEOUT
from lovsvar_ingest.adapters.sources import SourceList, is_below, is_public, make_client
from lovsvar_ingest.core.errors import SourceRefused
from lovsvar_ingest.settings import LOVDATA, Settings


@pytest.mark.parametrize(
    "wanted",
    [LOVDATA, LOVDATA.rstrip("/"), "HTTPS://API.Lovdata.no:443/v1/publicData/get", "http://speil.example:8080/a", None],
)
def test_a_listed_source_is_known_however_it_is_written(wanted: str | None) -> None:
    assert SourceList(LOVDATA, ["http://speil.example:8080/a/"]).choose(wanted)


@pytest.mark.parametrize(
    "wanted",
    [
        "http://api.lovdata.no/v1/publicData/get/",
        "https://api.lovdata.no:8443/v1/publicData/get/",
        "https://api.lovdata.no/v1/publicData/get/../../annet",
        "https://api.lovdata.no@evil.example/v1/publicData/get/",
        "https://api.lovdata.no.evil.example/v1/publicData/get/",
        "https://evil.example/v1/publicData/get/",
        "https://api.lovdata.no/v1/publicData/get/?x=1",
        "http://[::bad/",
        "/etc",
        "file:///etc",
        "ftp://api.lovdata.no/",
        "~nobody-of-that-name/arkiver",
        "arkiver\0",
        "file://[bad/",
    ],
)
def test_no_other_is(wanted: str) -> None:
    with pytest.raises(SourceRefused, match="LOVSVAR_SOURCES"):
        SourceList(LOVDATA).choose(wanted)


def test_a_folder_is_known_by_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    listed = SourceList("arkiver")
    for wanted in ("./arkiver/", str(tmp_path / "arkiver"), (tmp_path / "arkiver").as_uri(), "annet/../arkiver"):
        assert listed.choose(wanted) == "arkiver"
    with pytest.raises(SourceRefused):
        listed.choose(str(tmp_path))


def test_the_paths_of_listed_addresses_are_known_by_their_hosts_and_ports() -> None:
    others = ["http://127.0.0.1:8080/a", "http://kari:ord@127.0.0.1:8080/b/", "http://[::1]/"]
    listed = SourceList(LOVDATA, [*others, "/srv/lov", "http://[::bad/"])
    assert listed.bases() == {
        ("api.lovdata.no", 443): {"/v1/publicData/get"},
        ("127.0.0.1", 8080): {"/a", "/b"},
        ("::1", 80): {""},
    }


@pytest.mark.parametrize("path", ["/lov", "/lov/", "/lov/2026/a.tar.bz2"])
def test_what_is_below_a_listed_path(path: str) -> None:
    assert is_below(path, frozenset({"/annet", "/lov"}))


@pytest.mark.parametrize("path", ["/", "/lover", "/lov/../hemmelig", "/lov/..", "/lov/..\\hemmelig", "/Lov/a"])
def test_what_is_not(path: str) -> None:
    assert not is_below(path, frozenset({"/annet", "/lov"}))


def test_sources_are_parted_by_commas() -> None:
    assert Settings(sources="http://a.example/, /srv/lov ,").sources == ("http://a.example/", "/srv/lov")  # type: ignore[arg-type]


async def test_what_is_fetched_by_https_is_not_fetched_without_it_behind_a_redirect() -> None:
    async with make_client({("speil.example", 80): frozenset({""})}, TIMEOUT, tls_alone=True) as client:
        with pytest.raises(SourceRefused, match="uten https"):
            await client.get("http://speil.example/")


async def test_nothing_is_fetched_from_a_public_host_that_no_source_names() -> None:
    async with make_client(SourceList(LOVDATA).bases(), TIMEOUT) as client:
        with pytest.raises(SourceRefused, match=r"93\.184\.216\.34 er ingen kilde.*LOVSVAR_SOURCES"):
            await client.get("https://kari:hemmelig@93.184.216.34/")


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "64:ff9b::5db8:d822"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "127.8.8.8", "0.0.0.0", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
        *("100.64.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1"),
        *("::1", "::", "fe80::1", "fe80::1%1", "fc00::1", "fec0::1", "fd00:ec2::254", "ff02::1", "2001:db8::1"),
        *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:53aa:64c::1"),
    ],
)
def test_addresses_that_are_not(address: str) -> None:
    assert not is_public(address)
