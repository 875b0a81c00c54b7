"""The server with every tool, resource and prompt, what a failed call answers with, and its address `/mcp`."""

import logging
from typing import Any

import structlog
from fastapi import FastAPI
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import ValidationError
from starlette.routing import Route

from lovsvar_chassis.problems import problem_from
from lovsvar_contracts.problems import ProblemError
from lovsvar_gateway.access import MCP
from lovsvar_gateway.adapters.cases import CaseDesk
from lovsvar_gateway.adapters.runs import CallerRuns
from lovsvar_gateway.adapters.services import Services
from lovsvar_gateway.adapters.syncs import Syncs
from lovsvar_gateway.core.access import Scope
from lovsvar_gateway.core.errors import PROBLEMS, GatewayError, MissingScope
from lovsvar_gateway.core.phrases import describe
from lovsvar_gateway.http_guards import MAX_BODY
from lovsvar_gateway.mcp import ask_tool, guide, resources
from lovsvar_gateway.mcp.calls import CHANGES, READ_ONLY, TOOL_SCOPES, Unanswerable, check, refusal, with_caller
from lovsvar_gateway.mcp.case_tools import CaseTools
from lovsvar_gateway.mcp.in_force_tools import InForceTools
from lovsvar_gateway.mcp.law import CachedLaw
from lovsvar_gateway.mcp.law_tools import LawTools
from lovsvar_gateway.mcp.operator_tools import OperatorTools
from lovsvar_gateway.mcp.product_tools import ProductTools
from lovsvar_gateway.mcp.reference_tools import ReferenceTools
from lovsvar_gateway.mcp.search_tools import SearchTools

log = structlog.get_logger()


class LawServer(MCPServer[Any]):
    """An MCP server whose failures are Norwegian sentences that a model can act on."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; what it cannot answer is an error result that says what to do instead."""
        if unknown := self._unknown(name, arguments):
            return refusal(unknown)
        try:
            check(TOOL_SCOPES.get(name, Scope.READ))
            return await super().call_tool(name, arguments, context)
        except MissingScope as error:
            return refusal(f"{error} Be den som driver tjenesten om en nøkkel som har den.")
        except ToolError as error:
            return refusal(self._reason(name, error))

    def _unknown(self, name: str, arguments: dict[str, Any]) -> str:
        """Return which arguments the tool does not have; a filter that is passed over would not be noticed."""
        tool = next((one for one in self._tool_manager.list_tools() if one.name == name), None)
        known = tool.parameters.get("properties", {}) if tool else arguments
        unknown = [argument[:60] for argument in arguments if argument not in known][:5]
        has = ", ".join(known) or "ingen"
        return f"{name} har ikke argumentet {', '.join(unknown)}. Det har: {has}." if unknown else ""

    def _reason(self, name: str, error: ToolError) -> str:
        cause = error.__cause__
        if isinstance(cause, Unanswerable):
            return str(cause)
        if isinstance(cause, ValidationError):
            # Its places begin with the argument; those that `describe` reads, with where it stood.
            wrong = [{**one, "loc": ("arguments", *one["loc"])} for one in cause.errors()]
            return f"Feil argumenter til {name}: {describe(wrong)[0]}"
        if isinstance(cause, ProblemError | GatewayError):
            problem = problem_from(cause, PROBLEMS)
            return f"{problem.detail} (Kan prøves igjen.)" if problem.retryable else problem.detail
        if cause is None:
            names = ", ".join(sorted(tool.name for tool in self._tool_manager.list_tools()))
            return f"Verktøyet {name[:60]} finnes ikke. Disse finnes: {names}."
        log.error("tool failed", tool=name, exc_info=cause)
        return "Noe gikk galt hos oss. Feilen er loggført."


