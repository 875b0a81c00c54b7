"""A result as JSON on standard output. Apart from `display`, which is slower to load."""

import sys

from pydantic import BaseModel


def show_json(model: BaseModel) -> None:
    """Print `model` as the one JSON object of this command, at once."""
    sys.stdout.buffer.write(model.model_dump_json().encode() + b"\n")
    sys.stdout.buffer.flush()
