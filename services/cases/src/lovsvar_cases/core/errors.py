"""Errors of the cases service.

CasesError               base; its words are Norwegian, and hold nothing of a case
├── NotConfigured        there is no master key
├── UnknownCase          there is no such case, or it is not the caller's, or it is erased
├── UnknownVersion       the case has no such version
├── UnknownParty         the case has no such party
├── UnknownTicket        there is no such open ticket
├── Refused              what was asked for cannot be
│   ├── InvalidUpdate    a field that there is not, or a value that it cannot have
│   ├── InvalidParty     a field of a party that there is not, or a value that it cannot have
│   ├── Forged           a webhook without a valid signature, or too old
│   └── OperatorsOnly    only an operator may do this
├── Conflict             somebody else was first, or the case is not where this can be done
│   ├── StaleVersion     the case has changed since it was read
│   ├── WrongPhase       the case is in a phase in which this cannot be done
│   └── Replayed         the very same webhook was received before
├── CaseTooLarge         the case would become larger than a message may be
├── Unreadable           what is stored cannot be opened with the master key
└── StoreUnavailable     the database does not answer, or not in time
"""


class CasesError(Exception):
    """Base of everything that this service raises on purpose."""


class NotConfigured(CasesError):
    """There is no master key. Remedy: set `LOVSVAR_CASES_MASTER_KEY` or `LOVSVAR_CASES_MASTER_KEY_FILE`."""

    def __init__(self) -> None:
        super().__init__(
            "Saker er ikke satt opp: LOVSVAR_CASES_MASTER_KEY eller LOVSVAR_CASES_MASTER_KEY_FILE mangler."
        )


class UnknownCase(CasesError):
    """There is no such case for this caller. Remedy: list the cases."""

    def __init__(self, case_id: str) -> None:
        super().__init__(f"Fant ikke saken {case_id}.")


class UnknownVersion(CasesError):
    """The case has no such version. Remedy: read its history."""


class UnknownParty(CasesError):
    """The case has no such party. Remedy: read its parties."""


class UnknownTicket(CasesError):
    """There is no such open ticket. Remedy: list the tickets."""


class Refused(CasesError):
    """What was asked for cannot be. Remedy: as the words say."""


class InvalidUpdate(Refused):
    """An update names a field that there is not, or a value that it cannot have."""


class InvalidParty(Refused):
    """A party has no such field, or the field no such value."""


class Forged(Refused):
    """A webhook without a valid signature, or too old. Remedy: the same secret on both sides, and right clocks."""


class OperatorsOnly(Refused):
    """Only an operator may do this. Remedy: a key with the scope `operate`."""

    def __init__(self) -> None:
        super().__init__("Bare en driftsansvarlig kan gjøre dette.")


class Conflict(CasesError):
    """Somebody else was first, or the case is not where this can be done."""


class StaleVersion(Conflict):
    """The case has changed since it was read. Remedy: read it, and write again with the new version."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(
            f"Saken er endret siden den ble lest: du har versjon {expected}, den er nå i versjon {actual}. "
            "Les den på nytt, og send endringen med den nye versjonen."
        )
        self.actual = actual


class WrongPhase(Conflict):
    """The case is in a phase in which this cannot be done. Remedy: as the words say."""


class Replayed(Conflict):
    """The very same webhook was received before. A provider that delivers again signs anew."""


class CaseTooLarge(CasesError):
    """The case would become larger than a message may be. Remedy: keep long texts as documents."""


class Unreadable(CasesError):
    """What is stored cannot be opened. Remedy: the master key that it was stored with."""


class StoreUnavailable(CasesError):
    """The database does not answer, or not in time. Remedy: try again; `lovsvar doctor` says more."""
