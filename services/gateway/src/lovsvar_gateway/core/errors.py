"""Errors of the gateway service.

GatewayError             base; its words are the `detail` that a client gets
├── UnknownRun           no such run, or its events have expired
├── NotSaved             no such saved answer, or it has expired
├── NothingToSave        the run has no answer that could be saved
├── NotYetHappened       a stream is to begin after an event that the run does not have
├── UnknownSync          no such sync, or its events have expired
├── UnknownProvision     the document has no such provision
├── UnknownCatalogue     no such catalogue is served, or the caller may not see it
├── UnknownProduct       the catalogue has no such item
├── MissingScope         the key may not do this
├── ForeignForm          a page of another site sent a form
├── FormIncomplete       a form lacks something, or cannot be read
├── TooMuchNow           base of what may be asked again later
│   ├── TooManyQuestions the key has asked as often as it may for now
│   ├── QueueFull        so many questions wait that one more would wait too long
│   └── TooManyWaiting   so many of the caller's questions wait that no more are taken
├── KeyReused            an `Idempotency-Key` came with another question before
├── KeysUnusable         the file of keys cannot be read, or holds something else
├── OpenToAll            without keys, an address was to be listened on that others reach
├── CannotListen         the address is taken, or is none of this machine's
└── CannotConnect        NATS was not reached in time at the start
"""

from collections.abc import Mapping

from lovsvar_contracts.problems import ProblemType


class GatewayError(Exception):
    """Base of everything that this service raises on purpose. `wait` is in seconds, where waiting helps."""

    words = "{}"
    """Norwegian, filled with the facts that the error is made of."""

    wait: int | None = None

    def __init__(self, *facts: object) -> None:
        super().__init__(self.words.format(*facts))


class UnknownRun(GatewayError):
    """There is no such run. Remedy: ask again; a run is kept for 24 hours."""

    words = "Fant ikke spørsmålet {}. Et spørsmål og svaret på det blir tatt vare på i 24 timer."


class NotSaved(GatewayError):
    """There is no such saved answer. Remedy: save an answer while its run is kept."""

    words = "Fant ikke noe lagret svar {}. Et svar må lagres innen 24 timer, og kan være slettet eller utløpt."


class NothingToSave(GatewayError):
    """The run has no answer that could be saved. Remedy: wait until it has ended, or ask again."""

    words = "{} har ikke noe svar som kan lagres."


class NotYetHappened(GatewayError):
    """The run has no such event. Remedy: name one that a stream of this run has sent, or 0."""

    words = "{} har ingen hendelse {}; den siste er {}."


class UnknownSync(GatewayError):
    """There is no such sync. Remedy: take the id from the reply to `POST /v1/ingest`, or from `GET /v1/ingest`."""

    words = "Fant ikke synkroniseringen {}."


class UnknownProvision(GatewayError):
    """The document (the first fact) has no such provision. Remedy: take its name from the document's outline."""

    words = "Fant ikke {1} i {0}."


class UnknownCatalogue(GatewayError):
    """No such catalogue is served to this caller. Remedy: take its id from `GET /v1/catalogues`."""

    words = "Fant ikke katalogen {}."


class UnknownProduct(GatewayError):
    """The catalogue (the first fact) has no such item. Remedy: take its id from `GET /v1/products`."""

    words = "Fant ikke {1} i katalogen {0}."


class MissingScope(GatewayError):
    """The key may not do this. Remedy: use another, or have one made with the scope."""

    words = "Nøkkelen «{}» har ikke rettigheten «{}»."


class ForeignForm(GatewayError):
    """A page of another site sent a form. Remedy: fill it in on the page itself."""

    words = "Skjemaet kom fra en side på et annet nettsted, og er ikke tatt imot."


class FormIncomplete(GatewayError):
    """A form lacks something, or cannot be read. Remedy: as the page's `phrase` says of the `field`."""

    words = "Skjemaet mangler noe: {} ({})."

    def __init__(self, phrase: str, field: str) -> None:
        super().__init__(field, phrase)
        self.phrase, self.field = phrase, field


class TooMuchNow(GatewayError):
    """Base of what may be asked again later: in so many seconds as the last fact says."""

    def __init__(self, *facts: float) -> None:
        super().__init__(*facts)
        self.wait = int(facts[-1])


class TooManyQuestions(TooMuchNow):
    """The key has asked as many questions as it may in a minute."""

    words = "Nøkkelen har stilt så mange spørsmål som den kan i minuttet. Prøv igjen om {} s."


class QueueFull(TooMuchNow):
    """One more question would wait too long: as many seconds as the first fact says."""

    words = "Køen er full: et nytt spørsmål må vente omtrent {:.0f} s. Prøv igjen om {} s."


class TooManyWaiting(TooMuchNow):
    """The caller has as many questions in the queue as it may; the first fact says how many."""

    words = "Du har allerede {} spørsmål i køen, og kan ikke ha flere der samtidig. Prøv igjen om {} s."


class KeyReused(GatewayError):
    """The same `Idempotency-Key` came with another question. Remedy: send a fresh one with each question."""

    words = "Denne Idempotency-Key er brukt til et annet spørsmål. Lag en ny for hvert spørsmål."


class KeysUnusable(GatewayError):
    """The file of keys cannot be used. Remedy: correct `LOVSVAR_API_KEYS_FILE`; `lovsvar keys` writes such a file."""


class OpenToAll(GatewayError):
    """Everybody who reaches the address could ask and operate. Remedy: set `LOVSVAR_API_KEYS_FILE`."""

    words = (
        "Uten nøkler lytter Lovsvar bare på denne maskinen, ikke på {}. Lag nøkler med «lovsvar keys add» og "
        "sett LOVSVAR_API_KEYS_FILE, eller sett LOVSVAR_WITHOUT_KEYS=true, og navnet den nås under, i "
        "LOVSVAR_ALLOWED_HOSTS, om alle som når den, skal slippe inn."
    )


class CannotListen(GatewayError):
    """The address cannot be listened on. Remedy: free the port, or choose another with `LOVSVAR_PORT`."""


class CannotConnect(GatewayError):
    """NATS was not reached within a minute of the start. Remedy: start it, or correct `LOVSVAR_NATS_URL`."""


PROBLEMS: Mapping[type[Exception], ProblemType] = {
    UnknownRun: ProblemType.NOT_FOUND,
    NotSaved: ProblemType.NOT_FOUND,
    NothingToSave: ProblemType.INVALID_REQUEST,
    NotYetHappened: ProblemType.INVALID_REQUEST,
    UnknownSync: ProblemType.NOT_FOUND,
    UnknownProvision: ProblemType.NOT_FOUND,
    UnknownCatalogue: ProblemType.NOT_FOUND,
    UnknownProduct: ProblemType.NOT_FOUND,
    FormIncomplete: ProblemType.INVALID_REQUEST,
    TooMuchNow: ProblemType.UNAVAILABLE,
    KeyReused: ProblemType.INVALID_REQUEST,
}
