"""The contracts can be used by who has nothing but pydantic."""

import subprocess
import sys

PROGRAM = """
import importlib, pkgutil, sys
before = set(sys.modules)
import pydantic, pydantic.main, pydantic.type_adapter
import lovsvar_contracts
for module in pkgutil.iter_modules(lovsvar_contracts.__path__):
    importlib.import_module(f"lovsvar_contracts.{module.name}")
loaded = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(loaded - sys.stdlib_module_names))
"""

ALLOWED = {
    "lovsvar_contracts",
    "pydantic",
    "pydantic_core",
    "annotated_types",
    "typing_extensions",
    "typing_inspection",
}


def test_importing_every_module_loads_nothing_beside_pydantic() -> None:
    done = subprocess.run([sys.executable, "-I", "-c", PROGRAM], capture_output=True, check=True, text=True, timeout=60)
    loaded = {name for name in done.stdout.split() if not name.startswith("_")}
    assert "lovsvar_contracts" in loaded
    assert loaded <= ALLOWED
