"""The MCP server: Norwegian law as tools, resources and a prompt for language models.

| module | what it knows |
|---|---|
| `server.py` | the server with all of it, and how a failure is told |
| `mount.py` | the server at `/mcp`, over streamable HTTP without sessions |
| `law.py` | what the tools ask the other services for |
| `naming.py` | from what a model writes to what it means |
| `arguments.py` | the arguments that several tools take |
| `looking_up.py` | `lov`, `forskrift`, `hent_flere`, `sjekk_storrelse` |
| `finding.py` | `sok`, `liste`, `definisjoner`, `finn_praksis` |
| `checking.py` | `valider_henvisning`, `formater_henvisning` |
| `standing.py` | `sjekk_gjeldende`, `kunngjoringer`, `eos_grunnlag` |
| `operating.py` | `status`, `sync` |
| `asking.py` | `spor` |
| `resources.py` | acts and provisions as resources, with completion |
| `guide.py` | instructions and the prompt `lovdata-guide` |

What they answer with, and the text that is read, is in `core/mcp`.
"""
