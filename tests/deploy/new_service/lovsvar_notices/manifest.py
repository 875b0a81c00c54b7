"""The manifest of the notices service."""

from lovsvar_chassis.manifest import DAY, MB, Schema, ServiceManifest, Stream
from lovsvar_chassis.permissions import reads

POSTED = "lovsvar.notice.posted"
READ = "lovsvar.notice.read"

SCHEMA = Schema(package="lovsvar_notices", name="notices")

MANIFEST = ServiceManifest(
    name="notices",
    package="lovsvar_notices",
    order=45,
    streams=(Stream(name="NOTICES", subjects=(POSTED,), max_age=DAY, max_bytes=64 * MB, max_msg_size=MB),),
    migrations=SCHEMA,
    publishes=(POSTED, *reads("NOTICES")),
    subscribes=(READ,),
    login="lovsvar_notices",
)
