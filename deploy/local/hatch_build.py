"""What the `lovsvar` command is installed with: every service of the workspace, besides what `pyproject.toml` names."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Services(MetadataHookInterface):
    """Names each folder of `services/` as a dependency, so that a new one is found without being listed here."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the dependencies."""
        services = (Path(self.root).parents[1] / "services").glob("*/pyproject.toml")
        names = sorted(f"lovsvar-{file.parent.name}" for file in services)
        metadata["dependencies"] = [*names, *self.config["dependencies"]]
