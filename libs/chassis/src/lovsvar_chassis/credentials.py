"""Who a service is to NATS, and how it knows NATS: an nkey, TLS, and inboxes that nobody else can read."""

import ssl
from typing import Any

from lovsvar_chassis.settings import ServiceSettings


def inbox_prefix(name: str) -> str:
    """Return what the inboxes of service `name` begin with. NATS lets each service read its own alone."""
    return f"_INBOX.{name}"


def tls_context(settings: ServiceSettings) -> ssl.SSLContext | None:
    """Return what NATS' certificate is checked by, or None without TLS. Raises `OSError` without the file."""
    if settings.nats_ca_file is None:
        return None
    return ssl.create_default_context(cafile=settings.nats_ca_file)


def seed(settings: ServiceSettings) -> str:
    """Return the nkey seed, or "" where there is none."""
    return settings.nats_seed.get_secret_value().strip() if settings.nats_seed else ""


def connect_options(settings: ServiceSettings, name: str) -> dict[str, Any]:
    """Return the options of `nats.connect` for service `name`, without the address."""
    options: dict[str, Any] = {"inbox_prefix": inbox_prefix(name)}
    if secret := seed(settings):
        options["nkeys_seed_str"] = secret
    if (context := tls_context(settings)) is not None:
        # The server's greeting, which could be forged to do without TLS, comes only after the handshake.
        options |= {"tls": context, "tls_handshake_first": True}
    return options
