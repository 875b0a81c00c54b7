"""The guidance that is packaged with the agent."""

from functools import cache
from importlib.resources import files

from lovsvar_agent.core.guidance.library import Guidance
from lovsvar_agent.core.guidance.situations import parse_situations
from lovsvar_legaltext.explanations import parse_explanations

_DATA = files("lovsvar_agent").joinpath("data")


@cache
def read_guidance() -> Guidance:
    """Return what the files in `data/` say, read once; no explanations when their file is not there.

    Raises `BadSituations`, `BadExplanations`.
    """
    explanations = _DATA.joinpath("explanations.jsonl")
    return Guidance(
        parse_explanations(explanations.read_text(encoding="utf-8")) if explanations.is_file() else (),
        parse_situations(_DATA.joinpath("situations.toml").read_text(encoding="utf-8")),
    )
