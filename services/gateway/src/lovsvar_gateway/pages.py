"""Server-rendered pages: templates that escape, phrases in three languages, headers that allow no foreign content."""

import gzip
import hashlib
import math
import tomllib
from collections.abc import Mapping
from datetime import UTC, date, datetime, tzinfo
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from lovsvar_gateway.core.english_titles import english_title
from lovsvar_gateway.core.offer_form import offer_link
from lovsvar_gateway.core.quotes import dialled, has_several_ledd, is_item, quote_lines, site, without_dash
from lovsvar_gateway.core.steps import EVENT_TYPES, name_of
from lovsvar_gateway.core.typography import beginning, keep_whole, printed
from lovsvar_legaltext.language import language_of as language_of_text
from lovsvar_rendering.renderer import in_context

LANGUAGES: Mapping[str, str] = {"nb": "Bokmål", "nn": "Nynorsk", "en": "English"}
COOKIE = "lovsvar-language"
PARAMETER = "lang"
PHRASES = ("phrases.toml", "case_phrases.toml")
SCRIPT = "js_"  # begins the name of every phrase that scripts say

STATIC = Path(str(files("lovsvar_gateway").joinpath("static")))

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
VARY = "Accept-Encoding, Cookie"


try:
    NORWAY: tzinfo = ZoneInfo("Europe/Oslo")
except ZoneInfoNotFoundError:  # a system without a database of time zones
    NORWAY = UTC

_MADE_BY = sorted(path for folder in ("static", "templates") for path in (STATIC.parent / folder).iterdir())
RELEASE = hashlib.blake2s(b"".join(path.read_bytes() for path in _MADE_BY), digest_size=6).hexdigest()
"""A hash of the templates, styles and scripts."""

_YEAR_SECONDS = 365 * 24 * 3600

_environment = Environment(
    loader=PackageLoader("lovsvar_gateway"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.globals |= {
    "release": RELEASE,
    "event_types": " ".join(EVENT_TYPES),
    "in_context": in_context,
    "quote_lines": quote_lines,
    "is_item": is_item,
    "has_several_ledd": has_several_ledd,
}
_environment.filters["source_name"] = name_of
_environment.filters["whole"] = keep_whole
_environment.filters |= {
    "beginning": beginning,
    "in_english": english_title,
    "dialled": dialled,
    "printed": printed,
    "site": site,
    "offer_link": offer_link,
    "without_dash": without_dash,
}
_environment.filters["number"] = lambda number: f"{number:,}".replace(",", "\N{NO-BREAK SPACE}")


@cache
def phrases() -> Mapping[str, Mapping[str, str]]:
    """Return every phrase by its name, in each of `LANGUAGES`."""
    texts = (STATIC.parent.joinpath(name).read_text(encoding="utf-8") for name in PHRASES)
    return {name: phrase for text in texts for name, phrase in tomllib.loads(text).items()}


class Phrases:
    """The pages' words in one language."""

    def __init__(self, language: str) -> None:
        """`language` is one of `LANGUAGES`."""
        self.language = language

    def __call__(self, name: str, /, **values: object) -> str:
        """Return the phrase `name`, filled with `values`. Raises `KeyError` when there is none."""
        phrase = phrases()[name][self.language]
        return phrase.format_map(values) if values else phrase

    def get(self, name: str) -> str:
        """Return the phrase `name`, "" when there is none."""
        return phrases().get(name, {}).get(self.language, "")

    def duration(self, ms: float) -> str:
        """Return a time: whole milliseconds, or from one second on seconds with one decimal."""
        if ms < 1_000:
            return self("js_milliseconds", n=round(ms))
        seconds = f"{ms / 1_000:.1f}"
        return self("js_seconds", n=seconds if self.language == "en" else seconds.replace(".", ","))

    def moment(self, moment: datetime) -> str:
        """Return a date and a time of day, as clocks in Norway show it."""
        there = moment.astimezone(NORWAY)
        return f"{self.day(there.date())}, {there:%H:%M}"

    def size(self, size: int) -> str:
        """Return a size in bytes as people say it."""
        number = f"{size / 1_000_000:.1f}" if size >= 1_000_000 else f"{math.ceil(size / 1_000)}"
        return f"{number if self.language == 'en' else number.replace('.', ',')} {'MB' if size >= 1_000_000 else 'kB'}"

    def day(self, day: date) -> str:
        """Return a date; in English with the month in letters, since digits are read in two orders."""
        return f"{day.day} {day:%B %Y}" if self.language == "en" else f"{day:%d.%m.%Y}"

    def for_scripts(self, *names: str) -> dict[str, str]:
        """Return the phrases that scripts use, and `names`, unfilled."""
        said = {n.removeprefix(SCRIPT): p[self.language] for n, p in phrases().items() if n.startswith(SCRIPT)}
        return {**said, **{name: self(name) for name in names}}


def language_of(request: Request, question: str = "") -> str:
    """Return the language of the address, else the one chosen last, else that of the `question`, else bokmål."""
    asked = request.query_params.get(PARAMETER) or request.cookies.get(COOKIE, "")
    return asked if asked in LANGUAGES else language_of_text(question)


class Static(StaticFiles):
    """Styles and scripts, compressed where the client accepts it, and immutable under this release's address."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file, or 304."""
        release, _, rest = path.partition("/")
        named = release == RELEASE
        response = await super().get_response(rest if named else path, scope)
        response.headers["Cache-Control"] = "max-age=31536000, immutable" if named else "no-cache"
        response.headers["Vary"] = "Accept-Encoding"
        if named and isinstance(response, FileResponse) and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            kept = {name: response.headers[name] for name in ("Cache-Control", "Content-Type", "Vary")}
            return Response(_compressed(Path(response.path)), headers={**kept, "Content-Encoding": "gzip"})
        return response


@cache
def _compressed(path: Path) -> bytes:
    return gzip.compress(path.read_bytes(), mtime=0)


def show(
    request: Request, template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """Return the page that `template` makes of `values`, in the reader's language, which is remembered if chosen.

    A reader who chose none has the language of the question that was asked, if the page shows one.
    """
    about = values.get("asked") or values.get("answer")
    language = language_of(request, about.question if about else "")
    addresses = {code: "?" + request.url.include_query_params(**{PARAMETER: code}).query for code in LANGUAGES}
    values |= {"t": Phrases(language), "languages": addresses, "names": LANGUAGES}
    sent = {"Cache-Control": "no-cache", "Vary": "Cookie", **(headers or {})}
    sent |= {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Referrer-Policy": "same-origin"}
    page = HTMLResponse(_environment.get_template(template).render(values), status_code=status, headers=sent)
    if request.query_params.get(PARAMETER) in LANGUAGES:
        page.set_cookie(COOKIE, language, max_age=_YEAR_SECONDS, samesite="lax", httponly=True)
    return page


def compress(request: Request, page: HTMLResponse) -> HTMLResponse:
    """Return a long page, compressed where the client accepts it."""
    if "gzip" in request.headers.get("accept-encoding", ""):
        page.body = gzip.compress(page.body, compresslevel=4)
        page.headers["Content-Encoding"] = "gzip"
        page.headers["Content-Length"] = str(len(page.body))
    page.headers["Vary"] = VARY
    return page
