"""The templates that come with the service."""

from collections.abc import Mapping
from importlib.resources import files

from lovsvar_cases.core.drafts.templates import Template, read_template


def read_templates() -> Mapping[str, Template]:
    """Return all templates by their ids. Raises `ValueError` for a file that is none, which a test finds."""
    found: dict[str, Template] = {}
    for path in sorted(files("lovsvar_cases").joinpath("templates").iterdir(), key=lambda one: one.name):
        if path.name.endswith(".md"):
            template = read_template(path.read_text(encoding="utf-8"))
            if path.name != f"{template.template_id}.md":
                raise ValueError(f"{path.name} holds the template {template.template_id}")
            found[template.template_id] = template
    return found
