"""Forms that pages send: their fields, and whether a page of this site sent them."""

from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.requests import Request

from lovsvar_gateway.access import origin_host


async def read_fields(request: Request) -> Mapping[str, str]:
    """Return the fields of the form that was sent; none where there are more than any form has."""
    body = (await request.body()).decode(errors="replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=80, errors="replace"))
    except ValueError:
        return {}


def from_elsewhere(request: Request) -> bool:
    """Return whether a page of another site sent the form. Without TLS a browser sends the origin alone."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        return site not in ("same-origin", "none")
    return origin is not None and origin_host(origin) != request.headers.get("host")
