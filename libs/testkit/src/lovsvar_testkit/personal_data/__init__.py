"""Made cases full of personal data, worked on by the whole system, with every channel looked through for it.

| module | what it knows |
|---|---|
| `values` | names, numbers and addresses, and the forms in which people write them |
| `made_cases` | cases with parties, texts and documents, and what of them must not get out |
| `sightings` | where a text or bytes hold what must not get out, in whatever form it is written |
| `taps` | what goes through the system: messages, streams, traces, metrics, logs, rows |
| `models` | an assistant that repeats whatever it is shown, and a reasoner |
| `walk` | one case from its opening to the finished letter, by the gateway's door |
| `trial` | all cases, and what was seen of them in which channel |
"""
