"""The manifest of the agent service: it owns questions and the logs of runs."""

from lovsvar_chassis.manifest import DAY, KB, MB, ServiceManifest, Stream
from lovsvar_chassis.permissions import API, SEARCH, UNREADY, reads, works
from lovsvar_contracts import subjects

QUESTIONS = Stream(
    name=subjects.STREAM_QUESTIONS,
    subjects=(subjects.QUESTION_ASKED, subjects.QUESTION_ASKED_BY_ANY),
    work_queue=True,
    max_age=DAY,
    # The gateway refuses questions long before; this bounds what other services ask.
    refuses=True,
    max_bytes=256 * MB,
    max_msgs=10_000,
    max_msg_size=256 * KB,
)

ANSWERS = Stream(
    name=subjects.STREAM_ANSWERS,
    subjects=(subjects.ANSWER_ANY,),
    max_age=DAY,
    max_bytes=1920 * MB,
    max_msg_size=MB,
    # Followers have no consumer: they read by direct get, and hear of what is stored (`run_feed`).
    direct=True,
    republish=(subjects.ANSWER_ANY, subjects.answer_stored("{{wildcard(1)}}")),
)

MANIFEST = ServiceManifest(
    name="agent",
    package="lovsvar_agent",
    order=40,
    needed=True,
    streams=(QUESTIONS, ANSWERS),
    publishes=(
        *works(subjects.STREAM_QUESTIONS, subjects.CONSUMER_QUESTIONS),
        *reads(subjects.STREAM_ANSWERS, subjects.STREAM_QUESTIONS),
        f"{API}.STREAM.INFO.{subjects.STREAM_ANSWERS}",
        *SEARCH,
        UNREADY,
        subjects.PRACTICE_SEARCH,
        subjects.tool_list("*"),
        subjects.tool_call("*"),
        *QUESTIONS.subjects,
        subjects.ANSWER_ANY,
    ),
    subscribes=(
        subjects.AGENT_ASK,
        subjects.QUESTION_CANCEL_ANY,
        subjects.ANSWER_STORED_ANY,
        subjects.CATALOGUE_CHANGED,
    ),
)
