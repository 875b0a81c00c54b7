"""Without keys the system asks Lovdata and nobody else: it is run where every look-up and lost packet is seen."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lovsvar_testkit.isolated import MALFORMED, refusal, run_isolated
from lovsvar_testkit.processes import free_port

REFUSAL = refusal()
pytestmark = pytest.mark.skipif(bool(REFUSAL), reason=f"no networks can be made here: {REFUSAL}")

KEYS = ("OPENAI_", "SERPER_", "LOVSVAR_", "OTEL_", "ORT_", "HF_")
AUTOMATED = ("CI", "GITHUB_ACTIONS", "TF_BUILD")
"""Where one of these is set, libraries that tell of themselves mostly do not."""

LONG_ENOUGH = 12.0
"""Seconds after which ONNX Runtime 1.31, left as it is, has looked up its vendor's host."""

LOVDATA = "api.lovdata.no"
"""Where the law is fetched; where it cannot be, the session goes on with the bundled sample."""

QUESTION = "Hvor mye kan utleier kreve i depositum?"

SESSION = """
import subprocess, sys, time

def lovsvar(*arguments):
    return [sys.executable, "-c", "from lovsvar_local.cli import main; main()", *arguments, "--data-dir", folder]

folder, port, question, embedding, seconds = sys.argv[1:]
worker = subprocess.Popen([sys.executable, "-c", embedding, seconds])
up = subprocess.Popen(lovsvar("up", "--port", port, "--json"), stdout=subprocess.PIPE)
assert up.stdout.readline(), "it did not start"
began = time.monotonic()
subprocess.run(lovsvar("ask", question, "--json"), check=True)
time.sleep(max(0, began + float(seconds) - time.monotonic()))
up.terminate()
up.wait()
assert worker.wait() == 0
"""

EMBEDDING = """
import asyncio, sys
from lovsvar_embedder.choice import make_embedder
from lovsvar_embedder.settings import EmbedderSettings

async def embed():
    embedder = make_embedder(EmbedderSettings())
    await embedder.start()
    await embedder.embed_passages(["Utleier kan kreve depositum."])
    await asyncio.sleep(float(sys.argv[1]))
    await embedder.stop()

asyncio.run(embed())
"""
"""What the workers do that embed the law. Theirs run on idle cores alone, which a busy machine has none of."""


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder outside of pytest's, which PostgreSQL's own account cannot enter."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-home-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    """What a user has who has set nothing up."""
    usual = {k: v for k, v in os.environ.items() if not k.startswith((*KEYS, "XDG_")) and k not in AUTOMATED}
    return {**usual, "HOME": str(home)}


def test_a_whole_session_looks_up_lovdata_alone_and_keeps_no_identifier(
    environment: dict[str, str], home: Path
) -> None:
    arguments = [str(home / "data"), str(free_port()), QUESTION, EMBEDDING, str(LONG_ENOUGH)]
    ran = run_isolated([sys.executable, "-c", SESSION, *arguments], environment, timeout=120)
    assert ran.code == 0, ran.errors
    assert json.loads(ran.output.splitlines()[-1])["citations"]
    assert (set(ran.looked_up), ran.packets) == ({LOVDATA}, 0)
    assert not list(home.rglob("deviceid"))


def test_what_is_looked_up_is_seen(environment: dict[str, str]) -> None:
    program = """
import socket
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as malformed:
    for packet in (b"", b"x", bytes(11), bytes(12) + b"\\x05ab"):
        malformed.sendto(packet, ("127.0.0.1", 53))
try:
    socket.getaddrinfo("lovsvar.example", 443)
except OSError:
    pass
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outside:
    outside.connect_ex(("192.0.2.1", 443))
"""
    ran = run_isolated([sys.executable, "-c", program], environment, timeout=30)
    assert ran.looked_up.count(MALFORMED) == 4
    assert set(ran.looked_up) == {"lovsvar.example", MALFORMED}
    assert ran.packets
