"""The names of the tools that a case's work has besides those of services."""

CONSULT = "consult_reasoner"
ASK_USER = "ask_user"
OWN_TOOLS = frozenset({CONSULT, ASK_USER})
"""Their failures are told, and lead up no ladder: it leads to them."""

SET_TIER = "set_case_tier"
GENERATE_DRAFT = "generate_draft_pdf"
GET_DETAILS = "get_case_details"
UPDATE_DETAILS = "update_case_details"
CREATE_TICKET = "create_support_ticket"
