"""What Lovsvar itself says beside the law: explanations, situations, and whom to call in danger.

| module         | what it knows                                                                 |
| -------------- | ----------------------------------------------------------------------------- |
| `library`      | which of it belongs to an answer                                              |
| `situations`   | what to do next, by situation                                                 |
| `emergencies`  | whether a question tells of danger to life or health, and whom to call        |
"""
