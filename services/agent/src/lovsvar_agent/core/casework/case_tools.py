"""The tools of a case's work that are the agent's own: `consult_reasoner`, since the models are its, and `ask_user`.

A run has its own of them: what they do is counted and told in that run.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from lovsvar_agent.core.casework import prompts
from lovsvar_agent.core.casework.own_tools import ASK_USER, CONSULT
from lovsvar_agent.core.evidence import EvidenceRegistry
from lovsvar_agent.core.reasoning import arguments as read
from lovsvar_agent.core.reasoning.arguments import Misunderstood
from lovsvar_agent.core.reasoning.tool_results import shortened
from lovsvar_agent.core.tools.law_access import LawAccess
from lovsvar_agent.core.tools.tool import Found, Tool, parameters, text
from lovsvar_contracts.run_events import ReasonerConsulted

MAX_SUMMARY = 6_000
MAX_QUESTION = 1_000

Consults = Callable[[str, str, str], Awaitable[ReasonerConsulted]]
Asks = Callable[[str, str], Awaitable[str]]


def consult_tool(consult: Consults) -> Tool:
    """Return the tool by which the assistant asks the reasoner."""

    async def call(law: LawAccess, given: Mapping[str, Any]) -> Found:
        if given.get("case_id") not in (None, "", law.asked.case_id):
            raise Misunderstood(f"Samtalen gjelder saken {law.asked.case_id}, og ingen annen.")
        summary = read.required(given, "context_summary", MAX_SUMMARY)
        question = read.required(given, "specific_question", MAX_QUESTION)
        found = await consult(law.call[1], summary, question)
        if found.status == "error":
            result = {"status": "error", "error_message": found.error_message}
            raise Misunderstood(json.dumps(result, ensure_ascii=False))
        return Found(result=found, count=1)

    return Tool(
        name=CONSULT,
        title="Spør fagmodellen om råd",
        description="Spør fagmodellen, en erfaren advokat, om strategi, hva som mangler, om funnene holder, eller "
        "planen for et utkast. Den ser saken uten navn og kildene du har funnet. Rådet er ikke en kilde.",
        parameters=parameters(
            ("context_summary", "specific_question"),
            case_id=text("Sakens id."),
            context_summary=text("Hva saken gjelder nå, og hva som er nytt, i noen setninger."),
            specific_question=text("Ett bestemt spørsmål."),
        ),
        call=call,
        show=_show_advice,
        finds=(),
        acts=True,
    )


def _show_advice(found: ReasonerConsulted, _: EvidenceRegistry, tokens: int) -> tuple[str, bool]:
    shown = shortened(found.response, tokens)
    return prompts.advised(shown), shown != found.response


def ask_tool(ask: Asks) -> Tool:
    """Return the tool by which the assistant asks the person."""

    async def call(law: LawAccess, given: Mapping[str, Any]) -> Found:
        return Found(said=(await ask(law.call[1], read.required(given, "question", MAX_QUESTION)),), count=1)

    return Tool(
        name=ASK_USER,
        title="Stiller et spørsmål til deg",
        description="Still brukeren ett klart spørsmål om noe bare brukeren vet, når det trengs for å gå videre. Saken "
        "venter så på svaret. Spør aldri om navn, numre eller adresser.",
        parameters=parameters(("question",), question=text("Spørsmålet, slik brukeren skal lese det.")),
        call=call,
        show=lambda _, __, ___: ("", False),
        finds=(),
        acts=True,
    )
