"""The manifest of the ingest service: it owns the corpus, its schema and its events, and embeds in a second process."""

from lovsvar_chassis.manifest import DAY, KB, MB, Process, Schema, ServiceManifest, Stream
from lovsvar_chassis.permissions import API, works
from lovsvar_contracts import subjects

SCHEMA = Schema(package="lovsvar_ingest")

STREAMS = (
    Stream(
        name=subjects.STREAM_INGEST,
        subjects=(subjects.INGEST_REQUESTED,),
        work_queue=True,
        max_age=DAY,
        refuses=True,
        max_bytes=16 * MB,
        max_msgs=1_000,
        max_msg_size=64 * KB,
    ),
    Stream(
        name=subjects.STREAM_INGEST_EVENTS,
        subjects=(subjects.INGEST_PROGRESS_ANY,),
        max_age=7 * DAY,
        max_bytes=128 * MB,
        max_msg_size=MB,
        direct=True,
    ),
    Stream(
        name=subjects.STREAM_DOCUMENTS,
        subjects=(subjects.DOCUMENT_ANY,),
        max_age=7 * DAY,
        max_bytes=256 * MB,
        max_msg_size=MB,
    ),
    Stream(
        name=subjects.STREAM_EMBEDDING,
        subjects=(subjects.EMBEDDING_REQUESTED,),
        work_queue=True,
        refuses=True,
        max_bytes=128 * MB,
        max_msgs=1_000,
        max_msg_size=MB,
    ),
)

EMBEDDING = Process(
    name="embedding",
    package="lovsvar_ingest",
    app="embedding_app",
    settings="settings:EmbeddingSettings",
    publishes=(
        *works(subjects.STREAM_EMBEDDING, "embedding"),
        subjects.EMBEDDING_REQUESTED,
        subjects.EMBEDDING_STORED,
    ),
    login="lovsvar_ingest",
    # It has only the cores that nothing else wants; requests that somebody waits for have the others.
    patience=120.0,
    environment={"LOVSVAR_EMBED_THREADS": "1"},
    unless={"LOVSVAR_EMBEDDING": "off"},
)

MANIFEST = ServiceManifest(
    name="ingest",
    package="lovsvar_ingest",
    order=10,
    streams=STREAMS,
    migrations=SCHEMA,
    workers=(EMBEDDING,),
    declares_streams=True,
    publishes=(
        *works(subjects.STREAM_INGEST, "ingest"),
        f"{API}.STREAM.PURGE.{subjects.STREAM_EMBEDDING}",
        subjects.INGEST_REQUESTED,
        subjects.INGEST_PROGRESS_ANY,
        subjects.DOCUMENT_ANY,
        subjects.EMBEDDING_REQUESTED,
        subjects.CATALOGUE_CHANGED,
    ),
    subscribes=(subjects.INGEST_PROGRESS_ANY, subjects.EMBEDDING_STORED),
    login="lovsvar_ingest",
)
