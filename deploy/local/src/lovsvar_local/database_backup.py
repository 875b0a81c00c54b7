"""PostgreSQL's own dumps: all that is stored, from one moment, taken while the database is in use.

A dump holds no roles, which belong to the cluster. The migrations that first made the roles that read make them
again, and grant them what they read.
"""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from lovsvar_chassis.migrations import load_migrations
from lovsvar_ingest.manifest import SCHEMA
from lovsvar_local.embedded.postgres_server import postgres_binary, without_postgres_variables
from lovsvar_local.errors import NotDone, ServerDidNotStart

CLEARED = """
SET lock_timeout = '30s';
DROP SCHEMA public CASCADE;
CREATE SCHEMA public;
CREATE EXTENSION vector;
"""

# The owner is there where services have logins of their own (deploy/postgres/logins.sql).
OWNED = """
SELECT format('ALTER SCHEMA public OWNER TO %I', rolname), format('GRANT %I TO current_user', rolname)
FROM pg_roles WHERE rolname = 'lovsvar_ingest' \\gexec
SELECT format('SET ROLE %I', rolname) FROM pg_roles WHERE rolname = 'lovsvar_ingest' \\gexec
"""

READER = """
DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'lovsvar_reader') THEN
        CREATE ROLE lovsvar_reader NOLOGIN;
    END IF;
END $$;
"""

GRANTING = ("reader", "law_sql")
"""The migrations that grant what roles read. Views of the law are dropped with its tables, and made again."""


def dump(url: str, file: Path) -> None:
    """Write the database at `url` to `file`. Raises `NotDone`."""
    options = ["--format=custom", "--exclude-extension=*", "--schema=public"]
    _run("pg_dump", url, [*options, f"--file={file}"])


def restore(url: str, file: Path) -> None:
    """Put what `file` holds in place of the schema at `url`, whole or not at all. Raises `NotDone`."""
    granting = "\n".join(migration.sql for migration in load_migrations(SCHEMA) if migration.name in GRANTING)
    with tempfile.TemporaryDirectory(prefix="lovsvar-restore-") as place:
        folder = Path(place)
        before, after, script = folder / "before.sql", folder / "after.sql", folder / "dump.sql"
        before.write_text(CLEARED + READER + OWNED, encoding="utf-8")
        after.write_text("SET search_path = public;\n" + granting + "\nRESET ROLE;\n", encoding="utf-8")
        plain = ["--no-owner", "--no-privileges"]
        _run("pg_restore", "", [*plain, f"--use-list={_contents(file, folder)}", f"--file={script}", str(file)])
        quiet = ["-X", "-q", "-1", "-o", os.devnull, "-v", "ON_ERROR_STOP=1"]
        _run("psql", url, [*quiet, "-f", str(before), "-f", str(script), "-f", str(after)])


def _contents(file: Path, folder: Path) -> Path:
    """Return the list of what is restored: all but the schema, which is there already."""
    listed = _run("pg_restore", "", ["--list", str(file)])
    kept = [line for line in listed.splitlines() if not re.search(r" SCHEMA - (public|SCHEMA public)\b", line)]
    chosen = folder / "contents"
    chosen.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return chosen


def _run(program: str, url: str, options: Sequence[str]) -> str:
    """Run one of PostgreSQL's programs and return what it prints. A password is not among its arguments."""
    parts, environment = urlsplit(url), without_postgres_variables()
    if parts.password is not None:
        environment["PGPASSWORD"] = unquote(parts.password)
        url = urlunsplit(parts._replace(netloc=parts.netloc.replace(f":{parts.password}@", "@", 1)))
    database = [f"--dbname={url}"] if url else []
    done = subprocess.run(
        [_program(program, url), *database, *options], check=False, capture_output=True, env=environment
    )
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip()[-500:]
        raise NotDone(f"{program} mislyktes: {words}")
    return done.stdout.decode(errors="replace")


def _program(name: str, url: str) -> str:
    """Return the wheel's program, or the machine's own where TLS is asked for, which the wheel's lacks."""
    found = shutil.which(name)
    if not re.search(r"sslmode=(require|verify-ca|verify-full)", url):
        with suppress(ServerDidNotStart):
            found = shutil.which(postgres_binary(name)) or found
    if found is None:
        raise NotDone(f"Programmet {name} finnes ikke. Det følger med PostgreSQL (postgresql-client).")
    return found
