"""Errors of the practice service.

PracticeError            base
├── NotConfigured        no search provider is set up
├── KeyRefused           the provider does not accept the key
└── Unavailable          the provider cannot be reached, is overloaded, or answers what cannot be read
"""


class PracticeError(Exception):
    """Base of everything that this service raises on purpose. Its words are Norwegian: users read them."""


class NotConfigured(PracticeError):
    """No search provider is set up. Remedy: set `SERPER_API_KEY` and restart the service."""


class KeyRefused(PracticeError):
    """The provider does not accept the key. Remedy: put a valid one in `SERPER_API_KEY` and restart the service."""


class Unavailable(PracticeError):
    """The provider gave no usable answer, also after retries. Remedy: try again later."""
