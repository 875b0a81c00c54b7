"""The parser's fuzzer, for a few seconds; `fuzz/fuzz_markup.py` says what it looks for and how to run it longer."""

import subprocess
import sys
from pathlib import Path

import pytest

FUZZER = Path(__file__).parents[2] / "fuzz/fuzz_markup.py"


def test_the_fuzzer_finds_nothing_in_three_hundred_runs(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris has wheels for Linux on x86-64 alone")
    run = subprocess.run(
        [sys.executable, str(FUZZER), "-runs=300", "-seed=17", f"-artifact_prefix={tmp_path}/"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert "Done 300 runs" in run.stderr
