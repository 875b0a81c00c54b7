"""Errors of the agent service.

AgentError               base
├── RunStopped           the run was closed or taken by another agent
├── AskTimeout           a run did not end while its asker waited
├── HandedOver           a run waits for a person
└── LimitReached         a run came to one of its limits

ProblemError             of the contracts
└── Misread              the model's server answers, but cannot read the conversation or its model's reply
"""

from lovsvar_contracts.problems import ProblemError


class AgentError(Exception):
    """Base of everything that this service raises on purpose."""


class RunStopped(AgentError):
    """The run was closed or taken over meanwhile. Remedy: write nothing more to it."""


class AskTimeout(AgentError):
    """A run did not end while its asker waited. Remedy: read the run's events later; it goes on."""


class HandedOver(AgentError):
    """A run waits for the person or for the support. Remedy: ask its model no more, and tell what is waited for."""


class LimitReached(AgentError):
    """A run came to a limit. Remedy: answer from what it has. `limit` names it as `run.limit_reached` does."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


class Misread(ProblemError):
    """The model's server could not read the conversation, or what its own model wrote. Remedy: ask without tools."""
