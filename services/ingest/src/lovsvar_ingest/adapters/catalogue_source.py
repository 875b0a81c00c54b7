"""The catalogues that an operator lists: folders and http(s) addresses with a `catalogue.toml`, and their items."""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import IO
from urllib.parse import quote

import httpx2

from lovsvar_chassis.addresses import shown
from lovsvar_ingest.adapters.archives import copy_file, temporary_folder
from lovsvar_ingest.adapters.downloads import TIMEOUT, Download
from lovsvar_ingest.adapters.sources import Endpoint, endpoint, folder, is_http, make_client, normalised
from lovsvar_ingest.core.archive import Validators
from lovsvar_ingest.core.catalogues.definition import FILE, LARGEST, CatalogueDefinition, read_definition
from lovsvar_ingest.core.catalogues.items import ItemLimits
from lovsvar_ingest.core.catalogues.ports import CatalogueSource, ItemsFile, ListedCatalogue
from lovsvar_ingest.core.errors import CatalogueBroken, IngestError, SourceRefused, SourceUnreachable, SourceUnreadable
from lovsvar_ingest.core.ports import OnBytes

SHIPPED = "shipped"
"""The word that lists the catalogues that come with Lovsvar."""

NONE = "none"
"""The word that lists no catalogue."""

SETTING = "LOVSVAR_CATALOGUES"

OTHER_SCHEME = "items må være en fil i samme mappe eller en adresse som begynner med http:// eller https://"


@dataclass(slots=True)
class Shelf:
    """The listed catalogues by id, and what is wrong with those that cannot be read, by source."""

    catalogues: dict[str, ListedCatalogue] = field(default_factory=dict)
    errors: dict[str, IngestError] = field(default_factory=dict)

    @property
    def unreachable(self) -> bool:
        """Whether a source did not answer, so that another attempt may help."""
        return any(isinstance(error, SourceUnreachable) for error in self.errors.values())


class FetchedItems(ItemsFile):
    """Items in a file of this process."""

    def __init__(self, name: str, path: Path, validators: Validators) -> None:
        with path.open("rb") as file:
            self.checksum = hashlib.file_digest(file, "sha256").hexdigest()
        self.name = name
        self.size = path.stat().st_size
        self.validators = validators
        self._path = path

    def open(self) -> contextlib.AbstractContextManager[IO[bytes]]:
        return self._path.open("rb")


class ListedCatalogues(CatalogueSource):
    """The catalogues at the listed places. Their files are read anew each time, since they are small and may change."""

    def __init__(
        self, places: Iterable[str], limits: ItemLimits | None = None, timeout: httpx2.Timeout = TIMEOUT
    ) -> None:
        """`places` are folders, files and addresses, `shipped` or `none`. `timeout` is that of one read."""
        self._places = dict.fromkeys(place for listed in places for place in _expanded(listed))
        self._limits = limits or ItemLimits()
        self._timeout = timeout
        self._found: dict[str, str] = {}
        """Where each catalogue was found last, so that one is not kept waiting by another's server."""

    async def read(self) -> Shelf:
        """Return all catalogues that can be read, and the errors of the others."""
        shelf = Shelf()
        for place in self._places:
            try:
                listed = await self._read(place)
                if other := shelf.catalogues.get(listed.definition.id):
                    raise CatalogueBroken(
                        f"{listed.source}: id «{listed.definition.id}» har også {other.source}. Velg en annen."
                    )
            except IngestError as exc:
                shelf.errors[_source(place)] = exc
            else:
                shelf.catalogues[listed.definition.id] = listed
                self._found[listed.definition.id] = place
        return shelf

    async def listed(self, catalogue: str, source: str | None = None) -> ListedCatalogue:
        """Return a catalogue, as its file is now. Raises also the error of a file that may be the one."""
        shelf = await self._shelf_with(catalogue)
        found = shelf.catalogues.get(catalogue)
        if found and (not source or _source(_toml(source)) == found.source):
            return found
        if source and (error := shelf.errors.get(_source(_toml(source)))):
            raise error
        if found:
            raise SourceRefused(f"Katalogen «{catalogue}» hentes fra {found.source}, ikke fra {source}.")
        known = ", ".join(sorted(shelf.catalogues)) or "ingen"
        errors = " ".join(str(error) for error in shelf.errors.values())
        raise SourceRefused(
            f"Katalogen «{catalogue}» er ikke listet opp (de som er det: {known}). Legg mappen eller adressen til i "
            f"{SETTING}, som «shipped,{source or '/mappen/din'}», og start på nytt. {errors}".rstrip()
        )

    async def _shelf_with(self, catalogue: str) -> Shelf:
        """Return a shelf with one catalogue alone if it is where it was, else with all."""
        if place := self._found.get(catalogue):
            listed = await self._read(place)
            if listed.definition.id == catalogue:
                return Shelf({catalogue: listed})
        return await self.read()

    @contextlib.asynccontextmanager
    async def fetch(
        self, listed: ListedCatalogue, on_bytes: OnBytes, stored: Validators | None = None
    ) -> AsyncIterator[FetchedItems | None]:
        """Fetch the items to a file, or copy them, so that the bytes that were hashed are those that are read."""
        place = self._place(listed)
        address = _items(place, listed.definition)
        with temporary_folder() as temporary:
            file, validators = temporary / "items", Validators()
            if not is_http(address):
                path = Path(address)
                await asyncio.to_thread(_refuse_large, path, self._limits.size)
                await asyncio.to_thread(copy_file, path, file)
            else:
                download = Download(address, file, self._limits.size, on_bytes, self._client(address, place))
                if not await download.run(stored or validators):
                    yield None
                    return
                validators = download.validators
            name = listed.items.rpartition("/")[2] or listed.items
            yield await asyncio.to_thread(FetchedItems, name, file, validators)

    async def checksum(self, listed: ListedCatalogue) -> str | None:
        """Return the checksum of items in a folder; None for those that would have to be fetched, or cannot be read."""
        address = _items(self._place(listed), listed.definition)
        if is_http(address):
            return None
        try:
            return (await asyncio.to_thread(FetchedItems, "", Path(address), Validators())).checksum
        except OSError:
            return None

    async def _read(self, place: str) -> ListedCatalogue:
        source = _source(place)
        with temporary_folder() as temporary:
            file = temporary / FILE
            if is_http(place):
                _checked(place, place)
                await Download(place, file, LARGEST, _unheard, self._client(place, place)).run(Validators())
            else:
                await asyncio.to_thread(_refuse_large, Path(place), LARGEST)
                await asyncio.to_thread(copy_file, Path(place), file)
            definition = read_definition(await asyncio.to_thread(file.read_bytes), source)
        address = _items(place, definition)
        return ListedCatalogue(source, shown([address]) if is_http(address) else address, definition)

    def _client(self, address: str, place: str) -> "partial[httpx2.AsyncClient]":
        """Return what makes clients for `address`, which the catalogue at `place` names.

        They reach everything below the folder of a listed address. A file in a folder is the operator's too, and may
        name any address; one from elsewhere may lead to public addresses only.
        """
        url = httpx2.URL(address)
        bases: dict[Endpoint, frozenset[str]] = {endpoint(url): frozenset()}
        trusted = httpx2.URL(place) if is_http(place) else url
        below = trusted.path.rpartition("/")[0] if is_http(place) else trusted.path
        bases[endpoint(trusted)] = frozenset({below})
        tls_alone = address.lower().startswith("https://")
        return partial(make_client, bases, self._timeout, tls_alone=tls_alone, setting=SETTING)

    def _place(self, listed: ListedCatalogue) -> str:
        """Return where the catalogue's file is, with a login that the address has."""
        return next(place for place in self._places if _source(place) == listed.source)


