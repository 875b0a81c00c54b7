"""What each service may do on NATS, and the server's configuration that says so.

`python -m lovsvar_local.nats_permissions > deploy/nats/nats.conf` writes the file; a test says when it is out of date.

NATS knows a service by its nkey. Whatever is not allowed here is refused by the server. A reply goes to the inbox of
who asked, which begins with that service's name and can be read by it alone.

Permissions do not hold for what JetStream sends: whoever reads or acknowledges messages names the subject that the
answer goes to, which may be another service's, or JetStream's own. The audit log is therefore in an account of its own,
to which nothing leads from the others.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lovsvar_agent.handlers import QUEUE as AGENT_DURABLE
from lovsvar_chassis.credentials import inbox_prefix
from lovsvar_chassis.health import SERVICES
from lovsvar_chassis.streams import ALL_STREAMS, PROBE, PROBED
from lovsvar_contracts import subjects
from lovsvar_ingest.embedding_handlers import POLICY as EMBEDDING
from lovsvar_ingest.handlers import POLICY as INGEST
from lovsvar_practice.adapters.nats_budget import BUCKET as BUDGET
from lovsvar_practice.adapters.nats_cache import BUCKET as CACHE

API = "$JS.API"

MAIN, AUDIT = "LOVSVAR", "AUDIT"
"""The accounts."""

SEARCH = tuple(value for name, value in vars(subjects).items() if name.startswith("SEARCH_"))
HEALTH = tuple(subjects.health(service) for service in SERVICES)
UNREADY = subjects.unready(">")
QUESTIONS = (subjects.QUESTION_ASKED, subjects.QUESTION_ASKED_BY_ANY)
LOOKED_AT = (subjects.STREAM_QUESTIONS, subjects.STREAM_ANSWERS, subjects.STREAM_INGEST_EVENTS, subjects.STREAM_DEAD)
WORK = (subjects.STREAM_QUESTIONS, subjects.STREAM_INGEST, subjects.STREAM_EMBEDDING)

HEAD = """\
# Who may do what on NATS. Written by `python -m lovsvar_local.nats_permissions`; change it there.
# local/local.conf, which `lovsvar setup` makes, says which key is whose. TLS is set there too: see deploy/README.md.

include "local/local.conf"

port: 4222
# What is watched from outside the container is asked of the services.
http: "127.0.0.1:8222"
max_connections: 1000
max_subscriptions: 10000
max_control_line: 4KB

# A client whose link died keeps its subscriptions, and gets requests that nobody answers, until the server notices:
# after twenty seconds, and not after the six minutes of the defaults.
ping_interval: "5s"
ping_max: 2
write_deadline: "5s"

# Not three quarters of the disk as it was at the start, which is what the server takes by itself: what is raised here
# counts from `nats-server --signal reload` on. Above LOVSVAR_STORAGE_MB, which is what the streams may take.
jetstream: {max_file_store: 8GB}
"""


@dataclass(frozen=True)
class User:
    """A service, or a person's tools, as NATS knows it. `publish` and `subscribe` are all that it may."""

    name: str
    publish: tuple[str, ...]
    subscribe: tuple[str, ...] = ()
    answers: bool = False
    account: str = MAIN

    @property
    def key(self) -> str:
        """The variable in local.conf that holds its public key."""
        return f"NKEY_{self.name.upper()}"


def makes(*streams: str) -> tuple[str, ...]:
    """Make streams that are missing."""
    return tuple(f"{API}.STREAM.{verb}.{stream}" for stream in streams for verb in ("INFO", "CREATE"))


def declares(*streams: str) -> tuple[str, ...]:
    """Make streams, and bring them to their configuration. Whoever may do that may have them take what others send."""
    return (*makes(*streams), *(f"{API}.STREAM.UPDATE.{stream}" for stream in streams))


def reads(*streams: str) -> tuple[str, ...]:
    """Read single messages of streams, and pages of them."""
    ways = ("STREAM.MSG.GET.{}", "DIRECT.GET.{}", "DIRECT.GET.{}.>")
    return tuple(f"{API}.{way.format(stream)}" for stream in streams for way in ways)


