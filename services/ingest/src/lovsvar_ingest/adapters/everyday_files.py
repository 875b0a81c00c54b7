"""The everyday questions that the package brings: `everyday/*.tsv`."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from lovsvar_ingest.core.everyday import EverydayQuestion, parse_everyday

FOLDER = "everyday"


def read_everyday(folder: Traversable | None = None) -> list[EverydayQuestion]:
    """Return those of `folder`, the package's when it is None, by the files' names. Raises `EverydayDataBroken`."""
    folder = folder or files("lovsvar_ingest").joinpath(FOLDER)
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return parse_everyday({file.name: file.read_text(encoding="utf-8") for file in found if file.name.endswith(".tsv")})
