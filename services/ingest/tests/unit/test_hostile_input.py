"""Hostile documents among good ones: each is read or refused with a reason, in bounded time; the good are read."""

import time
from collections.abc import Callable
from datetime import date

import pytest

from lovsvar_ingest.core.archive import ArchiveFile, Batch
from lovsvar_ingest.core.lovdata_reader import LovdataReader

TODAY = date(2026, 11, 21)

LAUGHS = '<!DOCTYPE html [<!ENTITY a "ha">' + "".join(
    f'<!ENTITY {chr(n + 1)} "{f"&{chr(n)};" * 10}">' for n in range(ord("a"), ord("j"))
)


@pytest.fixture
def read(make_page: Callable[..., bytes]) -> Callable[..., Batch]:
    """Read a hostile document between two good ones; see that these are read, and that it does not take long."""

    def read(hostile: bytes) -> Batch:
        good = [make_page("<p>god</p>", refid=f"lov/2999-01-02-{n}") for n in (1, 2)]
        names = {"nl/1.xml": good[0], "nl/hostile.xml": hostile, "nl/2.xml": good[1]}
        began = time.process_time()
        batches = list(LovdataReader().batches([ArchiveFile(n, c, 0) for n, c in names.items()], "test", TODAY))
        assert time.process_time() - began < 10
        whole = Batch([d for b in batches for d in b.documents], [s for b in batches for s in b.skipped])
        assert {"lov/2999-01-02-1", "lov/2999-01-02-2"} <= {d.header.refid for d in whole.documents}
        return whole

    return read


def with_dtd(page: bytes, dtd: str) -> bytes:
    return page.replace(b"<!DOCTYPE html>", dtd.encode())


@pytest.mark.parametrize(
    ("dtd", "reason"),
    [
        (f"{LAUGHS}]>", "entit"),
        ('<!DOCTYPE html [<!ENTITY j SYSTEM "file:///etc/passwd">]>', "XML-entiteter"),
        ('<!DOCTYPE html [<!ENTITY j SYSTEM "http://127.0.0.1:9/">]>', "XML-entiteter"),
        ('<!DOCTYPE html [<!ENTITY % j SYSTEM "http://127.0.0.1:9/"> %j;]>', "XML"),
    ],
    ids=["billion-laughs", "file", "address", "parameter-entity"],
)
def test_entities_are_refused_and_the_rest_is_read(
    read: Callable[..., Batch], make_page: Callable[..., bytes], dtd: str, reason: str
) -> None:
    [skipped] = read(with_dtd(make_page("<p>&j;</p>"), dtd)).skipped
    assert skipped.file == "nl/hostile.xml"
    assert reason in skipped.reason


def test_a_document_of_ten_megabytes_is_read_whole(read: Callable[..., Batch], make_page: Callable[..., bytes]) -> None:
    paragraphs = "".join(f"<p>Avsnitt {n} {'ord ' * 2500}</p>" for n in range(1000))
    batch = read(make_page(paragraphs))
    assert not batch.skipped
    text = " ".join(section.text for section in batch.documents[1].sections)
    assert (text.count("Avsnitt"), text.count("ord")) == (1000, 2_500_000)


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-1"])
def test_bytes_that_are_no_utf_8_are_refused_unless_the_document_says_what_they_are(
    read: Callable[..., Batch], make_page: Callable[..., bytes], encoding: str
) -> None:
    page = f'<?xml version="1.0" encoding="{encoding}"?>'.encode() + make_page("<p>b?t</p>").replace(b"b?t", b"b\xe5t")
    batch = read(page)
    assert [skipped.file for skipped in batch.skipped] == (["nl/hostile.xml"] if encoding == "utf-8" else [])
    assert encoding == "utf-8" or "båt" in batch.documents[1].sections[0].text


def test_nesting_beyond_what_is_read_is_refused_with_a_reason(
    read: Callable[..., Batch], make_page: Callable[..., bytes]
) -> None:
    for depth in (300, 100_000):
        [skipped] = read(make_page("<div>" * depth + "</div>" * depth)).skipped
        assert "XML" in skipped.reason
