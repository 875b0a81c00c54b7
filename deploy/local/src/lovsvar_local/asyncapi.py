"""The AsyncAPI document of all services, which are installed here.

python -m lovsvar_local.asyncapi > docs/asyncapi.json
"""

import json
import sys
from typing import Any

from lovsvar_agent import app as agent
from lovsvar_agent.settings import Settings as AgentSettings
from lovsvar_chassis.asyncapi import document
from lovsvar_chassis.service import Service, service_version
from lovsvar_gateway import app as gateway
from lovsvar_gateway.settings import Settings as GatewaySettings
from lovsvar_ingest import app as ingest
from lovsvar_ingest import embedding_app as embedding
from lovsvar_ingest.embedding_settings import EmbeddingSettings
from lovsvar_ingest.settings import Settings as IngestSettings
from lovsvar_practice import app as practice
from lovsvar_practice.settings import Settings as PracticeSettings
from lovsvar_search import app as search
from lovsvar_search.settings import Settings as SearchSettings


def services() -> tuple[Service, ...]:
    """Return every service, built and not started."""
    return (
        search.build(SearchSettings()),
        practice.build(PracticeSettings()),
        agent.build(AgentSettings()),
        ingest.build(IngestSettings()),
        embedding.build(EmbeddingSettings()),
        gateway.build(GatewaySettings())[0],
    )


def written() -> str:
    """Return the document as it is stored."""
    made: dict[str, Any] = document(services(), service_version("gateway"))
    return json.dumps(made, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(written())
