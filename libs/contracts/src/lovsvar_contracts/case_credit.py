"""Tiers of cases, the credit that they use, and payments."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from lovsvar_contracts.case_details import CaseTier
from lovsvar_contracts.cases import Actor, CaseRequest
from lovsvar_contracts.message import Frozen, Message, Token, new_id

Account = Annotated[str, StringConstraints(pattern=r"^(key|org):[A-Za-z0-9._@-]{0,64}$")]


class SetTier(CaseRequest):
    """Decide the tier of a case; None has it proposed by the rules. The credit is looked for at once."""

    kind: Literal["set_tier"] = "set_tier"
    request_id: Token = Field(default_factory=new_id)
    tier: CaseTier | None = None
    reason: str = Field(default="", max_length=1_000)


class ReadQuota(Message):
    """Ask whether the account of an actor, or of the organisation of its key, has credit for a tier."""

    kind: Literal["read_quota"] = "read_quota"
    actor: Actor
    for_organisation: bool = False
    tier: CaseTier


class Quota(Message):
    """The credit of an account in this period. `left` is None where it is not limited."""

    kind: Literal["quota"] = "quota"
    account: Account
    tier: CaseTier
    has_quota: bool
    left: int | None = None
    ends: date | None = Field(default=None, description="The last day of the period.")


class SetSubscription(Message):
    """Set what an account gets in a period: credits by tier. An operator's request."""

    kind: Literal["set_subscription"] = "set_subscription"
    actor: Actor
    account: Account
    starts: date
    ends: date
    credits: dict[Literal["1", "2", "3"], Annotated[int, Field(ge=0, le=1_000_000)]]


class Subscription(Message):
    """A subscription as it is stored."""

    kind: Literal["subscription"] = "subscription"
    account: Account
    starts: date
    ends: date
    credits: dict[str, int]


class ReceivePayment(Message):
    """A webhook of a payment provider, as it came in (Standard Webhooks)."""

    kind: Literal["receive_payment"] = "receive_payment"
    webhook_id: str = Field(max_length=200)
    webhook_timestamp: str = Field(max_length=40)
    webhook_signature: str = Field(max_length=2_000)
    body: str = Field(max_length=20_000)


class PaymentReceipt(Message):
    """What became of a payment. One that was received before changes nothing."""

    kind: Literal["payment_receipt"] = "payment_receipt"
    status: Literal["accepted", "already_received", "ignored"]
    case_id: Token | None = None


class ReadCaseTexts(Message):
    """Ask for what a person reads when a case begins, in a language."""

    kind: Literal["read_case_texts"] = "read_case_texts"
    locale: Literal["nb", "nn", "en"] = "nb"


class TierTexts(Frozen):
    """What a person reads of a tier, and when there is credit for it, or none."""

    tier: CaseTier
    name: str
    description: str
    has_quota: str
    no_quota: str


class CaseTexts(Message):
    """The greeting, the one question that is asked when a description says too little, and the tiers."""

    kind: Literal["case_texts"] = "case_texts"
    locale: Literal["nb", "nn", "en"]
    greeting: str
    question: str
    tiers: tuple[TierTexts, ...]
