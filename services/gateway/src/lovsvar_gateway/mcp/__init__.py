"""The MCP server: Norwegian law as tools, resources and a prompt for language models.

| module                   | what it knows                                               |
| ------------------------ | ----------------------------------------------------------- |
| `server.py`              | the server with all of it, and how a failure is told        |
| `mount.py`               | the server at `/mcp`, over streamable HTTP without sessions |
| `law.py`                 | what the tools ask the other services for                   |
| `permission.py`          | what a caller may do, and in whose name others are asked    |
| `answers.py`             | text beside structured output, or a sentence of advice      |
| `reference_arguments.py` | from what a model writes to what it means                   |
| `arguments.py`           | the arguments that several tools take                       |
| `law_tools.py`           | `lov`, `forskrift`, `hent_flere`, `sjekk_storrelse`         |
| `search_tools.py`        | `sok`, `liste`, `definisjoner`, `finn_praksis`              |
| `reference_tools.py`     | `valider_henvisning`, `formater_henvisning`                 |
| `in_force_tools.py`      | `sjekk_gjeldende`, `kunngjoringer`, `eos_grunnlag`          |
| `operator_tools.py`      | `status`, `sync`                                            |
| `ask_tool.py`            | `spor`                                                      |
| `resources.py`           | acts and provisions as resources, with completion           |
| `guide.py`               | instructions and the prompt `lovdata-guide`                 |

What they answer with, and the text that is read, is in `core/mcp`.
"""
