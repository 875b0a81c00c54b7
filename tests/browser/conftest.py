"""The pages in a real browser: Debian's Chromium, the whole system behind it, a model that keeps to its script.

Of the Chromiums on the PATH the headless shell is taken, if there is one: the same engine without the windows around
it, which nobody sees here, and a third less work. `LOVSVAR_CHROMIUM` names another. Without any, these tests are
skipped. Screenshots are kept in `artefacts/browser`.
"""

import asyncio
import os
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect, sync_playwright

from lovsvar_chassis.broker import make_broker
from lovsvar_chassis.publisher import EventPublisher
from lovsvar_chassis.run_log import Cursor, RunLog
from lovsvar_chassis.settings import ServiceSettings
from lovsvar_contracts.message import new_id
from lovsvar_contracts.run_events import AnswerCompleted, RunAccepted, RunCompleted
from lovsvar_testkit import sse
from lovsvar_testkit.answers import make_whole_answer
from lovsvar_testkit.processes import System, running_system
from lovsvar_testkit.scripted_model import ByQuestion, ScriptedModel, standing_in_for_model

SHOTS = Path(__file__).parents[2] / "artefacts" / "browser"
PATIENCE = 20_000
"""Milliseconds that a page may take to do what a test expects; a busy machine takes its time."""

SEARCH = {"calls": [{"search_lovdata_legal_documents": {"query": "kreve depositum av leieren", "pageSize": 2}}]}
WORDS = "Utleieren kan kreve høyst fire måneders leie [lovdata-1]. Pengene skal stå på en egen konto. "
QUOTE = "kan kreve et depositum på høyst fire måneders leie"
FINAL = {"answer": WORDS * 3, "citations": [["lovdata-1", QUOTE]]}

ASKED = "Hvor mye kan utleier kreve i depositum?"
HELD = "Hvor mye kan utleieren kreve når modellen nøler?"
HELD_TOO = "Hvor mye kan utleieren kreve når forbindelsen er borte?"
HELD_AGAIN = "Hvor mye kan utleieren kreve når tjeneren faller?"
HELD_RELOADED = "Hvor mye kan utleieren kreve når siden lastes på nytt?"
HELD_CUT = "Hvor mye kan utleieren kreve når ledningen er kuttet?"
HELD_PLAIN = "Hvor mye kan utleieren kreve uten skript?"
ENDLESS = "Hvor mye kan utleieren kreve når svaret aldri blir ferdig?"
ENDLESS_PLAIN = "Hvor mye kan utleieren kreve når svaret aldri blir ferdig, uten skript?"
ENDLESS_WITHDRAWN = "Hvor mye kan utleieren kreve når nøkkelen blir tatt tilbake?"
DOUBTFUL = "Hvor lenge kan en arbeidstaker være midlertidig ansatt?"
UNKNOWN = "Hvem eier månens bakside?"
FOLLOW_UP = "Og hvor skal pengene stå?"
NARROWED = "Hvor mye kan kreves i depositum etter forskrift?"

ANSWERED = [SEARCH, {"final": FINAL}]
HESITANT = [SEARCH, {"final": FINAL, "hold": 6_000}]
STALLED = [SEARCH, {"final": FINAL, "stall": 6_000}]
DOUBTED = [
    {"calls": [{"search_lovdata_legal_documents": {"query": "midlertidig ansettelse fast ansatt", "pageSize": 1}}]},
    *[
        {
            "final": {
                "answer": "Etter mer enn to og et halvt år er man fast ansatt [lovdata-1]. "
                "Se også eksempel-arbeidsloven § 99-1.",
                "citations": [
                    ["lovdata-1", "Den som har arbeidet midlertidig i mer enn to og et halvt år, er fast ansatt."],
                    ["lovdata-1", "kan være midlertidig ansatt i inntil ti år"],
                ],
            }
        }
    ]
    * 2,
]
LACKING = [{"final": {"answer": "Ingenting.", "insufficient": True}}] * 2
NOTHING = [
    {"calls": [{"search_lovdata_legal_documents": {"query": "xylofonkvadrant"}}]},
    {"final": {"answer": "Ingenting.", "insufficient": True}, "repeat": True},
]


@pytest.fixture(scope="session")
def model() -> Iterator[ScriptedModel]:
    """The model: it answers each question by the script of its first line."""
    held = dict.fromkeys((HELD, HELD_TOO, HELD_AGAIN, HELD_RELOADED, HELD_CUT, HELD_PLAIN), HESITANT)
    endless = dict.fromkeys((ENDLESS, ENDLESS_PLAIN, ENDLESS_WITHDRAWN), STALLED)
    with standing_in_for_model(
        ByQuestion(
            {
                ASKED: ANSWERED * 40,
                FOLLOW_UP: ANSWERED,
                NARROWED: [SEARCH, *LACKING] * 2,
                DOUBTFUL: DOUBTED * 20,
                UNKNOWN: NOTHING,
                **held,
                **endless,
            }
        )
    ) as model:
        yield model


@pytest.fixture
def holding(model: ScriptedModel) -> Iterator[ScriptedModel]:
    """The model, which holds back the rest of what it says until it is let go."""
    model.hold_on()
    yield model
    model.let_go()


