"""A tool that another service carries out.

What the service says is foreign text: it is shown between marks, without tags and addresses, and its sources can be
quoted like excerpts of a search. Sentences that ask for something are left out of it, but for what is said about the
case of the run: in a case, somebody's demand is what it is about.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable

from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning.arguments import Misunderstood
from lovsvar_agent.core.reasoning.conversation import estimated_tokens
from lovsvar_agent.core.reasoning.prose import plain_excerpt, plain_line, plain_text, plain_title
from lovsvar_agent.core.reasoning.tool_results import DATA_NOTE, excerpts, shortened
from lovsvar_agent.core.reasoning.untrusted_text import defused, fenced
from lovsvar_agent.core.run import patiently
from lovsvar_agent.core.source_kinds.kind import SourceKind
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.tool import Found, Tool, event_of_call, plainly
from lovsvar_contracts.questions import QuestionAsked
from lovsvar_contracts.tools import CallTool, OfferedTool, ToolReply

MAX_ERROR = 300
"""Characters that are used of an error, of a schema or of a service."""

FAILED = "Prøv på en annen måte, eller svar ut fra det du har."


def remote_tool(offered: OfferedTool, ask: Callable[[CallTool], Awaitable[ToolReply]]) -> Tool:
    """Return `offered` as a tool that `ask` carries out. Raises `ValueError` when its parameters are no JSON schema."""
    try:
        Draft202012Validator.check_schema(offered.parameters)
    except (SchemaError, RecursionError) as exc:
        raise ValueError("its parameters are no JSON schema") from exc
    # Without a registry of its own, a validator would fetch schemas that a schema refers to.
    validator = Draft202012Validator(offered.parameters, registry=Registry())
    kinds = {source.name: SourceKind(source.name, label=plain_line(source.label)) for source in offered.sources}

    plain = plain_text if offered.needs_grant else plain_excerpt

    async def call(law: LawAccess, given: Mapping[str, Any]) -> Found:
        _check(validator, given)
        asked = law.asked
        request = CallTool(
            event_id=event_of_call(law.call),
            name=offered.name,
            arguments=dict(given),
            run_id=asked.run_id,
            correlation_id=asked.correlation_id,
            locale=asked.locale,
            filters=asked.filters,
            grant=asked.grant,
        )
        # The same message again is the same call, so that a service that is away for a moment costs nothing.
        reply = _plain(await patiently(law.limits, partial(ask, request)), kinds, plain)
        if reply.status == "error":
            raise Misunderstood(f"Verktøyet meldte en feil: «{reply.text[:MAX_ERROR]}». {FAILED}")
        found = reply.sources or reply.text
        return Found(
            result=reply if found else None,
            sources=tuple((kinds[source.source], (source,)) for source in reply.sources),
            said=() if found and reply.status == "success" else (f"{offered.name} fant ingenting. {FAILED}",),
            count=len(reply.sources) or int(bool(reply.text)),
        )

    tool = Tool(
        name=offered.name,
        title=plain_line(offered.title),
        description=defused(offered.description),
        parameters=offered.parameters,
        call=call,
        show=partial(_show, kinds),
        finds=tuple(kinds.values()),
        asks=(lambda _, __: object()) if offered.repeatable else (lambda _, given: plainly(given)),
        acts=True,
    )

    async def with_grant(asked: QuestionAsked) -> Tool | None:
        return tool if asked.grant is not None else None

    return replace(tool, offered=with_grant) if offered.needs_grant else tool


def _check(validator: Draft202012Validator, given: Mapping[str, Any]) -> None:
    """Raise `Misunderstood` when arguments do not follow the tool's schema, or the schema cannot be followed."""
    try:
        error = best_match(validator.iter_errors(given))
    except (Unresolvable, RecursionError) as exc:
        raise Misunderstood(f"Verktøyet kan ikke brukes. {FAILED}") from exc
    if error is not None:
        where = f"{error.json_path.removeprefix('$.')}: " if error.path else ""
        raise Misunderstood(f"Argumentene passer ikke med verktøyets skjema ({where}{error.message[:MAX_ERROR]}).")


def _plain(reply: ToolReply, kinds: Mapping[str, SourceKind], plain: Callable[[str], str]) -> ToolReply:
    """Return a reply made `plain`, without sources that the tool did not say it finds."""
    sources = (
        one.model_copy(update={"title": plain_title(one.title) or one.source, "snippet": plain_excerpt(one.snippet)})
        for one in reply.sources
        if one.source in kinds
    )
    return reply.model_copy(update={"text": _plain_words(reply.text, plain), "sources": tuple(sources)})


def _plain_words(text: str, plain: Callable[[str], str]) -> str:
    """Return text made plain; each text of JSON by itself, for all of JSON may look like one sentence."""
    try:
        if isinstance(data := json.loads(text), dict | list):
            return json.dumps(_each(data, plain), ensure_ascii=False)
    except (ValueError, RecursionError):
        pass
    return str(_each(text, plain)).strip()


def _each(data: Any, plain: Callable[[str], str]) -> Any:
    """Return JSON data with every line of its texts made plain."""
    if isinstance(data, str):
        return "\n".join(plain(line) for line in data.splitlines())
    if isinstance(data, dict):
        return {_each(key, plain): _each(value, plain) for key, value in data.items()}
    return [_each(value, plain) for value in data] if isinstance(data, list) else data


def _show(
    kinds: Mapping[str, SourceKind], reply: ToolReply, sources: EvidenceRegistry, tokens: int
) -> tuple[str, bool]:
    """Return the text of a reply in half the room at most, and then its sources."""
    shown, cut = [], False
    if reply.text:
        text = shortened(reply.text, tokens // 2 if reply.sources else tokens)
        shown.append(fenced(text, type="svar fra et verktøy"))
        cut = text != reply.text
    if reply.sources:
        found = (sources.of(kinds[source.source], source) for source in reply.sources)
        body, left_out = excerpts(found, sources, tokens - sum(map(estimated_tokens, shown)))
        shown.append(body)
        cut = cut or left_out
    else:
        shown.insert(0, DATA_NOTE)
    if reply.page < reply.pages:
        shown.append(f"Side {reply.page} av {reply.pages}. Resten: kall på nytt med page={reply.page + 1}.")
    return "\n".join(shown), cut or reply.page < reply.pages
