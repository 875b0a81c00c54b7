"""Choosing how questions are answered by trying the model out, in the background."""

import asyncio

import structlog

from lovsvar_agent.core.ports import LanguageModel
from lovsvar_agent.core.reasoning.self_test import can_search
from lovsvar_chassis.tasks import Background
from lovsvar_contracts.problems import ProblemError
from lovsvar_contracts.questions import Mode

log = structlog.get_logger()

TEST_SECONDS = 180.0
"""A model that takes longer for two short replies is too slow to search by itself."""

FIRST_PAUSE = 5.0
LONGEST_PAUSE = 300.0
"""Seconds between two tries of a server that cannot be reached."""


class ModeChoice(Background):
    """A part: start, stop. `mode` is `direct` until the model was `tested` and has shown that it can search."""

    def __init__(self, model: LanguageModel, pause: float = FIRST_PAUSE) -> None:
        self.mode = Mode.DIRECT
        self.tested = asyncio.Event()
        self._model = model
        self._pause = pause

    async def _run(self) -> None:
        while not self.tested.is_set():
            try:
                async with asyncio.timeout(TEST_SECONDS):
                    passed = await can_search(self._model)
            except TimeoutError:
                passed = False
            except ProblemError as exc:
                log.warning("the model could not be tried out", problem=exc.problem.detail, again_in=self._pause)
                await asyncio.sleep(self._pause)
                self._pause = min(2 * self._pause, LONGEST_PAUSE)
                continue
            self.mode = Mode.AGENT if passed else Mode.DIRECT
            self.tested.set()
            log.info("the model was tried out", model=self._model.name, mode=self.mode.value)
