"""Stand-ins for the services: small scripts that the supervisor can run."""

import os
import signal
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from lovsvar_local.children import Command
from lovsvar_local.folder import DataFolder, open_folder
from lovsvar_local.setup import Setup

SCRIPTS: Mapping[str, str] = {
    # Ends on SIGTERM, and when its standard input ends.
    "patient": """
        import os, signal, sys
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        sys.stdin.read()
    """,
    # Ends by force alone.
    "stubborn": """
        import signal, threading
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("hører ikke", flush=True)
        threading.Event().wait()
    """,
    # Ends as soon as it has said why.
    "dying": """
        print("det mangler en nøkkel", flush=True)
        raise SystemExit(1)
    """,
    # Says which servers it was told of, and what of embedding.
    "telling": """
        import os, sys
        print(os.environ["LOVSVAR_NATS_URL"], os.environ["LOVSVAR_DATABASE_URL"], flush=True)
        print("embedding", os.environ["LOVSVAR_EMBEDDING"], os.environ["LOVSVAR_PLAN_EMBEDDINGS"], flush=True)
        sys.stdin.read()
    """,
    # Says that it is alive, as the gateway does.
    "gateway": """
        import http.server, os, signal, sys, threading
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200); self.end_headers(); self.wfile.write(b"{}")
            def log_message(self, *_): pass
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["LOVSVAR_PORT"])), Handler).serve_forever()
    """,
}
"""Small programs in place of services."""

MakeSetup = Callable[..., Setup]


@pytest.fixture(scope="session", autouse=True)
def _hang_ups_are_heard() -> None:
    """Whoever runs the tests by nohup ignores SIGHUP, and so would every program that they start."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def scripted() -> MakeSetup:
    """Make a setup whose services are scripts: `scripted(agent="patient")`; the gateway is always one of them."""

    def command(script: str, name: str, environment: Mapping[str, str], log: Path) -> Command:
        arguments = [sys.executable, "-I", "-S", "-c", textwrap.dedent(SCRIPTS[script])]
        return Command(name, arguments, {**os.environ, **environment}, log)

    def make(**scripts: str) -> Setup:
        chosen = {**scripts, "gateway": scripts.get("gateway", "gateway")}
        return Setup(
            "test",
            services=tuple(chosen),
            command_of=lambda name, environment, log: command(chosen[name], name, environment, log),
        )

    return make


@pytest.fixture
def fresh() -> Iterator[Path]:
    """An empty folder. Not `tmp_path`: each pytest that starts closes its parent to PostgreSQL's account anew."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-local-", ignore_cleanup_errors=True) as path:
        yield Path(path)


@pytest.fixture
def folder(fresh: Path) -> DataFolder:
    """A fresh data folder."""
    return open_folder(fresh / "data")
