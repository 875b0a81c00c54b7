"""Running a command where there is no network but its own loopback interface, and seeing what it looks for outside.

`python -m lovsvar_testkit.isolated REPORT COMMAND…`, inside `unshare`, writes as JSON to the file REPORT
which names were looked up, by whatever means, and how many packets found no way out. `run_isolated` does both.
"""

import contextlib
import errno
import fcntl
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

UNSHARE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
"""With processes of its own, too, so that none outlives the command."""

MALFORMED = "(malformed)"
"""What a packet to the resolver that names nothing is noted as: it is a look-up too."""

RESOLVER = "nameserver 127.0.0.1\noptions timeout:1 attempts:1\n"

_SIOCSIFFLAGS = 0x8914
_IFF_UP = 1
_NAME_DOES_NOT_EXIST = 0x8183


@dataclass(frozen=True)
class Isolated:
    """How a command ended, and what it looked for: names, and packets that found no way out."""

    output: str
    errors: str
    code: int
    looked_up: tuple[str, ...]
    packets: int


def refusal() -> str:
    """Return why the kernel lets this user make no networks of their own; "" where it does.

    Raises `OSError` without the program `unshare`, and `RuntimeError` when that fails for another reason.
    """
    if sys.platform != "linux":
        return "only Linux has networks that a user can make"
    usual = {**os.environ, "LC_ALL": "C"}
    tried = subprocess.run([*UNSHARE, "true"], capture_output=True, encoding="utf-8", check=False, env=usual)
    words = tried.stderr.strip()
    if tried.returncode and not any(os.strerror(number) in words for number in (errno.EPERM, errno.EACCES)):
        raise RuntimeError(f"unshare failed: {words}")
    return words if tried.returncode else ""


def run_isolated(command: Sequence[str], environment: Mapping[str, str], timeout: float) -> Isolated:
    """Run `command` alone in a network. Raises `subprocess.TimeoutExpired`."""
    with tempfile.TemporaryDirectory(prefix="lovsvar-isolated-") as folder:
        report = Path(folder) / "report.json"
        ran = subprocess.run(
            [*UNSHARE, sys.executable, "-m", "lovsvar_testkit.isolated", str(report), *command],
            capture_output=True,
            encoding="utf-8",
            check=False,
            env=dict(environment),
            timeout=timeout,
        )
        seen = json.loads(report.read_text(encoding="utf-8"))
    return Isolated(ran.stdout, ran.stderr, ran.returncode, tuple(seen["looked_up"]), seen["packets"])


def main() -> int:
    """Run the command that the arguments name, write the report, and return the command's exit code."""
    report, *command = sys.argv[1:]
    _raise_loopback()
    looked_up: list[str] = []
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as resolver:
        resolver.write(RESOLVER)
        resolver.flush()
        Path(resolver.name).chmod(0o644)
        mount = shutil.which("mount") or "mount"
        subprocess.run([mount, "--bind", resolver.name, str(Path("/etc/resolv.conf").resolve())], check=True)
        _answer_lookups(looked_up)
        before = _lost_packets()
        code = subprocess.run(command, check=False).returncode
        seen = {"looked_up": looked_up, "packets": _lost_packets() - before}
    Path(report).write_text(json.dumps(seen), encoding="utf-8")
    return code


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))


def _answer_lookups(looked_up: list[str]) -> None:
    """Answer every look-up that no such name exists, and note the name."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    listener.bind(("127.0.0.1", 53))

    def answer() -> None:
        while True:
            question, sender = listener.recvfrom(4_096)
            try:
                looked_up.append(_name_in(question))
            except IndexError:
                looked_up.append(MALFORMED)
            with contextlib.suppress(OSError):
                listener.sendto(question[:2] + struct.pack(">H", _NAME_DOES_NOT_EXIST) + question[4:], sender)

    threading.Thread(target=answer, daemon=True).start()


def _name_in(question: bytes) -> str:
    labels, at = [], 12
    while length := question[at]:
        labels.append(question[at + 1 : at + 1 + length].decode("ascii", "replace"))
        at += 1 + length
    return ".".join(labels)


def _lost_packets() -> int:
    """Return how many packets of this network had nowhere to go."""
    lines = [line.split() for line in Path("/proc/net/snmp").read_text().splitlines() if line.startswith("Ip:")]
    four = dict(zip(*lines, strict=True))["OutNoRoutes"]
    file = Path("/proc/net/snmp6")
    six = dict(line.split() for line in file.read_text().splitlines()) if file.exists() else {}
    return int(four) + int(six.get("Ip6OutNoRoutes", 0))


if __name__ == "__main__":
    sys.exit(main())
