"""Acts and provisions as resources (`lovdata://lov/1999-03-26-17/§3-5`), with completion of act names."""

import re
from collections.abc import Awaitable

from mcp.server import MCPServer
from mcp.server.mcpserver import ResourceSecurity
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp_types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from lovsvar_contracts.identifiers import is_announcement, section_key
from lovsvar_contracts.law import DocumentSummary, InForce, LawType
from lovsvar_contracts.listings import ListDocuments
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import ProvisionRef
from lovsvar_gateway.core.mcp import contents, result_text
from lovsvar_gateway.core.mcp.token_budget import MAX_TOKENS, show
from lovsvar_gateway.mcp.law import CachedLaw

MOST = 100  # values of one completion; the protocol allows no more

_TYPED = re.compile(r"^[\d-]+$")
_MEDIA_TYPE = "text/markdown"


def add(server: MCPServer, law: CachedLaw) -> None:
    """Add the resource templates and their completion to `server`."""

    @server.resource(
        "lovdata://{kind}/{number}",
        name="lov",
        title="Lov eller forskrift",
        mime_type=_MEDIA_TYPE,
        description="Innholdsfortegnelsen med tokens per paragraf: lovdata://lov/1999-03-26-17",
    )
    async def act(kind: str, number: str) -> str:
        return await _text(read_act(law, f"{kind}/{number}"))

    @server.resource(
        "lovdata://{kind}/{number}/{+section}",
        name="paragraf",
        title="Paragraf",
        mime_type=_MEDIA_TYPE,
        # A section's name holds no dots, and names nothing in a file system.
        security=ResourceSecurity(exempt_params=frozenset({"section"})),
        description="En bestemmelse i full tekst: lovdata://lov/1999-03-26-17/§3-5",
    )
    async def provision(kind: str, number: str, section: str) -> str:
        return await _text(read_provision(law, f"{kind}/{number}", section))

    @server.completion()  # type: ignore[no-untyped-call, untyped-decorator]  # mcp declares no types for it
    async def complete(
        ref: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        if not isinstance(ref, ResourceTemplateReference):
            return None
        chosen = dict((context.arguments if context else None) or {})
        return await completed(law, argument.name, argument.value, chosen)


async def read_act(law: CachedLaw, refid: str) -> str:
    """Return an act's table of contents as text. Raises `ProblemError`."""
    outline = await law.outline(refid)
    _, text = contents.lay_out(outline, MAX_TOKENS)
    stamp = await law.stamp(outline, sample=outline.document.sample)
    status = result_text.status(outline.document.in_force, outline.document.in_force_from)
    return result_text.with_stamp(f"{text}\n\nStatus: {status} · {outline.document.lovdata_url}", stamp)


async def read_provision(law: CachedLaw, refid: str, section: str) -> str:
    """Return a provision as text. Raises `ProblemError`."""
    try:
        read = await law.read((ProvisionRef(refid=refid, section=section),))
    except ProblemError as error:
        if error.problem.type is not ProblemType.NOT_FOUND or not section[:1].isdigit():
            raise
        read = await law.read((ProvisionRef(refid=refid, section=f"§{section}"),))
    found = read.provisions[0]
    stamp = await law.stamp(read, sample=found.sample)
    return result_text.with_stamp(result_text.provision(show(found, None, MAX_TOKENS)), stamp)


async def completed(law: CachedLaw, argument: str, value: str, chosen: dict[str, str]) -> Completion:
    """Return completions of the beginning `value`; "husleie" too gives 1999-03-26-17. Raises `ProblemError`."""
    if argument == "kind":
        return _first([kind.value for kind in LawType if kind.value.startswith(value.casefold())])
    if argument == "number":
        return await _numbers(law, value.strip(), chosen.get("kind"))
    if argument == "section" and {"kind", "number"} <= chosen.keys():
        try:
            outline = await law.outline(f"{chosen['kind']}/{chosen['number']}")
        except ProblemError as error:
            if error.problem.type is not ProblemType.NOT_FOUND:
                raise
            return _first([])
        lists = contents.all_entries(outline.provisions, outline.children)
        sections = [entry.section for entries in lists for entry in entries]
        key = section_key(value)
        return _first([one for one in sections if section_key(one).startswith((key, f"§{key}"))])
    return _first([])


def _first(values: list[str]) -> Completion:
    return Completion(values=values[:MOST], total=len(values), has_more=len(values) > MOST)


async def _numbers(law: CachedLaw, value: str, kind: str | None) -> Completion:
    law_type = LawType(kind) if kind in set(LawType) else None
    if not value or _TYPED.match(value):
        year = int(value[:4]) if len(value) >= 4 and value[:4].isdigit() and int(value[:4]) >= 1600 else None
        asked = ListDocuments(law_type=law_type, year=year, page_size=200)
    else:
        asked = ListDocuments(law_type=law_type, title=value[:200], page_size=200)
    reply = await law.documents(asked)
    documents = sorted(
        (one for one in reply.documents if not is_announcement(one.refid)), key=lambda one: _rank(one, value)
    )
    numbers = [one.refid.partition("/")[2] for one in documents]
    fitting = [number for number in numbers if not _TYPED.match(value) or number.startswith(value)]
    if value and not _TYPED.match(value):
        # An abbreviation ("aml") is in no title.
        named = [one for one in (await law.resolve(value)).matches if law_type in {None, one.law_type}]
        fitting = list(dict.fromkeys([*(one.refid.partition("/")[2] for one in named), *fitting]))
    more = len(fitting) > MOST or reply.total > len(reply.documents)
    return Completion(values=fitting[:MOST], total=max(len(fitting), min(reply.total, 10_000)), has_more=more)


def _rank(document: DocumentSummary, value: str) -> tuple[bool, bool, str]:
    begins = document.short_title.casefold().startswith(value.casefold())
    return (not begins, document.in_force is InForce.REPEALED, document.refid)


async def _text(reading: Awaitable[str]) -> str:
    try:
        return await reading
    except ProblemError as error:
        if error.problem.type is ProblemType.NOT_FOUND:
            raise ResourceNotFoundError(error.problem.detail) from error
        raise ResourceError(error.problem.detail) from error
