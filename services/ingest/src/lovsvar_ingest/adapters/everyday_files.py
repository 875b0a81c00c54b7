"""The everyday questions that the package brings: `everyday/*.tsv`."""

from importlib.resources import files

from lovsvar_ingest.core.everyday import EverydayQuestion, parse_everyday

FOLDER = "everyday"


def read_everyday() -> list[EverydayQuestion]:
    """Return them in the order of the files' names. Raises `EverydayDataBroken`."""
    found = sorted(files("lovsvar_ingest").joinpath(FOLDER).iterdir(), key=lambda file: file.name)
    return parse_everyday({file.name: file.read_text(encoding="utf-8") for file in found if file.name.endswith(".tsv")})
