"""The embedder that the settings choose by name: that of the module `<name>_embedder`, of which nobody else knows."""

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Protocol, cast

import lovsvar_embedder
from lovsvar_embedder.embedder import Embedder

if TYPE_CHECKING:
    from lovsvar_embedder.settings import EmbedderSettings

SUFFIX = "_embedder"

OFF = "off"


def names() -> tuple[str, ...]:
    """Return what `LOVSVAR_EMBEDDING` may be."""
    modules = [module.name for module in iter_modules(lovsvar_embedder.__path__)]
    return (*(name.removesuffix(SUFFIX) for name in modules if name.endswith(SUFFIX)), OFF)


class EmbedderModule(Protocol):
    """What a module of an embedder has. What takes long to load it imports when the embedder is made, or starts."""

    def model_name(self, settings: "EmbedderSettings") -> str:
        """Return the name under which vectors of its model are stored."""

    def make(self, settings: "EmbedderSettings", *, one_at_a_time: bool) -> Embedder:
        """Return the embedder, not yet started."""


def chosen(settings: "EmbedderSettings") -> EmbedderModule | None:
    """Return the module of the embedder; None when embedding is off."""
    if settings.embedding == OFF:
        return None
    return cast(EmbedderModule, import_module(f"{lovsvar_embedder.__name__}.{settings.embedding}{SUFFIX}"))


def make_embedder(settings: "EmbedderSettings", *, one_at_a_time: bool = False) -> Embedder | None:
    """Return the embedder, not yet started; None when embedding is off.

    With `one_at_a_time` all threads work on one text, for the shortest latency; else each on its own, for throughput.
    """
    module = chosen(settings)
    return module.make(settings, one_at_a_time=one_at_a_time) if module else None
