"""The pages of cases. A page does what the functions of the routes under `/v1/` do, and nothing else.

| module | its pages |
|---|---|
| `case_list` | the list of cases, and opening one |
| `conversation` | what was said in a case, and the run that answers |
| `details` | summary, facts, aims and notes |
| `parties` | who the parties are |
| `documents` | documents: handed in, listed, searched, read |
| `law` | the law that was found |
| `drafts` | drafts: written, revised, previewed, downloaded |
| `history` | changes, and the case as it was |
| `administration` | tier, credit, help, export, access log, closing and erasing |
| `frame` | what all of them have in common |
"""

from lovsvar_gateway.routes.case_pages import (
    administration,
    case_list,
    conversation,
    details,
    documents,
    drafts,
    history,
    law,
    parties,
)

PAGES = (case_list, conversation, details, parties, documents, law, drafts, history, administration)
"""Each has a `router`."""
