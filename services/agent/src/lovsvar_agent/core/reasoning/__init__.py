"""Answering with a language model: it decides what to search, and what it says is proved.

| module               | what it knows                                                             |
| -------------------- | ------------------------------------------------------------------------- |
| `reasoned_answer`    | the strategy: the loop's outcome, checked                                 |
| `loop`               | the two states, model and tools, and the limits that end them             |
| `turns`              | what follows from a reply: tools, an answer, or a word to the model       |
| `conversation`       | what has been said, kept small enough to send                             |
| `replies`            | a reply put together from its pieces, whatever its server left out        |
| `model_call`         | one call of the model: streamed, counted, tried again                     |
| `arguments`          | a call's arguments, read as they were meant                               |
| `toolkit`            | carrying calls out, in parallel, with events in order                     |
| `queries`            | queries made of a question, and filters that it asks for                  |
| `tool_results`       | what was found, as the model reads it: fenced, and within a budget        |
| `untrusted_text`     | text that is data, never instruction                                      |
| `sources`            | the run's evidence together with its whole texts                          |
| `answer_draft`       | the answer's text while its JSON is still arriving                        |
| `final`              | the answer a model gives, read from whatever form it came in              |
| `citation_check`     | which of its citations hold                                               |
| `prose_check`        | what of its prose holds: quotes, references, sentences without a citation |
| `prose`              | the model's text made safe: tags, links, quotes                           |
| `answer_blocks`      | the checked prose, and what is said of its citations, as blocks           |
| `phrases`            | what the agent itself says, in bokmål, nynorsk and English                |
| `prompts`            | the instructions for the model                                            |
"""
