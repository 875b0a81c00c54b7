"""Waiting for an embedded server: real processes, which end at the wrong moment."""

import sys
from pathlib import Path

import pytest

from lovsvar_local.embedded.server import EmbeddedServer
from lovsvar_local.errors import ServerDidNotStart


class Maker(EmbeddedServer):
    """Runs one command that makes something, ends, and is ready when it ended well."""

    name = "Maker"

    def __init__(self, log: Path, code: str) -> None:
        super().__init__(log)
        self._code = code

    def start(self) -> str:
        process = self._spawn([sys.executable, "-c", self._code])
        asked = 0

        def ready() -> bool:
            nonlocal asked
            asked += 1
            if asked == 1:
                process.wait()
                return False
            return process.returncode == 0

        self._wait_until(ready, 10.0)
        return "made"

    def _answered(self) -> bool:
        return True


def test_a_process_that_ends_well_just_after_it_was_asked_has_done_its_work(tmp_path: Path) -> None:
    assert Maker(tmp_path / "log", "print('done')").start() == "made"


def test_a_process_that_ends_badly_did_not_start_and_its_last_words_say_why(tmp_path: Path) -> None:
    with pytest.raises(ServerDidNotStart, match="no space"):
        Maker(tmp_path / "log", "import sys; sys.exit('no space')").start()
