"""The port that the gateway is to listen on: found free, and kept from others until the gateway has it."""

import errno
import socket
import sys

from lovsvar_local.errors import PortBusy


class ReservedPort:
    """A port on `host`: the wanted one, or a free one when None is wanted. `close` gives it back.

    On Linux a socket that is bound and does not listen keeps the port from outgoing connections until the gateway
    listens. Elsewhere it would block the gateway, so that the port is only found.
    """

    def __init__(self, host: str, wanted: int | None) -> None:
        """Raises `PortBusy`."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._socket = socket.socket(family, socket.SOCK_STREAM)
        # As the gateway does: lingering connections of an earlier one do not count.
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind((host, wanted or 0))
            self.number = int(self._socket.getsockname()[1])
        except OSError as exc:
            self.close()
            reasons = {
                errno.EADDRINUSE: "et annet program bruker den",
                errno.EACCES: "den krever rettigheter du ikke har",
            }
            reason = reasons.get(exc.errno or 0) or exc.strerror
            raise PortBusy(f"Port {wanted} på {host} kan ikke brukes: {reason}. Velg en annen med --port.") from exc
        if sys.platform != "linux":
            self.close()

    def close(self) -> None:
        """Give the port back."""
        self._socket.close()
