"""Telling on standard error what is going on: alive in a terminal, plain lines elsewhere."""

import sys
import time
from typing import Protocol

from lovsvar_contracts.ingest import SyncCompleted, SyncEvent, SyncFailed, SyncProgressed
from lovsvar_local.wording import clean, describe_sync

LINE_EVERY = 10.0
"""Seconds between the lines of one sync where nothing can be drawn over."""


class Progress(Protocol):
    """Somewhere to tell what is going on."""

    def say(self, line: str) -> None:
        """Tell something that stays."""

    def doing(self, what: str) -> None:
        """Tell what is going on now, until told otherwise; "" ends it."""

    def sync(self, event: SyncEvent) -> None:
        """Tell how far a sync has come."""

    def close(self) -> None:
        """Leave the terminal as it was."""


class PlainProgress:
    """Lines on standard error."""

    def __init__(self) -> None:
        self._next_line: dict[str, float] = {}

    def say(self, line: str) -> None:
        """Print the line."""
        print(clean(line), file=sys.stderr, flush=True)  # noqa: T201

    def doing(self, what: str) -> None:
        """Print it, when there is something."""
        if what:
            self.say(what)

    def sync(self, event: SyncEvent) -> None:
        """Print a line at the beginning, at the end, and now and then between."""
        now = time.monotonic()
        if isinstance(event, SyncProgressed) and now < self._next_line.get(event.sync_id, 0.0):
            return
        self._next_line[event.sync_id] = now + LINE_EVERY
        self.say(describe_sync(event))

    def close(self) -> None:
        """Nothing was drawn."""


class LiveProgress:
    """A spinner and bars below the lines that stay."""

    def __init__(self) -> None:
        # Imported here: most uses of the command draw nothing.
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TaskID, TextColumn
        from rich.progress import Progress as Bars

        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(bar_width=30))
        self._console = Console(stderr=True, highlight=False, markup=False)
        self._bars = Bars(*columns, console=self._console, transient=True)
        self._current: TaskID | None = None
        self._syncs: dict[str, TaskID] = {}
        self._bars.start()

    def say(self, line: str) -> None:
        """Print the line above what is drawn."""
        self._bars.print(clean(line), soft_wrap=True)

    def doing(self, what: str) -> None:
        """Show it beside a spinner."""
        if self._current is not None:
            self._bars.remove_task(self._current)
            self._current = None
        if what:
            self._current = self._bars.add_task(clean(what), total=None)

    def sync(self, event: SyncEvent) -> None:
        """Draw a bar; the end is a line that stays."""
        if isinstance(event, SyncCompleted | SyncFailed):
            if (task := self._syncs.pop(event.sync_id, None)) is not None:
                self._bars.remove_task(task)
            self.say(describe_sync(event))
            return
        task = self._syncs.get(event.sync_id)
        if task is None:
            task = self._syncs[event.sync_id] = self._bars.add_task("", total=None)
        self._bars.update(task, description=clean(describe_sync(event)))
        if isinstance(event, SyncProgressed):
            self._bars.update(task, completed=event.archive_bytes, total=event.total_bytes)

    def close(self) -> None:
        """Take away what is drawn."""
        self._bars.stop()


def make_progress() -> Progress:
    """Return the progress that fits standard error."""
    return LiveProgress() if sys.stderr.isatty() else PlainProgress()
