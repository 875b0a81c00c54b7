"""Tier, credit, payment and tickets of cases, over NATS."""

import asyncio
import json
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from standardwebhooks import Webhook

from lovsvar_cases.settings import Settings
from lovsvar_contracts import subjects
from lovsvar_contracts.case_credit import (
    PaymentReceipt,
    Quota,
    ReadQuota,
    ReceivePayment,
    SetSubscription,
    SetTier,
    Subscription,
)
from lovsvar_contracts.case_details import Phase
from lovsvar_contracts.cases import (
    Actor,
    Case,
    History,
    ListTickets,
    MoveCase,
    ReadCase,
    ReadHistory,
    ResolveTicket,
    Ticket,
    TicketRequest,
    Tickets,
)
from lovsvar_contracts.problems import ProblemError, ProblemType

if TYPE_CHECKING:
    from conftest import Asking

KARI = Actor(name="kari", organisation="huset")
OPERATOR = Actor(name="drift", operator=True)
DEPOSIT = "Utleieren betaler ikke tilbake depositumet på 30 000 kr etter at jeg flyttet ut."
TODAY = datetime.now(UTC).date()


async def subscribe(ask: "Asking", account: str = "key:kari", **tiers: int) -> None:
    given = {name.removeprefix("t"): number for name, number in tiers.items()}
    request = SetSubscription.model_validate(
        {"actor": OPERATOR, "account": account, "starts": TODAY, "ends": TODAY + timedelta(days=30), "credits": given}
    )
    await ask(subjects.CASES_SUBSCRIBE, request, Subscription)


async def set_tier(ask: "Asking", case: Case, tier: int | None = None, **more: str) -> Case:
    return await ask(subjects.CASES_SET_TIER, SetTier(actor=KARI, case_id=case.case_id, tier=tier, **more), Case)


async def left(ask: "Asking", tier: int) -> int | None:
    return (await ask(subjects.CASES_QUOTA, ReadQuota(actor=KARI, tier=tier), Quota)).left


def webhook(
    settings: Settings, case: Case, tier: int, name: str = "msg_1", at: datetime | None = None
) -> ReceivePayment:
    assert settings.cases_webhook_secret is not None
    at = at or datetime.now(UTC)
    body = json.dumps({"type": "payment.succeeded", "data": {"case_id": case.case_id, "tier": tier, "amount": 49_000}})
    signature = Webhook(settings.cases_webhook_secret.get_secret_value()).sign(name, at, body)
    stamp = str(int(at.timestamp()))
    return ReceivePayment(webhook_id=name, webhook_timestamp=stamp, webhook_signature=signature, body=body)


async def pay(ask: "Asking", request: ReceivePayment) -> PaymentReceipt:
    return await ask(subjects.CASES_PAYMENT, request, PaymentReceipt)


async def test_the_rules_propose_a_tier_and_a_credit_lets_the_work_begin(ask: "Asking") -> None:
    await subscribe(ask, t1=2)
    case = await set_tier(ask, await ask.open(KARI, description=DEPOSIT))
    assert (case.state.tier, case.state.phase) == (1, Phase.ACTIVE)
    assert "depositum" in case.state.tier_reason
    assert await left(ask, 1) == 1
    history = await ask(subjects.CASES_HISTORY, ReadHistory(actor=KARI, case_id=case.case_id), History)
    assert [str(one.action) for one in history.changes] == ["case_opened", "tier_set", "credit_used"]


async def test_what_says_too_little_is_answered_with_one_question(ask: "Asking") -> None:
    case = await ask.open(KARI, description="Hjelp meg.")
    with pytest.raises(ProblemError, match="domstol eller nemnd"):
        await set_tier(ask, case)


async def test_a_redelivery_uses_no_second_credit(ask: "Asking") -> None:
    await subscribe(ask, t1=5)
    case = await ask.open(KARI, description=DEPOSIT)
    for _ in range(3):
        await set_tier(ask, case, 1, request_id="same")
    await set_tier(ask, case, 1)
    assert await left(ask, 1) == 4


async def test_of_cases_that_want_the_last_credit_at_once_one_gets_it(ask: "Asking") -> None:
    await subscribe(ask, t2=3)
    cases = [await ask.open(KARI, description=DEPOSIT) for _ in range(8)]
    decided = await asyncio.gather(*(set_tier(ask, case, 2) for case in cases))
    phases = [case.state.phase for case in decided]
    assert (phases.count(Phase.ACTIVE), phases.count(Phase.PAYMENT)) == (3, 5)
    assert await left(ask, 2) == 0


async def test_a_corrected_tier_gives_the_old_credit_back(ask: "Asking") -> None:
    await subscribe(ask, t1=1, t2=1, t3=0)
    case = await set_tier(ask, await ask.open(KARI, description=DEPOSIT), 1)
    assert (await set_tier(ask, case, 2)).state.phase is Phase.ACTIVE
    assert (await left(ask, 1), await left(ask, 2)) == (1, 0)
    assert (await set_tier(ask, case, 3)).state.phase is Phase.PAYMENT


async def test_without_a_subscription_and_without_a_limit_work_begins(ask: "Asking") -> None:
    assert (await set_tier(ask, await ask.open(KARI, description=DEPOSIT))).state.phase is Phase.ACTIVE
    quota = await ask(subjects.CASES_QUOTA, ReadQuota(actor=KARI, tier=3), Quota)
    assert (quota.has_quota, quota.left) == (True, None)