def make_server(services: Services, runs: CallerRuns, syncs: Syncs, cases: CaseDesk, version: str) -> LawServer:
    """Return the server with everything that the product offers."""
    server = LawServer(
        "lovsvar",
        title="Lovsvar: norsk lov og forskrift",
        description="Norske lover og forskrifter fra Lovdatas åpne data, med kontrollerte henvisninger.",
        instructions=guide.INSTRUCTIONS,
        version=version,
        # Nothing that is listed changes while the server runs, so that there is nothing to listen for.
        subscriptions=False,
        middleware=[with_caller],
    )
    law = CachedLaw(services)
    reading, search, references = LawTools(law), SearchTools(law), ReferenceTools(law)
    products = ProductTools(law)
    working = CaseTools(cases)
    in_force, operating = InForceTools(law), OperatorTools(law, syncs)
    searches_web = READ_ONLY.model_copy(update={"open_world_hint": True})
    for title, tool, annotations in (
        ("Slå opp i en lov", reading.lov, READ_ONLY),
        ("Slå opp i en forskrift", reading.forskrift, READ_ONLY),
        ("Hent flere paragrafer", reading.hent_flere, READ_ONLY),
        ("Sjekk størrelse", reading.sjekk_storrelse, READ_ONLY),
        ("Søk i lover og forskrifter", search.sok, READ_ONLY),
        ("List lover og forskrifter", search.liste, READ_ONLY),
        ("Finn definisjoner", search.definisjoner, READ_ONLY),
        ("Finn rettspraksis", search.finn_praksis, searches_web),
        ("Finn tilbud som kan hjelpe", products.search_products, READ_ONLY),
        ("Valider henvisninger", references.valider_henvisning, READ_ONLY),
        ("Formater henvisning", references.formater_henvisning, READ_ONLY),
        ("Sjekk om noe er gjeldende", in_force.sjekk_gjeldende, READ_ONLY),
        ("Finn kunngjøringer", in_force.kunngjoringer, READ_ONLY),
        ("Finn EØS-grunnlaget", in_force.eos_grunnlag, READ_ONLY),
        ("Vis status", operating.status, READ_ONLY),
        ("Oppdater samlingen", operating.sync, searches_web.model_copy(update={"read_only_hint": False})),
        ("List saker", working.list_cases, READ_ONLY),
        ("Opprett en sak", working.open_case, CHANGES),
        ("Les en sak", working.get_case_details, READ_ONLY),
        ("Oppdater en sak", working.update_case_details, CHANGES),
        ("Slå opp en part", working.get_party_id_by_name, READ_ONLY),
        ("Sjekk kvoten", working.check_quota, READ_ONLY),
        ("Be om hjelp fra brukerstøtten", working.create_support_ticket, CHANGES),
        ("Les et dokument i en sak", working.read_case_document, READ_ONLY),
        ("Søk i dokumentene i en sak", working.search_case_documents, READ_ONLY),
        ("Kontroller et sitat", working.verify_document_quote, READ_ONLY),
        ("List maler", working.list_draft_templates, READ_ONLY),
        ("Skriv et utkast av en mal", working.write_draft_by_template, CHANGES),
        ("Lag et utkast som PDF", working.generate_draft_pdf, CHANGES),
    ):
        server.add_tool(tool, title=title, annotations=annotations)
    ask_tool.add(server, law, runs)
    resources.add(server, law)
    guide.add(server)
    return server


def mount(app: FastAPI, server: MCPServer[Any]) -> None:
    """Add `server` to `app` at `MCP`; its session manager must run while `app` serves.

    It is streamable HTTP without sessions, so that any replica answers any request, and a route, since a mount would
    cost a redirect a call. `access.py` checks keys, hosts and origins.
    """
    logging.getLogger("mcp").setLevel(logging.WARNING)
    inner = server.streamable_http_app(
        streamable_http_path=MCP,
        stateless_http=True,
        max_request_body_size=MAX_BODY,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    # POST alone: without sessions, a stream that is opened by GET would stay silent.
    for route in inner.routes:
        if isinstance(route, Route):
            app.router.routes.append(Route(MCP, route.endpoint, methods=["POST"]))
