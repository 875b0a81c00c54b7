"""Errors of the practice service.

PracticeError            base
└── NotConfigured        no search provider is set up
"""


class PracticeError(Exception):
    """Base of everything that this service raises on purpose."""


class NotConfigured(PracticeError):
    """No search provider is set up. Remedy: set `SERPER_API_KEY` and restart the service."""