async def test_an_organisations_case_uses_its_credit(ask: "Asking") -> None:
    await subscribe(ask, "org:huset", t1=1)
    await subscribe(ask, "key:kari", t1=0)
    case = await ask.open(KARI, description=DEPOSIT, for_organisation=True)
    assert (await set_tier(ask, case)).state.phase is Phase.ACTIVE
    assert (await set_tier(ask, await ask.open(KARI, description=DEPOSIT))).state.phase is Phase.PAYMENT


async def test_a_payment_lets_the_work_begin_once(ask: "Asking", settings: Settings) -> None:
    await subscribe(ask, t1=0)
    case = await set_tier(ask, await ask.open(KARI, description=DEPOSIT))
    assert case.state.phase is Phase.PAYMENT
    first = webhook(settings, case, 1)
    assert (await pay(ask, first)).status == "accepted"
    paid = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)
    assert (paid.state.phase, paid.state.entitled) == (Phase.ACTIVE, True)
    again = webhook(settings, case, 1, at=datetime.now(UTC) + timedelta(seconds=5))
    assert (await pay(ask, again)).status == "already_received"
    with pytest.raises(ProblemError) as caught:
        await pay(ask, first)
    assert caught.value.problem.type is ProblemType.CONFLICT
    now = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)
    assert now.version == paid.version
    assert await left(ask, 1) == 0


@pytest.mark.parametrize("wrong", ["signature", "body", "old", "future"])
async def test_a_forged_or_old_webhook_is_refused(ask: "Asking", settings: Settings, wrong: str) -> None:
    await subscribe(ask, t1=0)
    case = await set_tier(ask, await ask.open(KARI, description=DEPOSIT))
    request = webhook(settings, case, 1)
    if wrong == "signature":
        request = request.model_copy(update={"webhook_signature": "v1,bm90IGEgc2lnbmF0dXJl"})
    elif wrong == "body":
        request = request.model_copy(update={"body": request.body.replace('"tier": 1', '"tier": 3')})
    else:
        hours = -1 if wrong == "old" else 1
        request = webhook(settings, case, 1, at=datetime.now(UTC) + timedelta(hours=hours))
    with pytest.raises(ProblemError) as caught:
        await pay(ask, request)
    assert caught.value.problem.type is ProblemType.INVALID_REQUEST
    now = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)
    assert now.state.phase is Phase.PAYMENT


async def test_a_payment_for_a_lower_tier_is_not_enough(ask: "Asking", settings: Settings) -> None:
    await subscribe(ask, t2=0)
    case = await set_tier(ask, await ask.open(KARI, description=DEPOSIT), 2)
    await pay(ask, webhook(settings, case, 1))
    now = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)
    assert now.state.phase is Phase.PAYMENT


async def test_a_ticket_pauses_a_case_and_an_operator_lets_it_go_on(ask: "Asking") -> None:
    case = await set_tier(ask, await ask.open(KARI, description=DEPOSIT))
    words = "Verktøyet svarer ikke. Ring Ola Hansen på 41 23 45 67."
    request = TicketRequest(
        actor=KARI,
        case_id=case.case_id,
        request_id="t1",
        issue_description=words,
        agent_state_snapshot={"step": ["Ola Hansen"]},
    )
    made, again = [await ask(subjects.CASES_TICKET, request, Ticket) for _ in range(2)]
    assert made.ticket_id == again.ticket_id
    paused = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)
    assert (paused.state.phase, paused.state.paused_from) == (Phase.PAUSED_SUPPORT, Phase.ACTIVE)
    with pytest.raises(ProblemError, match="driftsansvarlig"):
        await ask(subjects.CASES_TICKETS, ListTickets(actor=KARI), Tickets)
    (seen,) = (await ask(subjects.CASES_TICKETS, ListTickets(actor=OPERATOR), Tickets)).tickets
    assert "Hansen" not in seen.issue_description
    assert "41 23" not in seen.issue_description
    assert seen.agent_state_snapshot == {"step": ["{{navn1}}"]}
    resolved = await ask(subjects.CASES_RESOLVE, ResolveTicket(actor=OPERATOR, ticket_id=made.ticket_id), Ticket)
    assert resolved.resolved_by == "drift"
    now = await ask(subjects.CASES_READ, ReadCase(actor=KARI, case_id=case.case_id), Case)
    assert now.state.phase is Phase.ACTIVE
    assert (await ask(subjects.CASES_TICKETS, ListTickets(actor=OPERATOR), Tickets)).tickets == ()


async def test_a_subscription_is_an_operators_business(ask: "Asking") -> None:
    request = SetSubscription(actor=KARI, account="key:kari", starts=date.min, ends=date.max, credits={"1": 9})
    with pytest.raises(ProblemError, match="driftsansvarlig"):
        await ask(subjects.CASES_SUBSCRIBE, request, Subscription)


async def test_work_that_waits_is_taken_up_again(ask: "Asking") -> None:
    case = await set_tier(ask, await ask.open(KARI, description=DEPOSIT))
    about = {"actor": KARI, "case_id": case.case_id}
    assert (await ask(subjects.CASES_MOVE, MoveCase(**about, step="wait"), Case)).state.phase is Phase.WAITING
    assert (await ask(subjects.CASES_MOVE, MoveCase(**about, step="go_on"), Case)).state.phase is Phase.ACTIVE
