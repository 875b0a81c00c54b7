"""Tier, credit and payment of a case: what decides whether work on it begins."""

from collections.abc import Mapping
from typing import Any, Protocol

from pydantic import Field, ValidationError

from lovsvar_cases.core.casefile import CaseFile, ChangeBody, Step
from lovsvar_cases.core.casework import check_open
from lovsvar_cases.core.errors import Forged, InvalidUpdate, OperatorsOnly, Refused, Replayed
from lovsvar_cases.core.phases import PhaseStep, after
from lovsvar_cases.core.ports import Books, CaseStore, CreditStore
from lovsvar_cases.core.tiers import TierDefinitions, description_of, proposed_tier
from lovsvar_contracts.case_credit import (
    PaymentReceipt,
    Quota,
    ReadQuota,
    ReceivePayment,
    SetSubscription,
    SetTier,
    Subscription,
)
from lovsvar_contracts.case_details import CaseTier, Phase
from lovsvar_contracts.cases import Actor, ActorKind, Case, CaseAction
from lovsvar_contracts.message import Frozen, Token

SYSTEM = Actor(kind=ActorKind.SYSTEM)


async def set_tier(request: SetTier, store: CaseStore, definitions: TierDefinitions) -> Case:
    """Decide the tier of a case, and let work begin when a credit or a payment covers it.

    Raises `InvalidUpdate`, whose words ask for what is missing, when the rules cannot say.
    """

    async def decide(file: CaseFile, _: Books) -> Step:
        check_open(file)
        tier, reason = request.tier, request.reason
        if tier is None:
            proposal = proposed_tier(description_of(file.state.details), definitions)
            if proposal.tier is None:
                raise InvalidUpdate(f"Beskrivelsen sier for lite til å bestemme nivået. {proposal.reason}")
            tier, reason = proposal.tier, proposal.reason
        covered = file.state.entitled and tier <= (file.state.tier or 0)
        phase = file.state.phase if covered else after(PhaseStep.SET_TIER, file.state)
        body = ChangeBody(phase=phase, tier=tier, tier_reason=reason, entitled=covered)
        return Step(CaseAction.TIER_SET, body)

    await store.change(request.actor, request.case_id, request.request_id, decide)
    return (await settle(request.actor, request.case_id, f"{request.request_id[:48]}-settled", store)).shown()


async def settle(actor: Actor, case_id: str, request_id: str, store: CaseStore, *, official: bool = False) -> CaseFile:
    """Begin the work on a case that waits for credit or payment and has it now; else have it wait for payment.

    May be done again at any time: a case uses one credit.
    """

    async def decide(file: CaseFile, books: Books) -> Step | None:
        state = file.state
        if state.phase not in {Phase.QUOTA, Phase.PAYMENT} or state.tier is None:
            return None
        if await books.is_paid(file.case_id, state.tier):
            body = ChangeBody(phase=after(PhaseStep.PAY, state), entitled=True)
            return Step(CaseAction.PAYMENT_RECEIVED, body)
        if (await books.credit(file.account, state.tier, file.case_id)).suffices:
            body = ChangeBody(phase=after(PhaseStep.USE_CREDIT, state), entitled=True)
            return Step(CaseAction.CREDIT_USED, body, debit=state.tier)
        if state.phase is Phase.PAYMENT:
            return None
        return Step(CaseAction.PAYMENT_AWAITED, ChangeBody(phase=after(PhaseStep.AWAIT_PAYMENT, state)))

    return await store.change(actor, case_id, request_id, decide, official=official)


def account_of(actor: Actor, *, for_organisation: bool) -> str:
    """Return whose credit an actor uses. Raises `Refused` for an organisation that the key is not of."""
    if not for_organisation:
        return f"key:{actor.name}"
    if actor.organisation is None:
        raise Refused("Nøkkelen hører ikke til noen organisasjon.")
    return f"org:{actor.organisation}"


async def read_quota(request: ReadQuota, accounts: CreditStore) -> Quota:
    """Return the credit of an account."""
    account = account_of(request.actor, for_organisation=request.for_organisation)
    found = await accounts.quota(account, request.tier)
    return Quota(account=account, tier=request.tier, has_quota=found.suffices, left=found.left, ends=found.ends)


async def subscribe(request: SetSubscription, accounts: CreditStore) -> Subscription:
    """Store what an account gets in a period. Raises `OperatorsOnly`."""
    if not request.actor.operator:
        raise OperatorsOnly
    if request.ends < request.starts:
        raise Refused("Perioden slutter før den begynner.")
    await accounts.subscribe(request)
    given = {str(tier): number for tier, number in request.credits.items()}
    return Subscription(account=request.account, starts=request.starts, ends=request.ends, credits=given)


class Verifier(Protocol):
    """Checks the signature of a webhook."""

    def __call__(self, body: str, headers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the content of a webhook. Raises `Forged`."""


class Paid(Frozen):
    """What a provider says of a payment."""

    case_id: Token
    tier: CaseTier
    currency: str = Field(default="NOK", max_length=3)
    amount: int = Field(default=0, ge=0, description="In the currency's smallest unit.")


PAID = "payment.succeeded"


async def receive_payment(
    request: ReceivePayment, verify: Verifier, accounts: CreditStore, store: CaseStore
) -> PaymentReceipt:
    """Note a payment once, and let the work on its case begin.

    A provider that does not know whether it was heard delivers again, signed anew: that changes nothing. The very same
    message again is a replay. Raises `Forged`, `Replayed` and `UnknownCase`.
    """
    content = verify(
        request.body,
        {
            "webhook-id": request.webhook_id,
            "webhook-timestamp": request.webhook_timestamp,
            "webhook-signature": request.webhook_signature,
        },
    )
    if content.get("type") != PAID:
        return PaymentReceipt(status="ignored")
    try:
        paid = Paid.model_validate(content.get("data"))
    except ValidationError:
        raise Forged("Meldingen om betaling nevner ikke en sak og et nivå.") from None
    before = await accounts.add_payment(request.webhook_id, request.webhook_timestamp, paid.case_id, paid.tier)
    if before == request.webhook_timestamp:
        raise Replayed("Denne meldingen er mottatt før.")
    await settle(SYSTEM, paid.case_id, f"paid-{_token(request.webhook_id)}", store, official=True)
    return PaymentReceipt(status="accepted" if before is None else "already_received", case_id=paid.case_id)


def _token(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum())[:50]
