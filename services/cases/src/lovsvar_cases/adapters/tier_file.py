"""The definitions of tiers, which the service is shipped with."""

import tomllib
from importlib.resources import files

from lovsvar_cases.core.tiers import TierDefinitions


def read_tiers() -> TierDefinitions:
    """Return the definitions in `data/tiers.toml`."""
    return TierDefinitions.model_validate(
        tomllib.loads(files("lovsvar_cases").joinpath("data", "tiers.toml").read_text("utf-8"))
    )
