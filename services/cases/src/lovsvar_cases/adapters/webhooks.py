"""Webhooks of payment providers, by Standard Webhooks."""

from collections.abc import Mapping
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

from lovsvar_cases.core.credit import Verifier
from lovsvar_cases.core.errors import Forged, Refused


def make_verifier(secret: str | None) -> Verifier:
    """Return what checks signatures made with `secret`; without one, every webhook is refused."""
    webhook = Webhook(secret) if secret else None

    def verify(body: str, headers: Mapping[str, str]) -> Mapping[str, Any]:
        if webhook is None:
            raise Refused("Betaling er ikke satt opp: LOVSVAR_CASES_WEBHOOK_SECRET mangler.")
        try:
            content = webhook.verify(body, dict(headers))
        except (WebhookVerificationError, ValueError) as exc:
            raise Forged("Signaturen stemmer ikke, eller meldingen er for gammel.") from exc
        if not isinstance(content, dict):
            raise Forged("Meldingen er ikke et JSON-objekt.")
        return content

    return verify
