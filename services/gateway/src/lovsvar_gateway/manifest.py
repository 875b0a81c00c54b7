"""The manifest of the gateway service."""

from lovsvar_chassis.manifest import DAY, KB, MB, PROBED, ServiceManifest, Stream
from lovsvar_chassis.permissions import API, CASES, SEARCH, UNREADY, follows, reads
from lovsvar_contracts import subjects

LOOKED_AT = (subjects.STREAM_QUESTIONS, subjects.STREAM_ANSWERS, subjects.STREAM_INGEST_EVENTS, subjects.STREAM_DEAD)

SAVED = Stream(
    name=subjects.STREAM_SAVED,
    subjects=(subjects.SAVED_ANY,),
    max_age=365 * DAY,
    # What somebody asked to keep is not forgotten for what somebody else does.
    refuses=True,
    max_bytes=128 * MB,
    max_msgs=20_000,
    max_msg_size=MB + 64 * KB,
)
"""Saved answers, one message each."""

MANIFEST = ServiceManifest(
    name="gateway",
    package="lovsvar_gateway",
    build="build_service",
    # People talk to it: it starts last and stops first.
    order=100,
    needed=True,
    watches_queues=True,
    streams=(SAVED,),
    publishes=(
        *reads(subjects.STREAM_ANSWERS, subjects.STREAM_INGEST, subjects.STREAM_INGEST_EVENTS, subjects.STREAM_SAVED),
        *follows(subjects.STREAM_INGEST_EVENTS),
        *(f"{API}.STREAM.INFO.{stream}" for stream in LOOKED_AT),
        f"{API}.STREAM.MSG.DELETE.{subjects.STREAM_SAVED}",
        f"{API}.STREAM.LIST",
        # Its metrics: how full the store is.
        f"{API}.INFO",
        f"{API}.CONSUMER.INFO.{subjects.STREAM_QUESTIONS}.{subjects.CONSUMER_QUESTIONS}",
        *SEARCH,
        *CASES,
        subjects.health("*"),
        UNREADY,
        PROBED,
        subjects.PRACTICE_SEARCH,
        subjects.QUESTION_ASKED,
        subjects.QUESTION_ASKED_BY_ANY,
        subjects.question_cancel("*"),
        subjects.ANSWER_ANY,
        subjects.SAVED_ANY,
        subjects.INGEST_REQUESTED,
    ),
    subscribes=(subjects.ANSWER_STORED_ANY, subjects.CASE_CHANGED_ANY, subjects.INGEST_PROGRESS_ANY),
)
