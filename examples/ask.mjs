// JavaScript, in Node.js 18 or later and in browsers: asks, follows the events, prints the answer with its quotes.
//
// node examples/ask.mjs http://127.0.0.1:8080 "Hvor mye kan utleier kreve i depositum?"
//
// In a page, `new EventSource(url)` reads the same stream and resumes by itself; it cannot send a key, as fetch can.

const [url, question] = process.argv.slice(2);
const key = process.env.LOVSVAR_API_KEY;
const headers = key ? { Authorization: `Bearer ${key}` } : {};
const CLOSING = new Set(["run.completed", "run.failed", "run.cancelled", "run.limit_reached"]);

async function call(path, options = {}) {
  const reply = await fetch(url + path, { ...options, headers: { ...headers, ...options.headers } });
  if (reply.ok) return reply;
  const problem = await reply.json(); // an RFC 9457 document
  throw new Error(`${problem.title}: ${problem.detail}`);
}

// Yields each event of a run once, and resumes after the last one when the connection breaks.
async function* events(path) {
  for (let seen = 0; ; await new Promise((resolve) => setTimeout(resolve, 2000))) {
    try {
      const reply = await call(path, { headers: { "Last-Event-ID": String(seen) } });
      if (reply.status === 204) return;
      let text = "";
      for await (const piece of reply.body.pipeThrough(new TextDecoderStream())) {
        const frames = (text + piece).split("\n\n");
        text = frames.pop();
        for (const frame of frames) {
          const fields = Object.fromEntries(frame.split("\n").map((line) => line.split(/: (.*)/s)));
          if (!fields.id) continue; // a heartbeat, or a hint
          seen = Number(fields.id);
          const event = JSON.parse(fields.data);
          yield event;
          if (CLOSING.has(event.type)) return;
        }
      }
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // fetch's own: the connection broke
    }
  }
}

async function main() {
  const asked = await call("/v1/questions", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ question }),
  });
  const run = await asked.json();
  for await (const event of events(run.links.events)) console.error(event.id, event.type, event.title ?? "");

  const answer = await (await call(run.links.self)).json();
  console.log(answer.answer_text);
  for (const { number, url: address, quote } of answer.citations) console.log(`[${number}] ${url}${address} «${quote}»`);
}

main().catch((error) => {
  console.error(`${url}: ${error.message}`);
  process.exitCode = 1;
});
