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

from lovsvar_chassis.problems import ProblemTable, invalid_request, problem, problem_from
from lovsvar_chassis.request_router import Handler
from lovsvar_chassis.requester import Requester, decode_reply
from lovsvar_contracts.message import Message
from lovsvar_contracts.problems import Problem, ProblemError, ProblemType
from lovsvar_contracts.sealing import ReadSealingKey, SealedReply, SealedRequest, SealingKey

Reply = TypeVar("Reply", bound=Message)

SUITE = hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)
KEY_BYTES = 32
NONCE_BYTES = 12
NO_PROBLEMS: ProblemTable = {}
KEEP_SECONDS = 60.0
"""How long an asker uses a key before it asks for it again."""


class Concealed(Exception):
    """A sealed request failed unexpectedly. Its words are left out, which may hold what was asked; its place is not."""


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

    def sealed(
        self,
        subject: str,
        kind: type[Message],
        handle: Callable[[Any], Awaitable[Message]],
        problems: ProblemTable = NO_PROBLEMS,
    ) -> Handler:
        """Return the handler of sealed requests of `subject`, each a `kind` that `handle` answers.

        `problems` says what its errors mean; one that is not there is raised as `Concealed`.
        """

        async def answer(request: SealedRequest) -> SealedReply:
            key, content = self._opened(subject, request)
            try:
                asked = kind.model_validate_json(content)
            except ValidationError as exc:
                raise _sealed_problem(invalid_request(exc), key, subject) from None
            try:
                reply = await handle(asked)
            except Exception as exc:
                found = problem_from(exc, problems)
                if found.type is ProblemType.INTERNAL:
                    raise Concealed(type(exc).__name__).with_traceback(exc.__traceback__) from None
                raise _sealed_problem(found, key, subject) from None
            box = _boxed(key, reply.encode(), subject)
            return SealedReply(box=box, correlation_id=asked.correlation_id)

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


def _boxed(key: bytes, content: bytes, subject: str) -> str:
    return base64.b64encode(seal(key, content, subject.encode())).decode()


def _sealed_problem(found: Problem, key: bytes, subject: str) -> ProblemError:
    """Return a problem whose words only the asker can read: they may repeat what was asked."""
    words = _boxed(key, found.detail.encode("utf-8", "replace"), subject)
    return ProblemError(found.model_copy(update={"detail": found.title, "sealed": words}))


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
        try:
            answer = await self._requester.ask(subject, sealed, SealedReply)
        except ProblemError as exc:
            found = exc.problem
            if found.sealed is None:
                raise
            detail = _read(key, found.sealed, subject).decode()
            raise ProblemError(found.model_copy(update={"detail": detail, "sealed": None})) from None
        return decode_reply(_read(key, answer.box, subject), reply)

    async def _public(self) -> X25519PublicKey:
        if self._key is None or time.monotonic() - self._read_at > KEEP_SECONDS:
            said = await self._requester.ask(self._key_subject, ReadSealingKey(), SealingKey)
            self._key, self._read_at = (
                X25519PublicKey.from_public_bytes(bytes.fromhex(said.public_key)),
                time.monotonic(),
            )
        return self._key


def _read(key: bytes, box: str, subject: str) -> bytes:
    try:
        return unseal(key, base64.b64decode(box), subject.encode())
    except (InvalidTag, binascii.Error) as exc:
        raise ProblemError(problem(ProblemType.INTERNAL, "Et svar kunne ikke åpnes.")) from exc
