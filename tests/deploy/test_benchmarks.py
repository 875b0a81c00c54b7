"""Benchmarks are run by hand: what they import from the services must exist all the same."""

import importlib
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
LEARNING = {"certainty", "train_adapter", "train_ranker"}  # need packages that nothing else does


@pytest.mark.parametrize("name", sorted({file.stem for file in BENCHMARKS.glob("*.py")} - LEARNING))
def test_a_benchmark_can_be_imported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    before = set(sys.modules)
    importlib.import_module(name)
    for imported in set(sys.modules) - before:
        if getattr(sys.modules[imported], "__file__", None) == str(BENCHMARKS / f"{imported}.py"):
            del sys.modules[imported]
