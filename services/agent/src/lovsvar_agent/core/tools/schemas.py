"""Parts of the JSON schemas of tools."""

from typing import Any


def text(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "description": description, **more}


def number(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a whole number."""
    return {"type": "integer", "description": description, **more}


def record(required: tuple[str, ...], **properties: Any) -> dict[str, Any]:
    """Return the schema of an object with these properties and no others."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


DOCUMENT = text("Lovens eller forskriftens navn, forkortelse eller refid, eller id-en til et treff («lovdata-1»).")
SECTION = text("Paragrafen, for eksempel «§ 3-5».")
