"""The manifests of all installed services as a file, for containers, in each of which one service is installed.

python -m lovsvar_local.services_file > deploy/services.json
"""

import json
import sys

from lovsvar_chassis.manifest import FILE, manifests


def written() -> str:
    """Return the file's content."""
    return json.dumps(FILE.dump_python(manifests(), mode="json", exclude_defaults=True), indent=1) + "\n"


if __name__ == "__main__":
    sys.stdout.write(written())
