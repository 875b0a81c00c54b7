"""Types of settings that compose files and files of secrets pass on as text, or as nothing."""

from typing import Annotated, TypeVar

from pydantic import BeforeValidator
from pydantic_settings import NoDecode

T = TypeVar("T")


def _none_if_empty(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _split(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


NoneIfEmpty = Annotated[T | None, BeforeValidator(_none_if_empty)]
"""A value, or None for an empty variable or file: compose files pass unset variables on as empty."""

CommaSeparated = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_split)]
"""Texts with commas between."""