@pytest.fixture(scope="session")
def system(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[System]:
    """All services with the sample corpus and the model."""
    environment = {"OPENAI_API_KEY": "sk-scripted", "OPENAI_BASE_URL": model.url, "LOVSVAR_MODEL": "scripted"}
    with running_system(tmp_path_factory.mktemp("browser"), environment) as system:
        with httpx2.Client(base_url=system.url, timeout=60) as client:
            sync = client.post("/v1/ingest", json={"dataset": "eksempel"}).json()["syncs"][0]
            *_, last = sse.events(client, f"/v1/ingest/{sync['sync_id']}/events")
        system.wait_version(last["corpus_version"])
        system.wait_ready(path="/readyz")
        yield system


async def _store(nats_url: str, run_id: str) -> None:
    answer = make_whole_answer(run_id)
    broker = make_broker(ServiceSettings(nats_url=nats_url), "test")
    await broker.connect()
    try:
        log, end = RunLog(EventPublisher(broker)), Cursor()
        for event in (
            RunAccepted(run_id=run_id, question=answer.question),
            AnswerCompleted(run_id=run_id, answer=answer),
            RunCompleted(run_id=run_id),
        ):
            _, end = await log.append(event, end)
    finally:
        await broker.stop()


@pytest.fixture(scope="session")
def whole(system: System) -> str:
    """A run whose answer has every kind of block."""
    run_id = new_id()
    # In a thread, since playwright's loop runs in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, _store(system.nats_url, run_id)).result()
    return run_id


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser. It ends with the module: its loop would be in the way of other tests' loops."""
    on_path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    path = os.environ.get("LOVSVAR_CHROMIUM") or on_path
    if path is None:
        pytest.skip("there is no Chromium: apt-get install chromium-headless-shell, or name one by LOVSVAR_CHROMIUM")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        # Root may not use Chromium's sandbox; nothing but our own pages is opened in it. Without a graphics card, a
        # process that imitates one takes more of the processor than all else.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


Open = Callable[..., Page]


class Contexts:
    """Contexts of a browser, made once for the same options: a new one takes twice as long as a page in it.

    One that was given back has no pages, cookies or storage; what the browser holds in its cache may stay.
    """

    def __init__(self, browser: Browser, url: str) -> None:
        """`url` is where the pages are, unless the options say otherwise by `base_url`."""
        self._browser = browser
        self._url = url
        self._idle: defaultdict[str, list[BrowserContext]] = defaultdict(list)
        self._taken: list[tuple[str, BrowserContext]] = []
        self._sessions: dict[BrowserContext, CDPSession] = {}

    def take(self, **options: object) -> BrowserContext:
        """Return a context that nobody else has."""
        key = "" if options.keys() & {"base_url", "permissions"} else repr(sorted(options.items()))
        context = self._idle[key].pop() if self._idle[key] else self._make(options)
        self._taken.append((key, context))
        return context

    def give_back(self) -> None:
        """Clean the contexts that were taken; those with an address or permissions of their own are closed."""
        for key, context in self._taken:
            if not key:
                context.close()
                continue
            keeper, *pages = context.pages
            for page in pages:
                page.close()
            context.set_offline(False)
            context.clear_permissions()
            context.clear_cookies()
            if context not in self._sessions:
                self._sessions[context] = context.new_cdp_session(keeper)
            everything = {"origin": self._url, "storageTypes": "local_storage,indexeddb,cache_storage,service_workers"}
            self._sessions[context].send("Storage.clearDataForOrigin", everything)
            self._idle[key].append(context)
        self._taken.clear()

    def _make(self, options: dict[str, object]) -> BrowserContext:
        settings = {"base_url": self._url, "locale": "nb-NO", **options}
        context = self._browser.new_context(**settings)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        context.new_page()  # Stays, so that there is something to clean by.
        return context


@pytest.fixture(scope="module")
def contexts(browser: Browser, system: System) -> Contexts:
    """The contexts that the tests of a file use again and again. They end with the browser."""
    return Contexts(browser, system.url)


@pytest.fixture
def open_page(contexts: Contexts, system: System) -> Iterator[Open]:
    """Opens pages in contexts of their own. What a page complains about fails the test."""
    complaints: list[str] = []

    def open_page(path: str = "/", *, troubled: bool = False, **options: object) -> Page:
        """Open `path`. A page that is `troubled` may lose its connection, which a browser complains about."""
        page = contexts.take(**options).new_page()
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        if not troubled:
            page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(path)
        return page

    system.wait_ready(path="/readyz")
    yield open_page
    contexts.give_back()
    assert complaints == []


@pytest.fixture
def page(open_page: Open) -> Page:
    """The page at `/`, in a window of usual size."""
    return open_page("/", viewport={"width": 1200, "height": 850})


@pytest.fixture
def keep() -> Callable[[Page, str], None]:
    """Keeps a screenshot of a whole page."""
    SHOTS.mkdir(parents=True, exist_ok=True)

    def keep(page: Page, name: str) -> None:
        page.screenshot(path=SHOTS / f"{name}.png", full_page=True)

    return keep


@pytest.fixture(scope="session")
def axe() -> Axe:
    """axe-core, as the script that a page is given once."""
    return Axe()


@pytest.fixture
def barriers(axe: Axe) -> Callable[[Page], list[str]]:
    """Tells by axe-core what shuts people out of a page: what it calls serious or critical."""

    def barriers(page: Page) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(axe.axe_script)
        found = page.evaluate("axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)")
        return [
            f"{v['id']}: {[n['html'] for n in v['nodes']]}" for v in found if v["impact"] in ("serious", "critical")
        ]

    return barriers
