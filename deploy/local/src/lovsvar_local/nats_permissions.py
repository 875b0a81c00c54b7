"""What each service may do on NATS: `python -m lovsvar_local.nats_permissions > deploy/nats/nats.conf`.

NATS authenticates a service by its nkey and refuses what is not allowed here. A reply goes to the requester's inbox,
which that service alone can read. Permissions do not hold for what JetStream sends: a reader names the subject of the
answer, which may be another's. The audit log is therefore in an account of its own.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lovsvar_chassis.manifest import PROBE, PROBED, Process, all_streams, processes
from lovsvar_chassis.permissions import API, SEARCH, UNREADY, declares, follows, reads
from lovsvar_chassis.settings import inbox_prefix
from lovsvar_contracts import subjects

MAIN, AUDIT = "LOVSVAR", "AUDIT"
"""The accounts."""

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


def user_of(process: Process) -> User:
    """Return a service's process: it may do what its manifest says, be asked for its health, and answer requests."""
    health, streams = subjects.health(process.name), all_streams()
    publish = [*process.publishes, f"{health}.*"]
    if process.declares_streams:
        publish += declares(*(stream.name for stream in streams))
    if process.watches_queues:
        ways = (f"{API}.CONSUMER.LIST", f"{API}.STREAM.MSG.GET")
        publish += [f"{way}.{stream.name}" for stream in streams if stream.work_queue for way in ways]
    subscribe = (*process.subscribes, health, f"{health}.*", f"{inbox_prefix(process.name)}.>")
    return User(process.name, tuple(publish), subscribe, answers=True)


OTHERS: Sequence[User] = (
    # The gateway, where the audit log is.
    User(
        "audit",
        (
            *declares(subjects.STREAM_AUDIT, PROBE.name),
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
    # Other systems of the same owner, which ask over NATS.
    User(
        "client",
        (
            *reads(subjects.STREAM_ANSWERS),
            *follows(subjects.STREAM_ANSWERS),
            f"{API}.STREAM.INFO.{subjects.STREAM_ANSWERS}",
            *SEARCH,
            subjects.health("*"),
            UNREADY,
            subjects.PRACTICE_SEARCH,
            subjects.AGENT_ASK,
            subjects.QUESTION_ASKED,
            subjects.question_cancel("*"),
        ),
        (f"{inbox_prefix('client')}.>", subjects.ANSWER_STORED_ANY),
    ),
    # Backups, and the operator of the streams.
    User(
        "operator",
        (f"{subjects.PREFIX}.>", "$JS.>", "$KV.>"),
        (f"{subjects.PREFIX}.>", "$JS.EVENT.>", f"{inbox_prefix('operator')}.>"),
    ),
    User("audit_operator", ("$JS.>",), (f"{inbox_prefix('operator')}.>",), account=AUDIT),
)


def users() -> tuple[User, ...]:
    """Return all users of NATS: the processes of installed services, and those of `OTHERS`."""
    return (*map(user_of, processes().values()), *OTHERS)


def configuration() -> str:
    """Return deploy/nats/nats.conf."""
    accounts = [line for account in (MAIN, AUDIT) for line in _account(account, users())]
    return "\n".join((HEAD, "accounts {", *accounts, "}", ""))


def keys(public: dict[str, str]) -> str:
    """Return local.conf for the public keys of the users by their names."""
    return "".join(f'{user.key}: "{public[user.name]}"\n' for user in users())


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
