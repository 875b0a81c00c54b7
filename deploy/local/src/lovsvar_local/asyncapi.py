"""The AsyncAPI document of all installed services.

python -m lovsvar_local.asyncapi > docs/asyncapi.json
"""

import json
import sys

from lovsvar_chassis.asyncapi import document
from lovsvar_chassis.manifest import processes
from lovsvar_chassis.service import Service, service_version


def services() -> tuple[Service, ...]:
    """Return every process of a service, built and not started."""
    return tuple(getattr(one.load_app(), one.build)(one.load_settings()()) for one in processes().values())


def written() -> str:
    """Return the document as it is stored."""
    return (
        json.dumps(document(services(), service_version("gateway")), ensure_ascii=False, indent=1, sort_keys=True)
        + "\n"
    )


if __name__ == "__main__":
    sys.stdout.write(written())
