"""What every service stands on, and no contract.

| module       | what it knows                                                           |
|--------------|-------------------------------------------------------------------------|
| `settings`   | the environment variables that all services share                       |
| `telemetry`  | traces and structured logs that carry the trace's id                     |
| `credentials`| who a service is to NATS, and how it knows NATS                         |
| `streams`    | which JetStream streams exist and how each is kept                      |
| `broker`     | the FastStream broker: the connection, and what is heard without answer  |
| `problems`   | how an error becomes a `Problem`                                        |
| `answering`  | answering requests, each with what was asked for or a `Problem`         |
| `requests`   | asking another service and getting a typed reply or a `ProblemError`     |
| `events`     | publishing to streams with trace context                                |
| `work_queue` | taking work from a stream: redelivery, heartbeats, dead letters         |
| `run_log`    | the events of a run: append, read, follow, fold into a snapshot         |
| `database`   | the asyncpg pool and the loader of `.sql` files                         |
| `addresses`  | addresses without what opens them, and the error of a server out of reach |
| `repeats`    | logging what fails again and again once a minute                        |
| `progress`   | what the components of a process did last                               |
| `liveness`   | proof that the event loop turns, and the end of a process where it hangs |
| `health`     | saying how a service is, and asking the others                          |
| `probe`      | whether the service on this host answers: a health check for containers |
| `service`    | starting the parts of a service in order and stopping them in reverse   |
"""
