"""Messages whose content only their reader can open, for what must not be seen on the way.

The asker encrypts a request for the service's public key, by HPKE (RFC 9180) in base mode with X25519, HKDF-SHA256 and
AES-256-GCM, and with the request's subject as `info`. The content is a fresh key of 32 bytes and then the request as
JSON. The reply is encrypted with that key: AES-256-GCM, a nonce of 12 bytes first, the subject as associated data. Of a
`Problem` the words are encrypted so (`Problem.sealed`); what kind it is can be seen.
"""

from typing import Literal

from pydantic import Field

from lovsvar_contracts.message import Message


class ReadSealingKey(Message):
    """Ask a service for the key that requests to it are encrypted with."""

    kind: Literal["read_sealing_key"] = "read_sealing_key"


class SealingKey(Message):
    """A service's public key, 32 bytes of X25519 in hexadecimal."""

    kind: Literal["sealing_key"] = "sealing_key"
    public_key: str = Field(pattern=r"^[0-9a-f]{64}$")


class SealedRequest(Message):
    """A request that the service named by its subject can open."""

    kind: Literal["sealed_request"] = "sealed_request"
    box: str = Field(description="The encrypted request, in base64.")


class SealedReply(Message):
    """A reply that its asker can open."""

    kind: Literal["sealed_reply"] = "sealed_reply"
    box: str = Field(description="The encrypted reply, in base64.")
