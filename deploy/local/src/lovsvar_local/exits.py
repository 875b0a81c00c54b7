"""Exit codes of the `lovsvar` command."""

OK = 0
PROBLEM = 1
USAGE = 2
CANNOT_START = 3
ALREADY_RUNNING = 4
SIGNALLED = 128
"""Added to the number of the signal that ended the command: 130 after Ctrl-C."""

IN_WORDS = (
    "Avslutningskoder: 0 svart eller utført (også når kildene ikke gir svar), 1 mislyktes, 2 feil bruk, "
    "3 kan ikke starte, 4 en annen lovsvar eier datamappa, 130 avbrutt med Ctrl-C."
)
