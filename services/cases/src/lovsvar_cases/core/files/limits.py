"""How large a document may be, and how long reading it may take."""

from lovsvar_contracts.message import Frozen


class Limits(Frozen):
    """Limits of one document. The reader's process is ended at `seconds`, and has `memory` bytes of addresses."""

    size: int = 20 * 2**20
    unpacked: int = 200 * 2**20
    pages: int = 200
    letters: int = 2_000_000
    seconds: float = 120.0
    memory: int = 2 * 2**30
    pixels: int = 50_000_000

    @property
    def ocr_seconds(self) -> float:
        """Seconds after which no further page is read by OCR, so that those that were read are not lost."""
        return self.seconds * 0.7