def follows(*streams: str) -> tuple[str, ...]:
    """Read streams in order, and whatever is added, by consumers that end with their reader."""
    return tuple(
        subject
        for stream in streams
        for subject in (
            f"{API}.CONSUMER.CREATE.{stream}",
            f"{API}.CONSUMER.CREATE.{stream}.>",
            f"{API}.CONSUMER.INFO.{stream}.*",
            f"{API}.CONSUMER.DELETE.{stream}.*",
            f"$JS.FC.{stream}.>",
        )
    )


def works(stream: str, durable: str) -> tuple[str, ...]:
    """Take work from a stream by its one durable consumer, give it back, and bury what nobody can handle."""
    return (
        f"{API}.CONSUMER.DURABLE.CREATE.{stream}.{durable}",
        f"{API}.CONSUMER.CREATE.{stream}.{durable}.>",
        f"{API}.CONSUMER.INFO.{stream}.{durable}",
        f"{API}.CONSUMER.MSG.NEXT.{stream}.{durable}",
        f"$JS.ACK.{stream}.{durable}.>",
        subjects.dead(stream),
    )


def keeps(*buckets: str) -> tuple[str, ...]:
    """Use buckets of the key-value store."""
    streams = tuple(f"KV_{bucket}" for bucket in buckets)
    return (*makes(*streams), *reads(*streams), *(f"$KV.{bucket}.>" for bucket in buckets))


def service(name: str, publish: Iterable[str], subscribe: Iterable[str] = ()) -> User:
    """Return a service that says how it is, asks itself how it is, and answers what it is asked."""
    health = subjects.health(name)
    own = (f"{health}.*",)
    return User(name, (*publish, *own), (*subscribe, health, *own, f"{inbox_prefix(name)}.>"), answers=True)


