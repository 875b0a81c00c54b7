"""NATS subjects that a service must be allowed to publish to for what it does with streams and buckets."""

from lovsvar_contracts import subjects

API = "$JS.API"

SEARCH = tuple(value for name, value in vars(subjects).items() if name.startswith("SEARCH_"))
CASES = tuple(value for name, value in vars(subjects).items() if name.startswith("CASES_"))
UNREADY = subjects.unready(">")


def makes(*streams: str) -> tuple[str, ...]:
    """Make streams that are missing."""
    return tuple(f"{API}.STREAM.{verb}.{stream}" for stream in streams for verb in ("INFO", "CREATE"))


def declares(*streams: str) -> tuple[str, ...]:
    """Make and reconfigure streams. A service with this permission can redirect what others send."""
    return (*makes(*streams), *(f"{API}.STREAM.UPDATE.{stream}" for stream in streams))


def reads(*streams: str) -> tuple[str, ...]:
    """Read single messages of streams, and pages of them."""
    ways = ("STREAM.MSG.GET.{}", "DIRECT.GET.{}", "DIRECT.GET.{}.>")
    return tuple(f"{API}.{way.format(stream)}" for stream in streams for way in ways)


def follows(*streams: str) -> tuple[str, ...]:
    """Read streams in order, and what is added, by consumers that end with their reader."""
    ways = ("CREATE.{}", "CREATE.{}.>", "INFO.{}.*", "DELETE.{}.*")
    return tuple(
        subject
        for stream in streams
        for subject in (*(f"{API}.CONSUMER.{way.format(stream)}" for way in ways), f"$JS.FC.{stream}.>")
    )


def works(stream: str, durable: str) -> tuple[str, ...]:
    """Take work from a stream by its one durable consumer, settle it, and store dead letters."""
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
