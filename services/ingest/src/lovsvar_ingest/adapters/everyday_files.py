"""The everyday questions that the package ships: `everyday/*.tsv`."""

from fnmatch import fnmatch
from importlib.resources import files
from importlib.resources.abc import Traversable

from lovsvar_ingest.core.everyday import EverydayQuestion, parse_everyday

FOLDER = "everyday"


def read_everyday(folder: Traversable | None = None, names: str = "*.tsv") -> list[EverydayQuestion]:
    """Return the questions of the files of `folder` (the package's if None) that match `names`, by file name.

    Raises `EverydayDataBroken`.
    """
    folder = folder or files("lovsvar_ingest").joinpath(FOLDER)
    found = sorted(folder.iterdir(), key=lambda file: file.name)
    return parse_everyday({file.name: file.read_text(encoding="utf-8") for file in found if fnmatch(file.name, names)})
