"""Server-rendered pages: templates that escape, and headers that let nothing foreign in."""

from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

STATIC = Path(str(files("lovsvar_gateway").joinpath("static")))

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "img-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

_environment = Environment(
    loader=PackageLoader("lovsvar_gateway"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def render(
    template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """Return the page that `template` makes of `values`."""
    text = _environment.get_template(template).render(values)
    policy = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Referrer-Policy": "same-origin"}
    return HTMLResponse(text, status_code=status, headers={**(headers or {}), **policy})
