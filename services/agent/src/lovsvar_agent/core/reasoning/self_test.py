"""Whether a model can search by itself: a call that it has to make, and a quote that it has to copy.

A model that cannot is better asked once, with what a search for the question found.
"""

import json

from lovsvar_agent.core.ports import LanguageModel, Request
from lovsvar_agent.core.proof import find
from lovsvar_agent.core.reasoning import prompts
from lovsvar_agent.core.reasoning.arguments import read_object
from lovsvar_agent.core.reasoning.conversation import Conversation
from lovsvar_agent.core.reasoning.final import calls_in_text, whole_final_of
from lovsvar_agent.core.reasoning.replies import Call, Reply, ReplyBuilder
from lovsvar_agent.core.reasoning.untrusted_text import fenced
from lovsvar_agent.core.tools.answer_form import ANSWER_SCHEMA, DEFINITION
from lovsvar_agent.core.tools.law_search import LAW_SEARCH

MAX_TOKENS = 2_000
"""Tokens of a reply; a model that thinks may need them."""

WANTED = "Søk etter regler om båtpant. Kall search_lovdata_legal_documents nå."
QUESTION = "Hvor mye kan båteieren kreve i pant?"
SOURCE = (
    "Båteieren kan kreve at låntakeren stiller pant. Pantet kan være på høyst fire ukers båtleie.\n"
    "Pantet settes på en konto som ingen av dem rår over alene."
)
TELLING = "fire ukers båtleie"
"""Without these words a quote of the source does not answer the question."""


async def can_search(model: LanguageModel) -> bool:
    """Return whether `model` calls a tool and answers from its result by a quote. Raises `ProblemError`."""
    tools = (LAW_SEARCH.definition, DEFINITION)
    conversation = Conversation(prompts.system("nb"), WANTED)
    called = await _reply(model, Request(conversation.fitted(10_000), tools, calls=True, max_tokens=MAX_TOKENS))
    calls = called.calls or calls_in_text(called, {LAW_SEARCH.name})
    made = next((c for c in calls if c.name == LAW_SEARCH.name), None)
    arguments = read_object(made.arguments) if made else None
    if made is None or not arguments or not arguments.get("query"):
        return False
    conversation = Conversation(prompts.system("nb"), QUESTION)
    shown = fenced(SOURCE, id="lovdata-1", navn="Båtleieloven § 3-2")
    conversation.call("", Call(made.name, json.dumps(arguments)), arguments, shown)
    asked = Request(conversation.fitted(10_000), tools, ANSWER_SCHEMA, max_tokens=MAX_TOKENS)
    final = whole_final_of(await _reply(model, asked))
    quotes = [claim.quote for claim in final.claims if claim.evidence_id == "lovdata-1"] if final else []
    return any(find(quote, SOURCE) and TELLING in quote for quote in quotes)


async def _reply(model: LanguageModel, request: Request) -> Reply:
    builder = ReplyBuilder()
    async for chunk in model.reply(request):
        builder.add(chunk)
    return builder.build()
