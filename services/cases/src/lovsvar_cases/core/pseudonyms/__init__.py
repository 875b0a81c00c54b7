"""Personal data out of texts, and back in.

| module | what it knows |
|---|---|
| `spans` | what was found in a text, and which of two findings that overlap is kept |
| `identifiers` | numbers, addresses and accounts by which people are known |
| `registered` | the names and values of a case's parties, in all the forms that a text has them in |
| `other_names` | names of people that nobody registered, by their look and their surroundings |
| `gate` | what takes all of them out of a text, and puts them back for who may see them |
"""
