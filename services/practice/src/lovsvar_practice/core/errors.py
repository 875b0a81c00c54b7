"""Errors of the practice service.

PracticeError            base
├── NotConfigured        no search provider is set up
├── InvalidQuery         nothing is left of a query that could be searched for
├── KeyRefused           the provider does not accept the key
├── SearchRefused        the provider does not accept the search
├── BudgetSpent          today's searches are used up
├── Paused               the provider has failed so often that it gets no requests for a while
└── Unavailable          the provider cannot be reached, is overloaded, or sends an unreadable reply
"""


class PracticeError(Exception):
    """Base of everything that this service raises on purpose. Its words are Norwegian: users read them."""


class NotConfigured(PracticeError):
    """No search provider is set up. Remedy: set `SERPER_API_KEY` and restart the service."""


class InvalidQuery(PracticeError):
    """Nothing is left of a query that could be searched for. Remedy: search for words."""


class KeyRefused(PracticeError):
    """The provider does not accept the key. Remedy: put a valid one in `SERPER_API_KEY` and restart the service."""


class SearchRefused(PracticeError):
    """The provider does not accept the search, and would not the next time. Remedy: word it otherwise."""


class BudgetSpent(PracticeError):
    """Today's searches are used up. Remedy: wait for the next day, or raise `LOVSVAR_PRACTICE_DAILY_BUDGET`."""


class Paused(PracticeError):
    """The provider has failed again and again and is not asked for a while. Remedy: try again later."""


class Unavailable(PracticeError):
    """The provider gave no usable answer, also after retries. Remedy: try again later."""
