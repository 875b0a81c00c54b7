"""The database of cases: what its errors mean to who asks."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg

from lovsvar_cases.core.errors import StoreUnavailable
from lovsvar_chassis.database import Database

DOWN = "Databasen svarer ikke akkurat nå. Prøv igjen om litt."
SLOW = "Databasen svarer ikke i tide. Prøv igjen om litt."
BROKEN = "Databasen svarer ikke som den skal. Feilen er loggført. Prøv igjen om litt."


class CaseDatabase(Database):
    """A pool whose connections raise `StoreUnavailable` for what is the database's fault or its load's."""

    @asynccontextmanager
    async def acquire(self) -> AsyncIterator[Any]:
        """Lend a connection."""
        with _errors():
            async with super().acquire() as connection:
                yield connection


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except (TimeoutError, asyncpg.QueryCanceledError, asyncpg.LockNotAvailableError) as exc:
        raise StoreUnavailable(SLOW) from exc
    except (OSError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.InternalClientError) as exc:
        raise StoreUnavailable(DOWN) from exc
    except (asyncpg.CannotConnectNowError, asyncpg.AdminShutdownError) as exc:
        raise StoreUnavailable(DOWN) from exc
    except asyncpg.PostgresError as exc:
        raise StoreUnavailable(BROKEN) from exc
