"""The messages between Lovsvar's services.

| module        | what it holds                                                      |
|---------------|--------------------------------------------------------------------|
| `message`     | the frozen base of every message: id, time, correlation id         |
| `subjects`    | NATS subjects and JetStream stream names                           |
| `problems`    | `Problem`, the reply when there is no result, and `ProblemError`    |
| `identifiers` | refids, section names and the addresses made from them             |
| `law`         | law types, in-force status, provisions and their blocks            |
| `search`      | requests and replies of the search service                         |
| `practice`    | requests and replies of the practice service                       |
| `questions`   | a question, its answer, citations and evidence                     |
| `blocks`      | the blocks that an answer is made of                               |
| `tools`       | tools that a service offers to the agent, and calls of them        |
| `run_events`  | the events of one run, as published to NATS and sent over SSE      |
| `ingest`      | sync commands, sync progress, document events                      |
| `health`      | the health of a service                                            |
| `audit`       | audit records: who asked what, and which sources were shown        |
| `tokens`      | the estimate of a text's language-model tokens                     |

Contracts evolve by adding optional fields; readers ignore fields and kinds of blocks that they do not know.
"""
