"""Errors of the one-machine launcher and the `lovsvar` command.

CommandError              base: a Norwegian sentence for the person at the terminal, and an exit code
├── BadArgument           what was typed cannot be used                                  exit 2
│   └── BadQuestions      a file of questions cannot be read, or a line of it is wrong
├── CannotStart           the system cannot run on this machine or in this folder        exit 3
│   ├── FolderUnusable    the data folder cannot be written, is full, or is another's
│   ├── PortBusy          another program listens where the gateway was to listen
│   ├── ServerDidNotStart an embedded server did not start
│   └── KeepsDying        a service ends again and again soon after its start
├── AlreadyRunning        another `lovsvar` owns the data folder                         exit 4
└── NotDone               what was asked for was not done, for the reason given          exit 1

`lovsvar.client.ClientError`, from the gateway, ends a command too, with exit 1: `FAILURES` are both.
"""

from typing import ClassVar

from lovsvar.client import ClientError
from lovsvar_local import exits


class CommandError(Exception):
    """Base of everything that ends a command on purpose. `str(error)` is the sentence to show."""

    exit_code: ClassVar[int] = exits.PROBLEM
    problem_type: ClassVar[str] = "internal"


class BadArgument(CommandError):
    """What was typed cannot be used. Remedy: the sentence says what would."""

    exit_code = exits.USAGE
    problem_type = "invalid-request"


class BadQuestions(BadArgument):
    """A file of questions cannot be used. Remedy: the sentence names the file, the line and what is wrong there."""


class CannotStart(CommandError):
    """The system cannot run here. Remedy: the sentence names the folder, port or program in the way."""

    exit_code = exits.CANNOT_START
    problem_type = "unavailable"


class FolderUnusable(CannotStart):
    """The data folder cannot be used. Remedy: name another by `--data-dir`, or make room."""


class PortBusy(CannotStart):
    """Another program listens on the port. Remedy: name another by `--port`."""


class ServerDidNotStart(CannotStart):
    """An embedded server did not start. Remedy: its words, in the message, say what it lacked."""


class KeepsDying(CannotStart):
    """A service ends soon after each start. Remedy: its last words, in the message, say why."""


class AlreadyRunning(CommandError):
    """Another `lovsvar` owns the data folder. Remedy: use the running one, stop it, or use another folder."""

    exit_code = exits.ALREADY_RUNNING
    problem_type = "conflict"


class NotDone(CommandError):
    """What was asked for was not done. Remedy: in the sentence."""

    problem_type = "unavailable"


FAILURES = (CommandError, ClientError)
"""What ends a command in a sentence: what it found itself, and what came of asking the gateway."""
