"""A few acts, whose names are read out of texts."""

import pytest
from hypothesis import HealthCheck, settings

from lovsvar_legaltext.act_names import ActNames
from lovsvar_testkit.acts import example_names

# How long an example takes says something of the machine, and nothing of the code.
settings.register_profile("lovsvar-legaltext", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lovsvar-legaltext")


@pytest.fixture
def names() -> ActNames:
    return example_names()
