"""Payments, as a provider reports them. The signature says who sent a report, so that no key is needed."""

from typing import Annotated, Any

from fastapi import APIRouter, Body, Header, Request

from lovsvar_chassis.problems import problem
from lovsvar_contracts import case_credit, subjects
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_gateway.parts import GatewayParts
from lovsvar_gateway.trace_headers import correlation_id

router = APIRouter(tags=["cases"])

MAX_REPORT = 20_000


@router.post("/v1/payments/webhook")
async def receive_payment(
    request: Request,
    parts: GatewayParts,
    webhook_id: Annotated[str, Header(min_length=1, max_length=200)],
    webhook_timestamp: Annotated[str, Header(min_length=1, max_length=40)],
    webhook_signature: Annotated[str, Header(min_length=1, max_length=2_000)],
    report: Annotated[dict[str, Any] | None, Body()] = None,
) -> case_credit.PaymentReceipt:
    """Receive a report that a case is paid (Standard Webhooks, `payment.succeeded`).

    Its `data` has `case_id` and `tier`. A report that is delivered again, signed anew, changes nothing. 422 for a wrong
    signature or an old report, 409 for the very same report again.
    """
    try:
        # The signature is of the bytes as they came.
        body = (await request.body()).decode()
    except UnicodeDecodeError as exc:
        raise ProblemError(problem(ProblemType.INVALID_REQUEST, "Meldingen er ikke UTF-8.")) from exc
    if len(body) > MAX_REPORT:
        raise ProblemError(problem(ProblemType.TOO_LARGE, "Meldingen om betaling er for stor."))
    received = case_credit.ReceivePayment(
        webhook_id=webhook_id,
        webhook_timestamp=webhook_timestamp,
        webhook_signature=webhook_signature,
        body=body,
        correlation_id=correlation_id(),
    )
    return await parts.cases.send(subjects.CASES_PAYMENT, received, case_credit.PaymentReceipt)