def _expanded(listed: str) -> list[str]:
    """Return the places of the files that an entry of the list names."""
    if listed == SHIPPED:
        own = Path(str(files("lovsvar_ingest"))) / "catalogues"
        return [str(path) for path in sorted(own.glob(f"*/{FILE}"))]
    return [] if listed == NONE else [_toml(listed)]


def _toml(place: str) -> str:
    """Return where the file of a catalogue is, for a place that may be its folder."""
    if is_http(place):
        return place if place.endswith(".toml") else f"{place.rstrip('/')}/{FILE}"
    path = folder(place)
    return str((path if path.suffix == ".toml" else path / FILE).absolute())


def _source(place: str) -> str:
    """Return a place in the form in which places are compared and shown: without a login."""
    return shown([normalised(place)]) if is_http(place) else place


def _items(place: str, definition: CatalogueDefinition) -> str:
    """Return the address of the items. Raises `CatalogueBroken` for one that leads out of the catalogue's folder."""
    items = definition.items
    if is_http(items):
        _checked(items, place)
        return items
    if "://" in items or items.lower().startswith(("file:", "data:")):
        raise CatalogueBroken(f"{_source(place)}: {OTHER_SCHEME}.")
    if is_http(place):
        return str(_checked(place, place).join(quote(items, safe="/%")))
    home = Path(place).parent
    try:
        inside = (home / items).resolve().is_relative_to(home.resolve())
    except (OSError, ValueError, RuntimeError):
        inside = False
    if not inside:
        raise CatalogueBroken(f"{_source(place)}: {OTHER_SCHEME}.")
    return str(home / items)


def _checked(address: str, place: str) -> httpx2.URL:
    try:
        url = httpx2.URL(address)
    except httpx2.InvalidURL as exc:
        raise CatalogueBroken(f"{_source(place)}: {shown([address])} er ikke en gyldig adresse.") from exc
    if not url.host:
        raise CatalogueBroken(f"{_source(place)}: adressen til tilbudene har ingen vert.")
    return url


def _refuse_large(path: Path, largest: int) -> None:
    try:
        size = path.stat().st_size
    except OSError as exc:
        raise SourceUnreachable(f"{path} kan ikke åpnes: {exc.strerror or exc}.") from exc
    if size > largest:
        raise SourceUnreadable(f"{path} er større enn {largest} byte.")


async def _unheard(so_far: int, total: int | None) -> None:
    """A catalogue's file is too small for progress."""
