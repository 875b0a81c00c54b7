"""A wire between a client and a server, which a test cuts and mends."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

_CHUNK = 64 * 1024


class Wire:
    """A TCP way to the server at an address. While it is cut, whoever comes is refused, and nobody stays connected."""

    def __init__(self, url: str) -> None:
        """`url` is the server's, `http://host:port`."""
        at = urlsplit(url)
        self._server = (at.hostname or "127.0.0.1", at.port or 80)
        self._lock = threading.Lock()
        self._ends: set[socket.socket] = set()
        self._listener = self._listen(0)
        self._port = int(self._listener.getsockname()[1])

    @property
    def url(self) -> str:
        """The address at which the server is reached by this wire."""
        return f"http://127.0.0.1:{self._port}"

    def cut(self) -> None:
        """Break every connection, and take no new one until `mend`."""
        with self._lock:
            self._listener.close()
            for end in self._ends:
                # Closing alone would leave the thread that reads from it waiting.
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Take connections again, at the same address."""
        self._listener = self._listen(self._port)

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        # A listener closed by another thread wakes nobody who waits in it.
        listener.settimeout(0.05)
        while True:
            try:
                near, _ = listener.accept()
            except TimeoutError:
                continue
            except OSError:
                return
            near.settimeout(None)
            threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        with near, contextlib.suppress(OSError), socket.create_connection(self._server) as far:
            with self._lock:
                self._ends |= {near, far}
            back = threading.Thread(target=_carry, args=(far, near), daemon=True)
            back.start()
            _carry(near, far)
            back.join()
        with self._lock:
            self._ends = {end for end in self._ends if end.fileno() >= 0}


def _carry(source: socket.socket, target: socket.socket) -> None:
    """Carry what comes until either side ends; then both do."""
    with contextlib.suppress(OSError):
        while data := source.recv(_CHUNK):
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def wire_to(url: str) -> Iterator[Wire]:
    """Lay a wire to the server at `url`, and take it away behind the block."""
    wire = Wire(url)
    try:
        yield wire
    finally:
        wire.cut()
