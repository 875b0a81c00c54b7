"""What a command prints: progress on standard error, drawn in a terminal, and its result on standard output."""

import sys
import time
from typing import TYPE_CHECKING

from pydantic import BaseModel

from lovsvar_contracts.ingest import SyncCompleted, SyncEvent, SyncFailed, SyncProgressed
from lovsvar_local.json_output import show_json
from lovsvar_local.phrases import clean, describe_sync

if TYPE_CHECKING:
    from rich.progress import TaskID

DOING = "doing"

LINE_EVERY = 10.0
"""Seconds between the lines of one sync outside a terminal."""


class Progress:
    """What is going on, as lines on standard error; with `as_json` the result is one JSON object."""

    def __init__(self, *, as_json: bool = False) -> None:
        self.as_json = as_json
        self._next_line: dict[str, float] = {}

    def say(self, line: str) -> None:
        """Print a line that stays."""
        print(clean(line), file=sys.stderr, flush=True)  # noqa: T201

    def doing(self, what: str) -> None:
        """Show what is going on until the next call; "" ends it."""
        if what:
            self.say(what)

    def sync(self, event: SyncEvent, *, tell_failure: bool = True) -> None:
        """Show how far a sync has come. Without `tell_failure` its failure is left to the caller to show."""
        now = time.monotonic()
        if isinstance(event, SyncFailed) and not tell_failure:
            return
        if isinstance(event, SyncProgressed) and now < self._next_line.get(event.sync_id, 0.0):
            return
        self._next_line[event.sync_id] = now + LINE_EVERY
        self.say(describe_sync(event))

    def result(self, result: BaseModel, text: str | None = None) -> None:
        """Close, and print `result` on standard output: as JSON, as `text`, or without that as its page."""
        self.close()
        if self.as_json:
            show_json(result)
        elif text is None:
            from lovsvar_local import display  # slow to load

            display.show(result)
        elif text:
            print(text)  # noqa: T201

    def close(self) -> None:
        """Leave the terminal as it was; more may be shown later."""


class LiveProgress(Progress):
    """A spinner and bars below the lines that stay, drawn only while something goes on."""

    def __init__(self, *, as_json: bool = False) -> None:
        super().__init__(as_json=as_json)
        # Imported here: most uses of the command draw nothing.
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn
        from rich.progress import Progress as Bars

        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(bar_width=30))
        self._bars = Bars(*columns, console=Console(stderr=True, highlight=False, markup=False), transient=True)
        self._drawn: dict[str, TaskID] = {}

    def say(self, line: str) -> None:
        """Print the line above what is drawn."""
        self._bars.console.print(clean(line), soft_wrap=True)

    def doing(self, what: str) -> None:
        """Show it next to a spinner."""
        self._draw(DOING, what) if what else self._erase(DOING)

    def sync(self, event: SyncEvent, *, tell_failure: bool = True) -> None:
        """Draw a bar; the end is a line that stays."""
        if isinstance(event, SyncCompleted | SyncFailed):
            self._erase(event.sync_id)
            if tell_failure or isinstance(event, SyncCompleted):
                self.say(describe_sync(event))
            return
        task = self._draw(event.sync_id, describe_sync(event))
        if isinstance(event, SyncProgressed):
            self._bars.update(task, completed=event.archive_bytes, total=event.total_bytes)

    def close(self) -> None:
        """Remove what is drawn."""
        for name in list(self._drawn):
            self._erase(name)

    def _draw(self, name: str, what: str) -> "TaskID":
        task = self._drawn.get(name)
        if task is None:
            self._bars.start()
            task = self._drawn[name] = self._bars.add_task(clean(what), total=None)
        self._bars.update(task, description=clean(what))
        return task

    def _erase(self, name: str) -> None:
        task = self._drawn.pop(name, None)
        if task is not None:
            self._bars.remove_task(task)
        if not self._drawn:
            self._bars.stop()


def make_progress(*, as_json: bool = False) -> Progress:
    """Return the progress that fits standard error."""
    return (LiveProgress if sys.stderr.isatty() else Progress)(as_json=as_json)
