"""Where catalogues are listed, and how their items are fetched: from folders, and over HTTP."""

from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx2
import pytest

from lovsvar_ingest.adapters import catalogue_source
from lovsvar_ingest.adapters.catalogue_source import ListedCatalogues
from lovsvar_ingest.core.archive import Validators
from lovsvar_ingest.core.catalogues.items import ItemLimits
from lovsvar_ingest.core.catalogues.ports import ListedCatalogue
from lovsvar_ingest.core.errors import CatalogueBroken, IngestError, SourceRefused, SourceUnreachable, SourceUnreadable

QUICK = httpx2.Timeout(2.0, connect=1.0)

ITEMS = b'{"id": 1, "name": "Megling"}\n'


def toml(catalogue: str = "hjelp", items: str = "items.jsonl") -> str:
    return f'id = "{catalogue}"\nname = "Hjelp"\nlanguage = "nb"\nitems = "{items}"\nlink_hosts = ["example.org"]\n'


def put(folder: Path, text: str, items: bytes = ITEMS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "catalogue.toml").write_text(text, encoding="utf-8")
    (folder / "items.jsonl").write_bytes(items)
    return folder


async def nothing(so_far: int, total: int | None) -> None:
    """Hear of progress and say nothing."""


async def fetched(
    source: ListedCatalogues, listed: ListedCatalogue, stored: Validators | None = None
) -> tuple[str, bytes, Validators] | None:
    """Return the name, the bytes and the validators of a catalogue's items; None when they are the `stored` ones."""
    async with source.fetch(listed, nothing, stored) as items:
        if items is None:
            return None
        with items.open() as file:
            return items.name, file.read(), items.validators


class Site:
    """A server of files by path, with an `ETag` for each."""

    def __init__(self, serve: Callable[..., str]) -> None:
        self.files: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        self.asked: list[str] = []
        self.address = serve(self._answer).removesuffix("/publicData/get")

    def _answer(self, handler: BaseHTTPRequestHandler, number: int) -> None:
        self.asked.append(handler.path)
        body, tag = self.files.get(handler.path), f'"{len(self.files.get(handler.path, b""))}"'
        if handler.path in self.redirects:
            handler.send_response(302)
            handler.send_header("Location", self.redirects[handler.path])
        elif body is None:
            handler.send_response(404)
        elif handler.headers.get("If-None-Match") == tag:
            handler.send_response(304)
        else:
            handler.send_response(200)
            handler.send_header("ETag", tag)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)
            return
        handler.send_header("Content-Length", "0")
        handler.end_headers()


@pytest.fixture
def site(serve: Any) -> Site:
    return Site(serve)


async def test_a_folder_is_listed_by_itself_or_by_its_file(tmp_path: Path) -> None:
    folder = put(tmp_path / "a", toml())
    for place in (str(folder), str(folder / "catalogue.toml"), f"file://{folder}"):
        source = ListedCatalogues([place])
        listed = await source.listed("hjelp")
        assert (listed.source, listed.items) == (str(folder / "catalogue.toml"), str(folder / "items.jsonl"))
        assert await fetched(source, listed) == ("items.jsonl", ITEMS, Validators())
        assert await source.listed("hjelp", str(folder)) == listed
        assert await source.checksum(listed)


async def test_what_is_wrong_with_one_catalogue_leaves_the_others(tmp_path: Path) -> None:
    good, broken = put(tmp_path / "a", toml()), put(tmp_path / "b", toml("to").replace("name", "nmae"))
    double, missing = put(tmp_path / "c", toml()), tmp_path / "d"
    source = ListedCatalogues(map(str, (good, broken, double, missing)))
    shelf = await source.read()
    assert list(shelf.catalogues) == ["hjelp"]
    assert shelf.catalogues["hjelp"].source == str(good / "catalogue.toml")
    errors = {Path(place).parent.name: str(error) for place, error in shelf.errors.items()}
    assert errors.keys() == {"b", "c", "d"}
    assert "mente du «name»?" in errors["b"]
    assert f"har også {good}" in errors["c"]
    assert "kan ikke åpnes" in errors["d"]
    with pytest.raises(SourceRefused, match=r"«to» er ikke listet opp .*LOVSVAR_CATALOGUES.*mente du «name»"):
        await source.listed("to")


async def test_the_list_has_words_for_what_comes_along_and_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "catalogues" / "b", toml("b-katalog"))
    put(tmp_path / "catalogues" / "a", toml("a-katalog"))
    monkeypatch.setattr(catalogue_source, "files", lambda package: tmp_path)
    assert list((await ListedCatalogues(["shipped"]).read()).catalogues) == ["a-katalog", "b-katalog"]
    own = put(tmp_path / "egen", toml())
    assert len((await ListedCatalogues(["shipped", str(own)]).read()).catalogues) == 3
    for places in ([], ["none"]):
        with pytest.raises(SourceRefused, match="de som er det: ingen"):
            await ListedCatalogues(places).listed("hjelp")


