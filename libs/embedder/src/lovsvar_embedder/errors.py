"""Errors of embedders.

EmbedderError               base
├── EmbedderUnavailable     it cannot be reached, or is too busy
└── TextRefused             it refuses a text
"""


class EmbedderError(Exception):
    """Base of what embedders raise on purpose. The words are Norwegian: people read them."""


class EmbedderUnavailable(EmbedderError):
    """The embedder cannot be reached, is too busy, or refuses our key. Remedy: try again later."""


class TextRefused(EmbedderError):
    """The embedder refuses one of the texts. Remedy: leave that text out."""
