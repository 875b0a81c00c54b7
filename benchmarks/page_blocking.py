"""How long a page of the law keeps its reader waiting: the total blocking time of Chromium's main thread.

    uv run python benchmarks/page_blocking.py --url http://127.0.0.1:8080
    uv run python benchmarks/page_blocking.py --url http://127.0.0.1:8080 --path /lov/1999-03-26-14 --slower 4

The page is opened `--times` times in a browser without a cache. Blocking time is what tasks of the main thread take
beyond 50 ms each, from the first request until a second after the page has loaded, in milliseconds. It is counted in
processor time, so that what else the machine does is left out; `--slower` multiplies the time of every task, as a
slower processor would. Folketrygdloven is the longest act. Exits with 1 when the median is above `--limit`.
"""

import argparse
import json
import os
import shutil
import statistics
from collections.abc import Iterable
from typing import Any

from playwright.sync_api import Browser, sync_playwright

LONGEST = "/lov/1997-02-28-19"
TASK = 50.0
"""Milliseconds that a task may take without being felt."""
CATEGORIES = ["disabled-by-default-devtools.timeline", "toplevel", "__metadata"]
TASKS = ("RunTask", "ThreadControllerImpl::RunTask")
MAIN_THREAD = "CrRendererMain"


def tasks_of(events: Iterable[dict[str, Any]]) -> list[float]:
    """Return the processor time of each task of the busiest page's main thread, in milliseconds."""
    events = list(events)
    threads = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name" and e["args"]["name"] == MAIN_THREAD}
    by_thread: dict[tuple[int, int], dict[str, list[float]]] = {thread: {} for thread in threads}
    for event in events:
        if (thread := (event["pid"], event["tid"])) in threads and event["name"] in TASKS and "tdur" in event:
            by_thread[thread].setdefault(event["name"], []).append(event["tdur"] / 1_000)
    # A task may be traced under both names; one of them has all.
    found = [tasks for named in by_thread.values() for tasks in named.values()]
    return max(found, key=sum, default=[])


def tasks(browser: Browser, url: str) -> tuple[list[float], int]:
    """Return the times of the tasks of a page, and how many elements it has."""
    context = browser.new_context(viewport={"width": 1300, "height": 800})
    try:
        page = context.new_page()
        page.set_default_timeout(120_000)
        browser.start_tracing(page=page, categories=CATEGORIES)
        answer = page.goto(url, wait_until="load")
        page.wait_for_timeout(1_000)
        traced = json.loads(browser.stop_tracing())["traceEvents"]
        if answer is None or answer.status != 200:
            raise SystemExit(f"{url}: {answer and answer.status}")
        return tasks_of(traced), page.evaluate("document.querySelectorAll('*').length")
    finally:
        context.close()


def main() -> int:
    """Measure and print; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", required=True, help="a running system with the real law")
    parser.add_argument("--path", default=LONGEST)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--slower", type=float, default=1)
    parser.add_argument("--limit", type=float, default=200)
    options = parser.parse_args()
    path = os.environ.get("LOVSVAR_CHROMIUM") or shutil.which("chromium")
    if path is None:
        parser.error("there is no Chromium here; LOVSVAR_CHROMIUM names one")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        runs = [tasks(browser, f"{options.url}{options.path}") for _ in range(options.times)]
        browser.close()
    if not all(run for run, _ in runs):
        raise SystemExit("Chromium traced no processor time")
    times = sorted(sum(max(0.0, task * options.slower - TASK) for task in run) for run, _ in runs)
    longest = max(max(run) for run, _ in runs) * options.slower
    median = statistics.median(times)
    print(f"{options.path}: {runs[0][1]} elements, longest task {longest:.0f} ms")
    print(f"blocking: median {median:.0f} ms, worst {times[-1]:.0f} ms of {len(times)}; limit {options.limit:.0f} ms")
    return int(median > options.limit)


if __name__ == "__main__":
    raise SystemExit(main())
