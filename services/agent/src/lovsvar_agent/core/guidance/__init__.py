"""What Lovsvar itself says beside the law: explanations, situations, and whom to call in danger.

| module         | what it knows                                                                 |
| -------------- | ----------------------------------------------------------------------------- |
| `library`      | which of it belongs to an answer                                              |
| `situations`   | what to do next, by situation                                                 |
| `next_steps`   | a situation as a block, with the sentence that sets its deadline              |
| `emergencies`  | whether a question describes danger to life or health, and whom to call       |
| `dangers`      | how people write of danger to life or health                                  |
| `danger_signs` | signs that together mean danger, in whatever words they are put               |
| `danger_words` | the words of those patterns                                                   |
"""
