"""The wrapped keys of cases in PostgreSQL."""

from lovsvar_cases.adapters.keys import MasterKey
from lovsvar_cases.core.errors import Unreadable
from lovsvar_cases.core.key_rotation import KeyStore
from lovsvar_chassis.database import Database, load_queries
from lovsvar_contracts.case_keys import KeyRotation

SQL = load_queries("lovsvar_cases.adapters")


class PostgresKeys(KeyStore):
    """Keys in the schema `cases`. What was read is replaced, and nothing else: an erased case gets none."""

    def __init__(self, database: Database, master: MasterKey) -> None:
        self._database = database
        self._master = master

    async def rewrap(self, after: str | None, most: int) -> KeyRotation:
        rows = await self._database.fetch(SQL["wrapped_keys"], after, most)
        changed: list[tuple[str, bytes, bytes]] = []
        unreadable = 0
        for row in rows:
            try:
                wrapped = self._master.rewrapped(row["case_id"], row["wrapped_key"])
            except Unreadable:
                unreadable += 1
            else:
                changed += [(row["case_id"], row["wrapped_key"], wrapped)] if wrapped is not None else []
        async with self._database.transaction() as connection:
            await connection.executemany(SQL["replace_key"], changed)
        following = rows[-1]["case_id"] if len(rows) == most else None
        return KeyRotation(rewrapped=len(changed), unreadable=unreadable, read=len(rows), next=following)
