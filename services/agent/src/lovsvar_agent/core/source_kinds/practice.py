"""`serper`: court decisions and administrative practice, quoted from the excerpts of a search engine."""

from lovsvar_agent.core.source_kinds.kind import SourceKind

PRACTICE = SourceKind("serper", label="praksis fra søkemotor", of_search_engine=True)
