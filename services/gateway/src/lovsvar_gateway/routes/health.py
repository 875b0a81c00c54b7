"""Whether the gateway lives, whether it is ready, and what is stored."""

import asyncio
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from lovsvar_chassis.problems import problem
from lovsvar_contracts.catalogues import is_shown
from lovsvar_contracts.health import ServiceHealth
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.search import CorpusStatus
from lovsvar_gateway.access import needs
from lovsvar_gateway.core.access import Scope
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.problems import respond

router = APIRouter(tags=["health"])


class Alive(BaseModel):
    """The process runs."""

    status: Literal["alive"] = "alive"


class Ready(BaseModel):
    """Questions are answered."""

    status: Literal["ready"] = "ready"
    services: dict[str, str]
    details: dict[str, ServiceHealth] = Field(
        default_factory=dict, description="What each service that answers says of itself and its components."
    )


@router.get("/healthz")
async def alive() -> Alive:
    """Say that the process runs."""
    return Alive()


@router.get("/readyz", response_model=Ready)
async def ready(request: Request, parts: GatewayParts) -> Ready | Response:
    """Say whether questions are answered, and if not, what is missing."""
    services, details = await parts.services.healths()
    if missing := [f"{name} ({services[name]})" for name in parts.services.missing(services)]:
        not_ready = problem(ProblemType.NOT_READY, f"Ikke klar: {', '.join(missing)}.")
        return respond(request, not_ready, services=services, details=details)
    return Ready(services=services, details=details)


@router.get("/v1/status", response_model=CorpusStatus, dependencies=[needs(Scope.READ)])
async def read_status(request: Request, parts: GatewayParts) -> CorpusStatus | Response:
    """Read what is stored, and how each service is; the latter also when the former cannot be had."""
    services, status = await asyncio.gather(parts.services.states(), parts.law.status(), return_exceptions=True)
    if isinstance(services, BaseException):
        raise services
    if isinstance(status, ProblemError):
        return respond(request, status.problem, services=services)
    if isinstance(status, BaseException):
        raise status
    seen = (one for one in status.catalogues if is_shown(one, parts.caller.catalogues))
    return status.model_copy(update={"services": services, "catalogues": tuple(seen)})
