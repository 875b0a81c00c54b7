"""Errors of the gateway service.

GatewayError             base; its words are the `detail` that a client is shown
├── UnknownRun           no such run, or its events have expired
├── NotYetHappened       a stream is to begin behind an event that the run does not have
├── UnknownSync          no such sync, or its events have expired
├── UnknownProvision     the document has no such provision
├── MissingScope         the key may not do this
├── TooManyQuestions     the key has asked as often as it may for now
├── QueueFull            so many questions wait that one more would wait too long
├── TooManyWaiting       so many of the caller's questions wait that no more are taken
├── KeyReused            an `Idempotency-Key` came with another question before
├── KeysUnusable         the file of keys cannot be read, or holds something else
├── OpenToAll            without keys, an address was to be listened on that others reach
├── CannotListen         the address is taken, or is none of this machine's
└── CannotConnect        NATS was not reached in time at the start
"""

from collections.abc import Mapping

from lovsvar_contracts.problems import ProblemType


class GatewayError(Exception):
    """Base of everything that this service raises on purpose."""


class UnknownRun(GatewayError):
    """There is no such run. Remedy: ask again; a run is kept for 24 hours."""

    def __init__(self, run_id: str) -> None:
        super().__init__(f"Fant ikke spørsmålet {run_id}. Et spørsmål og svaret på det blir tatt vare på i 24 timer.")


class NotYetHappened(GatewayError):
    """The run has no such event. Remedy: name one that a stream of this run has sent, or 0."""

    def __init__(self, run_id: str, event: int, last: int) -> None:
        super().__init__(f"{run_id} har ingen hendelse {event}; den siste er {last}.")


class UnknownSync(GatewayError):
    """There is no such sync. Remedy: take the id from the reply to `POST /v1/ingest`, or from `GET /v1/ingest`."""

    def __init__(self, sync_id: str) -> None:
        super().__init__(f"Fant ikke synkroniseringen {sync_id}.")


class UnknownProvision(GatewayError):
    """The document has no such provision. Remedy: take its name from the document's outline."""

    def __init__(self, refid: str, section: str) -> None:
        super().__init__(f"Fant ikke {section} i {refid}.")


class MissingScope(GatewayError):
    """The key may not do this. Remedy: use another, or have one made with the scope."""

    def __init__(self, name: str, scope: str) -> None:
        super().__init__(f"Nøkkelen «{name}» har ikke rettigheten «{scope}».")


class TooManyQuestions(GatewayError):
    """The key has asked as many questions as it may in a minute. Remedy: ask again in `wait` seconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"Nøkkelen har stilt så mange spørsmål som den kan i minuttet. Prøv igjen om {wait} s.")
        self.wait = wait


class QueueFull(GatewayError):
    """One more question would wait `expected` seconds, which is too long. Remedy: ask again in `wait` seconds."""

    def __init__(self, expected: float, wait: int) -> None:
        super().__init__(f"Køen er full: et nytt spørsmål må vente omtrent {expected:.0f} s. Prøv igjen om {wait} s.")
        self.wait = wait


class TooManyWaiting(GatewayError):
    """The caller has as many questions in the queue as it may. Remedy: ask again in `wait` seconds."""

    def __init__(self, own: int, wait: int) -> None:
        super().__init__(
            f"Du har allerede {own} spørsmål i køen, og kan ikke ha flere der samtidig. Prøv igjen om {wait} s."
        )
        self.wait = wait


class KeyReused(GatewayError):
    """The same `Idempotency-Key` came with another question. Remedy: send a fresh one with each question."""

    def __init__(self) -> None:
        super().__init__("Denne Idempotency-Key er brukt til et annet spørsmål. Lag en ny for hvert spørsmål.")


class KeysUnusable(GatewayError):
    """The file of keys cannot be used. Remedy: correct `LOVSVAR_API_KEYS_FILE`; `lovsvar keys` writes such a file."""


class OpenToAll(GatewayError):
    """Everybody who reaches the address could ask and operate. Remedy: set `LOVSVAR_API_KEYS_FILE`."""

    def __init__(self, host: str) -> None:
        super().__init__(
            f"Uten nøkler lytter Lovsvar bare på denne maskinen, ikke på {host}. Lag nøkler med «lovsvar keys add» og "
            "sett LOVSVAR_API_KEYS_FILE, eller sett LOVSVAR_WITHOUT_KEYS=true, og navnet den nås under, i "
            "LOVSVAR_ALLOWED_HOSTS, om alle som når den, skal slippe inn."
        )


class CannotListen(GatewayError):
    """The address cannot be listened on. Remedy: free the port, or choose another with `LOVSVAR_PORT`."""


class CannotConnect(GatewayError):
    """NATS was not reached within a minute of the start. Remedy: start it, or correct `LOVSVAR_NATS_URL`."""


PROBLEMS: Mapping[type[Exception], ProblemType] = {
    UnknownRun: ProblemType.NOT_FOUND,
    NotYetHappened: ProblemType.INVALID_REQUEST,
    UnknownSync: ProblemType.NOT_FOUND,
    UnknownProvision: ProblemType.NOT_FOUND,
    TooManyQuestions: ProblemType.UNAVAILABLE,
    QueueFull: ProblemType.UNAVAILABLE,
    TooManyWaiting: ProblemType.UNAVAILABLE,
    KeyReused: ProblemType.INVALID_REQUEST,
}
