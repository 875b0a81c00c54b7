"""NATS subjects and streams."""

import re

from lovsvar_contracts import subjects

NAMES = {
    name: value
    for name, value in vars(subjects).items()
    if isinstance(value, str) and name.isupper() and name != "PREFIX" and not name.startswith(("STREAM_", "CONSUMER_"))
}
STREAMS = {name: value for name, value in vars(subjects).items() if name.startswith("STREAM_")}
MADE = [
    subjects.question_asked("a"),
    subjects.question_cancel("r"),
    subjects.answer("r"),
    subjects.ingest_progress("s"),
    subjects.dead("QUESTIONS"),
    subjects.health("search"),
    subjects.tool_list("products"),
    subjects.tool_call("products"),
]


def matches(pattern: str, subject: str) -> bool:
    return re.fullmatch(re.escape(pattern).replace(r"\*", r"[^.]+"), subject) is not None


def test_no_two_names_mean_the_same_subject() -> None:
    every = [*NAMES.values(), *MADE]
    assert len(every) == len(set(every))


def test_no_two_names_mean_the_same_stream() -> None:
    assert len(set(STREAMS.values())) == len(STREAMS) == 9


def test_every_subject_has_the_prefix_and_whole_tokens() -> None:
    for subject in [*NAMES.values(), *MADE]:
        assert re.fullmatch(r"lovsvar(\.[A-Za-z_]+)+(\.\*)?", subject), subject


def test_a_made_subject_is_within_the_one_that_is_listened_to() -> None:
    assert matches(subjects.QUESTION_ASKED_BY_ANY, subjects.question_asked("a"))
    assert matches(subjects.QUESTION_CANCEL_ANY, subjects.question_cancel("r"))
    assert matches(subjects.ANSWER_ANY, subjects.answer("r"))
    assert matches(subjects.INGEST_PROGRESS_ANY, subjects.ingest_progress("s"))
    assert matches(subjects.DEAD_ANY, subjects.dead("QUESTIONS"))
    assert matches(subjects.tool_list("*"), subjects.tool_list("products"))
    assert matches(subjects.tool_call("*"), subjects.tool_call("products"))
    for subject in (subjects.DOCUMENT_ADDED, subjects.DOCUMENT_CHANGED, subjects.DOCUMENT_REMOVED):
        assert matches(subjects.DOCUMENT_ANY, subject)


def test_the_subject_of_work_is_not_within_another_stream() -> None:
    patterns = [value for name, value in NAMES.items() if name.endswith("_ANY")]
    for work in (subjects.QUESTION_ASKED, subjects.INGEST_REQUESTED, subjects.EMBEDDING_REQUESTED):
        assert not any(matches(pattern, work) for pattern in patterns)