USERS: Sequence[User] = (
    service(
        "ingest",
        (
            *declares(*(str(stream.name) for stream in ALL_STREAMS)),
            *works(INGEST.stream, INGEST.durable),
            f"{API}.STREAM.PURGE.{subjects.STREAM_EMBEDDING}",
            subjects.INGEST_REQUESTED,
            subjects.INGEST_PROGRESS_ANY,
            subjects.DOCUMENT_ANY,
            subjects.EMBEDDING_REQUESTED,
        ),
        (subjects.INGEST_PROGRESS_ANY, subjects.EMBEDDING_STORED),
    ),
    service(
        "embedding",
        (
            *works(EMBEDDING.stream, EMBEDDING.durable),
            subjects.EMBEDDING_REQUESTED,
            subjects.EMBEDDING_STORED,
        ),
    ),
    service(
        "search",
        (UNREADY,),
        (
            *SEARCH,
            *(subjects.unready(subject) for subject in (*SEARCH, subjects.health("search"))),
            subjects.DOCUMENT_ANY,
        ),
    ),
    service("practice", keeps(CACHE, BUDGET), (subjects.PRACTICE_SEARCH,)),
    service(
        "agent",
        (
            *works(subjects.STREAM_QUESTIONS, AGENT_DURABLE),
            *reads(subjects.STREAM_ANSWERS, subjects.STREAM_QUESTIONS),
            f"{API}.STREAM.INFO.{subjects.STREAM_ANSWERS}",
            *SEARCH,
            UNREADY,
            subjects.PRACTICE_SEARCH,
            subjects.tool_list("*"),
            subjects.tool_call("*"),
            *QUESTIONS,
            subjects.ANSWER_ANY,
        ),
        (subjects.AGENT_ASK, subjects.QUESTION_CANCEL_ANY, subjects.ANSWER_STORED_ANY),
    ),
    service(
        "gateway",
        (
            *reads(subjects.STREAM_ANSWERS, subjects.STREAM_INGEST, subjects.STREAM_INGEST_EVENTS),
            *follows(subjects.STREAM_INGEST_EVENTS),
            *(f"{API}.STREAM.INFO.{stream}" for stream in LOOKED_AT),
            f"{API}.STREAM.LIST",
            # What metrics tell of: how much work waits, since when, and how full the store is.
            f"{API}.INFO",
            *(f"{API}.CONSUMER.LIST.{stream}" for stream in WORK),
            *(f"{API}.STREAM.MSG.GET.{stream}" for stream in WORK),
            f"{API}.CONSUMER.INFO.{subjects.STREAM_QUESTIONS}.{AGENT_DURABLE}",
            *SEARCH,
            *HEALTH,
            UNREADY,
            PROBED,
            subjects.PRACTICE_SEARCH,
            *QUESTIONS,
            subjects.question_cancel("*"),
            subjects.ANSWER_ANY,
            subjects.INGEST_REQUESTED,
        ),
        (subjects.ANSWER_STORED_ANY, subjects.INGEST_PROGRESS_ANY),
    ),
    # The gateway, where the audit log is.
    User(
        "audit",
        (
            *declares(subjects.STREAM_AUDIT, str(PROBE.name)),
            *reads(subjects.STREAM_AUDIT),
            f"{API}.STREAM.INFO.{subjects.STREAM_DEAD}",
            f"{API}.STREAM.LIST",
            f"{API}.INFO",
            PROBED,
            subjects.AUDIT_ANY,
        ),
        (f"{inbox_prefix('gateway')}.>",),
        account=AUDIT,
    ),
    # Other services of the house, which ask over NATS.
    User(
        "client",
        (
            *reads(subjects.STREAM_ANSWERS),
            *follows(subjects.STREAM_ANSWERS),
            f"{API}.STREAM.INFO.{subjects.STREAM_ANSWERS}",
            *SEARCH,
            *HEALTH,
            UNREADY,
            subjects.PRACTICE_SEARCH,
            subjects.AGENT_ASK,
            subjects.QUESTION_ASKED,
            subjects.question_cancel("*"),
        ),
        (f"{inbox_prefix('client')}.>", subjects.ANSWER_STORED_ANY),
    ),
    # Backups, and whoever looks after the streams.
    User(
        "operator",
        (f"{subjects.PREFIX}.>", "$JS.>", "$KV.>"),
        (f"{subjects.PREFIX}.>", "$JS.EVENT.>", f"{inbox_prefix('operator')}.>"),
    ),
    User("audit_operator", ("$JS.>",), (f"{inbox_prefix('operator')}.>",), account=AUDIT),
)


def configuration(users: Iterable[User] = USERS) -> str:
    """Return deploy/nats/nats.conf."""
    listed = tuple(users)
    accounts = [line for account in (MAIN, AUDIT) for line in _account(account, listed)]
    return "\n".join((HEAD, "accounts {", *accounts, "}", ""))


def keys(public: dict[str, str]) -> str:
    """Return local.conf for the public keys of the users by their names."""
    return "".join(f'{user.key}: "{public[user.name]}"\n' for user in USERS)


def _account(account: str, users: Iterable[User]) -> list[str]:
    entries = [line for user in users if user.account == account for line in _entry(user)]
    return [f"  {account}: {{", "    jetstream: enabled", "    users: [", *entries, "    ]", "  }"]


def _entry(user: User) -> list[str]:
    return [
        f"      # {user.name}",
        "      {",
        f"        nkey: ${user.key}",
        "        permissions: {",
        *_allowed("publish", user.publish),
        *_allowed("subscribe", user.subscribe),
        # Work may take minutes, and so may a reply.
        *(['          allow_responses: {max: 1, expires: "10m"}'] if user.answers else []),
        "        }",
        "      }",
    ]


def _allowed(verb: str, allowed: Iterable[str]) -> list[str]:
    listed = [f"            {json.dumps(subject)}" for subject in sorted(set(allowed))]
    return [f"          {verb}: {{allow: [", *listed, "          ]}"]


if __name__ == "__main__":
    print(configuration(), end="")  # noqa: T201 # what the module is run for
