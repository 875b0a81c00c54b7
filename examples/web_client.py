"""A web client: asks over HTTP, reads the events while they come, prints the answer with its sources.

python examples/web_client.py http://127.0.0.1:8080 "Hvor mye kan utleier kreve i depositum?"
"""

import json
import sys

import httpx2

url, question = sys.argv[1:]
with httpx2.Client(base_url=url, timeout=30) as client:
    run = client.post("/v1/questions", json={"question": question}).raise_for_status().json()
    with client.stream("GET", f"/v1/questions/{run['run_id']}/events") as events:
        for line in events.iter_lines():
            if line.startswith("data: ") and (event := json.loads(line.removeprefix("data: "))):
                print(event.get("id", ""), event.get("type", "heartbeat"), event.get("title", ""), file=sys.stderr)

    answer = client.get(f"/v1/questions/{run['run_id']}").raise_for_status().json()
    print(answer["answer_text"])
    for citation in answer["citations"]:
        print(f"[{citation['number']}] {url}{citation['url']} «{citation['quote']}»")