@pytest.mark.parametrize(
    "items", ["../hemmelig", "/etc/passwd", "file:///etc/passwd", "ftp://example.org/x", "https://"]
)
async def test_items_are_beside_their_file_or_at_an_address(tmp_path: Path, items: str) -> None:
    (tmp_path / "hemmelig").write_text("x", encoding="utf-8")
    source = ListedCatalogues([str(put(tmp_path / "a", toml(items=items)))])
    [error] = (await source.read()).errors.values()
    assert isinstance(error, CatalogueBroken)


async def test_a_catalogue_over_http_is_fetched_again_when_it_changed(site: Site) -> None:
    site.files = {"/k/catalogue.toml": toml().encode(), "/k/items.jsonl": ITEMS}
    source = ListedCatalogues([f"{site.address}/k/"])
    listed = await source.listed("hjelp")
    assert listed.items == f"{site.address}/k/items.jsonl"
    first = await fetched(source, listed)
    assert first
    assert first[:2] == ("items.jsonl", ITEMS)
    assert await fetched(source, listed, first[2]) is None
    site.files["/k/items.jsonl"] += ITEMS
    second = await fetched(source, listed, first[2])
    assert second
    assert second[1] == 2 * ITEMS
    assert await source.checksum(listed) is None


async def test_a_login_in_an_address_is_used_and_not_shown(site: Site) -> None:
    site.files = {"/k/catalogue.toml": toml().encode(), "/k/items.jsonl": ITEMS}
    source = ListedCatalogues([site.address.replace("http://", "http://meg:hemmelig@") + "/k"])
    listed = await source.listed("hjelp")
    assert await fetched(source, listed)
    assert "hemmelig" not in f"{listed.source} {listed.items}"


async def test_a_file_from_elsewhere_leads_into_no_private_network(site: Site, serve: Any) -> None:
    inside = Site(serve)
    inside.files = {"/items.jsonl": ITEMS}
    site.files = {
        "/k/catalogue.toml": toml(items=f"{inside.address}/items.jsonl").encode(),
        "/m/catalogue.toml": toml("to", items=f"{site.address}/items.jsonl").encode(),
        "/n/catalogue.toml": toml("tre").encode(),
    }
    site.redirects = {"/n/items.jsonl": f"{inside.address}/items.jsonl"}
    source = ListedCatalogues([f"{site.address}/{name}" for name in "kmn"])
    for catalogue in ("hjelp", "to", "tre"):
        with pytest.raises(SourceRefused, match="LOVSVAR_CATALOGUES"):
            await fetched(source, await source.listed(catalogue))
    assert inside.asked == []
    assert "/items.jsonl" not in site.asked


async def test_the_operators_own_file_may_name_any_address(site: Site, tmp_path: Path) -> None:
    site.files = {"/tilbud.jsonl": ITEMS}
    source = ListedCatalogues([str(put(tmp_path / "a", toml(items=f"{site.address}/tilbud.jsonl")))])
    found = await fetched(source, await source.listed("hjelp"))
    assert found
    assert found[:2] == ("tilbud.jsonl", ITEMS)


async def test_what_is_too_large_or_away_is_an_error_that_says_so(site: Site, tmp_path: Path) -> None:
    site.files = {"/k/catalogue.toml": toml("to").encode(), "/k/items.jsonl": ITEMS}
    site.files["/stor/catalogue.toml"] = b"#" * 100_000
    folder = put(tmp_path / "a", toml())
    places = [str(folder), f"{site.address}/k", f"{site.address}/stor", f"{site.address}/borte"]
    source = ListedCatalogues(places, ItemLimits(size=10), QUICK)
    for catalogue in ("hjelp", "to"):
        with pytest.raises(SourceUnreadable, match="større enn 10 byte"):
            await fetched(source, await source.listed(catalogue))
    errors: list[IngestError] = list((await source.read()).errors.values())
    assert [type(error) for error in errors] == [SourceUnreadable, SourceUnreachable]
    (folder / "items.jsonl").unlink()
    with pytest.raises(SourceUnreachable, match=r"items\.jsonl kan ikke åpnes"):
        await fetched(source, await source.listed("hjelp"))


async def test_a_catalogue_is_not_kept_waiting_by_another_and_may_get_another_id(site: Site, tmp_path: Path) -> None:
    site.files = {"/k/catalogue.toml": toml("to").encode()}
    folder = put(tmp_path / "a", toml())
    source = ListedCatalogues([str(folder), f"{site.address}/k"])
    await source.read()
    site.asked.clear()
    assert (await source.listed("hjelp")).definition.id == "hjelp"
    assert site.asked == []
    put(folder, toml("ny"))
    assert (await source.listed("ny")).definition.id == "ny"
    with pytest.raises(SourceRefused, match="de som er det: ny, to"):
        await source.listed("hjelp")
    (folder / "catalogue.toml").write_text("id =", encoding="utf-8")
    with pytest.raises(CatalogueBroken, match="ikke gyldig TOML"):
        await source.listed("ny")
