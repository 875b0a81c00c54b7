// Following a run to its end, whatever happens to the connection.
//
// EventSource resumes by itself when a connection breaks, but not when the server answers with an error, nor when
// a connection dies in silence. Both are made good here: what was seen last is known, so nothing is lost or doubled.

const CLOSING = ["run.completed", "run.failed", "run.cancelled", "run.limit_reached"];
const SILENCE = 25_000; // A heartbeat comes every ten seconds.
const TELL_AFTER = 8_000; // A short break is no news.
const WAITS = [500, 1_000, 2_000, 5_000];

// `address` is that of a run or of a reply in a case, `types` the names of its events.
export function follow(address, types, { happened, contact, ended }) {
  let source, seen = 0, failures = 0, silence, told, again, done = false;

  function connect() {
    clearTimeout(again);
    source?.close();
    source = new EventSource(`${address}/events?after=${seen}`);
    source.onopen = alive;
    source.onerror = broken;
    source.addEventListener("heartbeat", alive);
    for (const type of ["snapshot", ...types]) source.addEventListener(type, receive);
    watch();
  }

  function receive(message) {
    alive();
    const event = JSON.parse(message.data);
    if (message.type === "snapshot") {
      if (event.status !== "running") finish();
      return;
    }
    if (event.id <= seen) return;
    seen = event.id;
    happened(event);
    if (CLOSING.includes(event.type)) finish();
  }

  function finish() {
    if (done) return;
    done = true;
    source.close();
    [silence, told, again].forEach(clearTimeout);
    removeEventListener("online", connect);
    contact(true);
    ended();
  }

  function alive() {
    failures = 0;
    clearTimeout(told);
    told = undefined;
    contact(true);
    watch();
  }

  function watch() {
    clearTimeout(silence);
    silence = setTimeout(connect, SILENCE);
  }

  function broken() {
    if (done) return;
    told ??= setTimeout(() => contact(false), TELL_AFTER);
    if (source.readyState !== EventSource.CLOSED) return;
    clearTimeout(again);
    again = setTimeout(resume, WAITS[Math.min(failures++, WAITS.length - 1)]);
  }

  // A run that ended while nobody listened, or that is gone, has no more events, and none is shown to a key that was
  // taken back: the run's page says how it stands.
  async function resume() {
    try {
      const answer = await fetch(address, { cache: "no-store" });
      if ([401, 403, 404].includes(answer.status)) return finish();
    } catch {
      return broken();
    }
    connect();
  }

  addEventListener("online", connect);
  connect();
}
