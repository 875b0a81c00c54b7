"""The definitions of tiers and the texts about them, which the service is shipped with."""

import tomllib
from importlib.resources import files
from typing import Any

from lovsvar_cases.core.tiers import TierDefinitions, TierTranslations


def read_tiers() -> TierDefinitions:
    """Return the definitions in `data/tiers.toml`."""
    return TierDefinitions.model_validate(_read("tiers.toml"))


def read_case_texts() -> TierTranslations:
    """Return the texts in `data/case_texts.toml`, by language."""
    return TierTranslations.model_validate(_read("case_texts.toml"))


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files("lovsvar_cases").joinpath("data", name).read_text("utf-8"))
