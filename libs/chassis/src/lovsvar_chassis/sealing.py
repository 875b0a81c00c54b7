"""Requests and replies that only their reader can open; `lovsvar_contracts.sealing` says how they are encrypted."""

import base64
import binascii
import contextlib
import os
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hpke
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic import ValidationError

from lovsvar_chassis.problems import invalid_request, problem
from lovsvar_chassis.request_router import Handler
from lovsvar_chassis.requester import Requester, decode_reply
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import ProblemError, ProblemType
from lovsvar_contracts.sealing import ReadSealingKey, SealedReply, SealedRequest, SealingKey

Reply = TypeVar("Reply", bound=Message)

SUITE = hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)
KEY_BYTES = 32
NONCE_BYTES = 12
KEEP_SECONDS = 60.0
"""How long an asker uses a key before it asks for it again."""


def seal(key: bytes, content: bytes, about: bytes) -> bytes:
    """Return `content` encrypted by AES-256-GCM with `key`, 32 bytes; the nonce comes first, `about` is proven."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, content, about)


def unseal(key: bytes, box: bytes, about: bytes) -> bytes:
    """Return what `seal` encrypted. Raises `cryptography.exceptions.InvalidTag` when anything of it is another."""
    if len(box) < NONCE_BYTES:
        raise InvalidTag
    return AESGCM(key).decrypt(box[:NONCE_BYTES], box[NONCE_BYTES:], about)


def derived(secret: bytes, purpose: str) -> bytes:
    """Return a key of 32 bytes for `purpose`, made of a secret one."""
    return HKDF(SHA256(), KEY_BYTES, salt=None, info=purpose.encode()).derive(secret)


class SealedDesk:
    """The answering side: a service's private key, which its replicas make of one secret.

    While another secret takes its place, what was encrypted for one of `others` is opened, too.
    """

    def __init__(self, secret: bytes, *others: bytes) -> None:
        self._private = [
            X25519PrivateKey.from_private_bytes(derived(one, "lovsvar sealed requests")) for one in (secret, *others)
        ]

    async def key(self, _: ReadSealingKey) -> SealingKey:
        """Say what requests are to be encrypted with."""
        return SealingKey(public_key=self._private[0].public_key().public_bytes_raw().hex())

    def sealed(self, subject: str, kind: type[Message], handle: Callable[[Any], Awaitable[Message]]) -> Handler:
        """Return the handler of sealed requests of `subject`, each a `kind` that `handle` answers."""

        async def answer(request: SealedRequest) -> SealedReply:
            key, content = self._opened(subject, request)
            try:
                asked = kind.model_validate_json(content)
            except ValidationError as exc:
                raise ProblemError(invalid_request(exc)) from None
            reply = await handle(asked)
            box = seal(key, reply.encode(), subject.encode())
            return SealedReply(box=base64.b64encode(box).decode(), correlation_id=asked.correlation_id)

        return answer

    def _opened(self, subject: str, request: SealedRequest) -> tuple[bytes, bytes]:
        try:
            box = base64.b64decode(request.box, validate=True)
        except (ValueError, binascii.Error):
            box = b""
        for private in self._private:
            with contextlib.suppress(InvalidTag, ValueError):
                content = SUITE.decrypt(box, private, info=subject.encode())
                return content[:KEY_BYTES], content[KEY_BYTES:]
        detail = "Forespørselen kan ikke åpnes: nøkkelen er en annen. Prøv igjen."
        raise ProblemError(problem(ProblemType.NOT_READY, detail))


class SealedRequester:
    """The asking side, for one service, which says its key on `key_subject`."""

    def __init__(self, requester: Requester, key_subject: str) -> None:
        self._requester = requester
        self._key_subject = key_subject
        self._key: X25519PublicKey | None = None
        self._read_at = 0.0

    async def ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        """Return the reply to `request`. Raises `ProblemError` as `Requester.ask` does."""
        try:
            return await self._ask(subject, request, reply)
        except ProblemError as exc:
            if exc.problem.type is not ProblemType.NOT_READY:
                raise
            self._key = None
        return await self._ask(subject, request, reply)

    async def _ask(self, subject: str, request: Message, reply: type[Reply]) -> Reply:
        key = os.urandom(KEY_BYTES)
        box = SUITE.encrypt(key + request.encode(), await self._public(), info=subject.encode())
        sealed = SealedRequest(box=base64.b64encode(box).decode(), correlation_id=request.correlation_id)
        answer = await self._requester.ask(subject, sealed, SealedReply)
        try:
            return decode_reply(unseal(key, base64.b64decode(answer.box), subject.encode()), reply)
        except (InvalidTag, binascii.Error) as exc:
            raise ProblemError(problem(ProblemType.INTERNAL, "Et svar kunne ikke åpnes.")) from exc

    async def _public(self) -> X25519PublicKey:
        if self._key is None or time.monotonic() - self._read_at > KEEP_SECONDS:
            said = await self._requester.ask(self._key_subject, ReadSealingKey(), SealingKey)
            self._key, self._read_at = (
                X25519PublicKey.from_public_bytes(bytes.fromhex(said.public_key)),
                time.monotonic(),
            )
        return self._key
