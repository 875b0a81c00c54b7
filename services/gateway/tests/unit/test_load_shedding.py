"""What is refused from the bytes that came in, and what is looked at."""

import tracemalloc

import pytest

from lovsvar_chassis.problems import busy
from lovsvar_contracts.problems import ProblemError
from lovsvar_gateway.adapters.services import Bulkhead
from lovsvar_gateway.load_shedding import Shedder

PEER = "10.0.0.7"
SEARCH = b"GET /v1/search?q=a HTTP/1.1\r\nHost: lov\r\n\r\n"


class Busy(Bulkhead):
    """One that refuses everybody."""

    has_room = False

    def check(self, share: str) -> None:
        raise ProblemError(busy(3))


def crowded(*headers: tuple[bytes, bytes]) -> Shedder:
    """Return one whose services are busy, and that has seen who sends these `headers`."""
    shedder = Shedder(lambda _: Busy(1))
    with pytest.raises(ProblemError):
        shedder.check({"path": "/v1/search", "headers": list(headers), "client": (PEER, 1)}, "his")
    return shedder


def test_who_is_known_is_refused_at_once_and_told_when_to_ask_again() -> None:
    head, _, body = (crowded().refusal(SEARCH, PEER) or b"").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert b"\r\nRetry-After: 3\r\n" in head
    assert f"content-length: {len(body)}".encode() in head
    assert b'"retryable":true' in body


@pytest.mark.parametrize(
    "data",
    [
        b"GET /healthz HTTP/1.1\r\nHost: lov\r\n\r\n",
        b"POST /v1/search HTTP/1.1\r\nHost: lov\r\n\r\n",
        b"GET /v1/search?q=a HTTP/1.0\r\nHost: lov\r\n\r\n",
        SEARCH[:-2],
        SEARCH + SEARCH,
        *(
            SEARCH.replace(b"\r\n\r\n", b"\r\n" + header + b"\r\n\r\n")
            for header in (
                b"Origin: https://lov.example",
                b"accept: text/html",
                b"Connection: close",
                b"Content-Length: 3",
                b"Authorization: Bearer another",
                b"X-Forwarded-For: 10.9.9.9",
            )
        ),
    ],
)
def test_anything_else_is_looked_at(data: bytes) -> None:
    assert crowded().refusal(data, PEER) is None


def test_a_key_is_known_by_what_it_sends() -> None:
    shedder = crowded((b"authorization", b"Bearer his"))
    assert shedder.refusal(SEARCH, PEER) is None
    assert shedder.refusal(SEARCH.replace(b"Host", b"Authorization: Bearer his\r\nHost"), PEER)


def test_what_is_remembered_of_a_sender_is_short_whatever_it_sends() -> None:
    bulkhead = Bulkhead(1)
    shedder = Shedder(lambda _: bulkhead)
    tracemalloc.start()
    try:
        for number in range(200):
            sent = [(name, b"%d" % number + b"x" * 20_000) for name in (b"authorization", b"x-forwarded-for")]
            shedder.check({"path": "/v1/search", "headers": sent, "client": (PEER, 1)}, "his")
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()


def test_where_there_is_room_nobody_is_refused() -> None:
    bulkhead = Bulkhead(1)
    shedder = Shedder(lambda _: bulkhead)
    shedder.check({"path": "/v1/search", "headers": [], "client": (PEER, 1)}, "his")
    assert shedder.refusal(SEARCH, PEER) is None
